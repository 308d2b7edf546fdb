#include "scenarios/entry_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace siskin::scenarios {
namespace {

using Kind = ReplyWord::Kind;

struct FlagWord {
  const char* word;
  bool Match::* member;
};

/// "qcase" of the other peer: the letter case is our own affair, names compare without it.
constexpr std::array<FlagWord, 19> kMatchFlags{{
    {"opcode", &Match::opcode},
    {"qname", &Match::qname},
    {"qcase", &Match::qname},
    {"qtype", &Match::qtype},
    {"question", &Match::question},
    {"subdomain", &Match::subdomain},
    {"rcode", &Match::rcode},
    {"answer", &Match::answer},
    {"authority", &Match::authority},
    {"additional", &Match::additional},
    {"flags", &Match::flags},
    {"all", &Match::all},
    {"all_noedns", &Match::all_noedns},
    {"ttl", &Match::ttl},
    {"DO", &Match::dnssec_ok},
    {"noedns", &Match::noedns},
    {"ednsdata", &Match::ednsdata},
    {"client_cookie", &Match::client_cookie},
    {"server_cookie", &Match::server_cookie},
}};

struct NamedReplyWord {
  const char* word;
  ReplyWord meaning;
};

constexpr ReplyWord opcode(unsigned number) {
  return {Kind::opcode, static_cast<std::uint16_t>(number << 11)};
}

constexpr ReplyWord rcode(std::uint16_t number) {
  return {Kind::rcode, number};
}

constexpr std::array<NamedReplyWord, 25> kReplyWords{{
    {"QR", {Kind::flag, wire::flag::qr}},
    {"AA", {Kind::flag, wire::flag::aa}},
    {"TC", {Kind::flag, wire::flag::tc}},
    {"RD", {Kind::flag, wire::flag::rd}},
    {"RA", {Kind::flag, wire::flag::ra}},
    {"AD", {Kind::flag, wire::flag::ad}},
    {"CD", {Kind::flag, wire::flag::cd}},
    {"QUERY", opcode(0)},
    {"IQUERY", opcode(1)},
    {"STATUS", opcode(2)},
    {"NOTIFY", opcode(4)},
    {"UPDATE", opcode(5)},
    {"NOERROR", rcode(0)},
    {"FORMERR", rcode(1)},
    {"SERVFAIL", rcode(2)},
    {"NXDOMAIN", rcode(3)},
    {"NOTIMPL", rcode(4)},
    {"NOTIMP", rcode(4)},
    {"REFUSED", rcode(5)},
    {"YXDOMAIN", rcode(6)},
    {"YXRRSET", rcode(7)},
    {"NXRRSET", rcode(8)},
    {"NOTAUTH", rcode(9)},
    {"NOTZONE", rcode(10)},
    {"BADVERS", rcode(16)},
}};

}  // namespace

std::optional<bool Match::*> match_flag(const std::string& word) {
  const auto* at = std::ranges::find(kMatchFlags, word, &FlagWord::word);
  if (at == kMatchFlags.end()) return std::nullopt;
  return at->member;
}

std::optional<ReplyWord> reply_word(const std::string& word) {
  const auto* at = std::ranges::find(kReplyWords, word, &NamedReplyWord::word);
  if (at == kReplyWords.end()) return std::nullopt;
  return at->meaning;
}

}  // namespace siskin::scenarios
