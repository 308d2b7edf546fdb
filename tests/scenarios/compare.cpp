#include "scenarios/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "sim/outcome_text.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::scenarios {
namespace {

using wire::RRType;

constexpr std::uint16_t kOpcodeMask = 0x7800;
constexpr std::uint16_t kHeaderFlags = wire::flag::qr | wire::flag::aa | wire::flag::tc |
                                       wire::flag::rd | wire::flag::ra | wire::flag::ad |
                                       wire::flag::cd;
constexpr std::size_t kClientCookieSize = 8;
constexpr std::size_t kServerCookieSize = 24;

using Records = std::vector<Record>;
using Verdict = std::optional<std::string>;

/// The signer's name in an RRSIG compares without letter case too.
std::vector<std::uint8_t> comparable_rdata(const Record& record) {
  constexpr std::size_t kSignerAt = 18;
  auto octets = sim::lowered_rdata(record.type, record.rdata);
  if (record.type == RRType::rrsig && octets.size() > kSignerAt) {
    const auto size = wire::name_size(wire::Bytes(octets).subspan(kSignerAt));
    const auto signer = std::span(octets).subspan(kSignerAt, size);
    std::ranges::transform(signer, signer.begin(), wire::to_lower);
  }
  return octets;
}

bool are_equal(const Record& a, const Record& b) {
  return a.type == b.type && a.klass == b.klass && a.owner == b.owner &&
         comparable_rdata(a) == comparable_rdata(b);
}

bool is_denial(const Record& record) {
  RRType type = record.type;
  if (type == RRType::rrsig) type = wire::covered_type(record.rdata).value_or(type);
  return type == RRType::soa || type == RRType::nsec || type == RRType::nsec3 || type == RRType::ds;
}

std::optional<std::uint16_t> cut_ede(Message& message) {
  if (!message.opt) return std::nullopt;
  const auto data = wire::find_option(message.opt->options, wire::EdnsOption::extended_error);
  if (!data || data->size() < 2) return std::nullopt;
  const auto code = static_cast<std::uint16_t>((*data)[0] << 8 | (*data)[1]);
  auto& options = message.opt->options;
  const auto begin = options.begin() + (data->data() - options.data()) - 4;
  options.erase(begin, begin + 4 + static_cast<std::ptrdiff_t>(data->size()));
  return code;
}

std::optional<std::size_t> cut_cookie(Message& message) {
  if (!message.opt) return std::nullopt;
  const auto data = wire::find_option(message.opt->options, wire::EdnsOption::cookie);
  if (!data) return std::nullopt;
  const std::size_t size = data->size();
  auto& options = message.opt->options;
  const auto begin = options.begin() + (data->data() - options.data()) - 4;
  options.erase(begin, begin + 4 + static_cast<std::ptrdiff_t>(size));
  return size;
}

class Comparison {
 public:
  Comparison(const Received& received, const Entry& entry, Tolerance tolerance)
      : got_(received.message),
        transport_(received.transport),
        match_(entry.match),
        expected_(entry.message),
        tolerance_(tolerance) {}

  Verdict run() {
    if (Verdict verdict = options()) return verdict;
    for (const auto step :
         {&Comparison::header, &Comparison::question, &Comparison::sections, &Comparison::edns}) {
      if (Verdict verdict = (this->*step)()) return verdict;
    }
    return std::nullopt;
  }

 private:
  bool all() const { return match_.all || match_.all_noedns; }

  Verdict options() {
    if (match_.transport && *match_.transport != transport_) return "the transport differs";
    if (match_.ede || match_.any_ede) {
      const auto code = cut_ede(got_);
      if (!code) return "there is no EDE";
      if (match_.ede && *code != *match_.ede) {
        return fmt::format("EDE {} is expected, got {}", *match_.ede, *code);
      }
    }
    if (match_.client_cookie || match_.server_cookie) {
      const std::size_t expected = match_.client_cookie ? kClientCookieSize : kServerCookieSize;
      if (cut_cookie(got_) != expected) return "the cookie differs";
    }
    return std::nullopt;
  }

  Verdict header() const {
    if ((match_.opcode || all()) && (got_.flags & kOpcodeMask) != (expected_.flags & kOpcodeMask)) {
      return "the opcode differs";
    }
    if ((match_.flags || all()) &&
        (got_.flags & kHeaderFlags) != (expected_.flags & kHeaderFlags)) {
      return "the header flags differ";
    }
    if ((match_.rcode || all()) && got_.rcode != expected_.rcode) return "the RCODE differs";
    return std::nullopt;
  }

  Verdict question() const {
    if ((match_.question || all()) && got_.questions != expected_.questions) {
      return "the question differs";
    }
    if (!match_.qname && !match_.qtype && !match_.subdomain) return std::nullopt;
    if (got_.questions.empty() || expected_.questions.empty()) return "there is no question";
    const Question& got = got_.questions.front();
    const Question& expected = expected_.questions.front();
    if (match_.qname && got.name != expected.name) return "the name in question differs";
    if (match_.qtype && got.type != expected.type) return "the type in question differs";
    if (match_.subdomain && !got.name.is_at_or_below(expected.name)) {
      return "the name in question lies elsewhere";
    }
    return std::nullopt;
  }

  Verdict sections() const {
    if ((match_.answer || all()) && !are_same(wire::Section::answer)) return "the answer differs";
    if (match_.authority && !are_same(wire::Section::authority)) return "the authority differs";
    if (match_.additional && !are_same(wire::Section::additional)) {
      return "the additional section differs";
    }
    if (all() && !are_alike(wire::Section::authority)) return "the authority differs";
    if (all() && !are_alike(wire::Section::additional)) return "the additional section differs";
    return std::nullopt;
  }

  Verdict edns() const {
    const bool is_compared = match_.all && !match_.all_noedns;
    if (is_compared && got_.opt.has_value() != expected_.opt.has_value()) {
      return got_.opt ? "there is an OPT" : "there is no OPT";
    }
    if (match_.dnssec_ok && !(got_.opt && got_.opt->dnssec_ok)) return "the DO flag is not set";
    if (match_.noedns && got_.opt) return "there is an OPT";
    if (match_.ednsdata && options_of(got_) != options_of(expected_)) {
      return "the EDNS options differ";
    }
    return std::nullopt;
  }

  static std::vector<std::uint8_t> options_of(const Message& message) {
    return message.opt ? message.opt->options : std::vector<std::uint8_t>{};
  }

  bool fits(const Record& got, const Record& expected) const {
    if (!are_equal(got, expected)) return false;
    if (!match_.ttl) return true;
    return got.ttl <= expected.ttl && expected.ttl - got.ttl <= tolerance_.ttl;
  }

  /// The records of `got` that are not in `expected`, each of which counts once.
  Records surplus(const Records& got, Records expected, bool turned = false) const {
    Records rest;
    for (const Record& record : got) {
      const auto at = std::ranges::find_if(expected, [&](const Record& other) {
        return turned ? fits(other, record) : fits(record, other);
      });
      if (at == expected.end()) {
        rest.push_back(record);
      } else {
        expected.erase(at);
      }
    }
    return rest;
  }

  bool are_same(wire::Section which) const {
    return got_.section(which).size() == expected_.section(which).size() &&
           surplus(got_.section(which), expected_.section(which)).empty();
  }

  bool are_alike(wire::Section which) const {
    const Records& got = got_.section(which);
    const Records& expected = expected_.section(which);
    return surplus(got, expected).empty() &&
           std::ranges::none_of(surplus(expected, got, true), is_denial);
  }

  Message got_;
  runtime::Transport transport_;
  const Match& match_;
  const Message& expected_;
  Tolerance tolerance_;
};

}  // namespace

std::optional<std::string> mismatch(const Received& received, const Entry& entry,
                                    Tolerance tolerance) {
  return Comparison(received, entry, tolerance).run();
}

}  // namespace siskin::scenarios
