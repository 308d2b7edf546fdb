/// What the tests of resolve build their replies from, and how they show what came out.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/message.hpp"
#include "siskin/base/ip.hpp"
#include "siskin/base/time.hpp"
#include "siskin/text/print.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/header.hpp"
#include "wire/samples.hpp"

namespace siskin::resolve::test {

using siskin::test::from_hex;
using siskin::test::Octets;
using siskin::test::octets_of;
using siskin::test::operator+;
using siskin::test::to_hex;
using wire::RRset;
using wire::RRType;
using wire::test::Draw;
using wire::test::name;

inline IpAddress ip(std::string_view text) {
  return IpAddress::from_text(text).value();
}

inline Instant at_second(std::int64_t seconds) {
  return Instant(std::chrono::seconds(seconds));
}

/// Zone text as sets; all names absolute.
inline std::vector<RRset> sets(std::string_view zone_text) {
  if (zone_text.empty()) return {};
  return text::parse_zone(zone_text).value();
}

inline RRset set_of(std::string_view zone_text) {
  return sets(zone_text).at(0);
}

/// "www.example. 60 IN A 192.0.2.1; ...", one piece a record, signatures last.
inline std::string text_of(const std::vector<RRset>& sets) {
  std::string text;
  for (const RRset& set : sets) text += text::print_rrset(set);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    text.replace(at, 1, "; ");
  }
  for (char& c : text) {
    if (c == '\t') c = ' ';
  }
  return text;
}

inline std::string text_of(const RRset& set) {
  return text_of(std::vector<RRset>{set});
}

inline Octets u16_octets(std::size_t value) {
  return {static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}

/// A reply in wire form, made of whole records.  The question's name lies at octet 12: c00c.
struct RawReply {
  std::string question = "www.example.";
  RRType type = RRType::a;
  std::uint16_t flags = 0x8400;  ///< QR and AA
  std::vector<Octets> answer{};
  std::vector<Octets> authority{};
  std::vector<Octets> additional{};

  Octets octets() const {
    Octets out = u16_octets(0x1234) + u16_octets(flags) + u16_octets(1) +
                 u16_octets(answer.size()) + u16_octets(authority.size()) +
                 u16_octets(additional.size());
    const wire::Name asked = name(question);
    out.insert(out.end(), asked.wire().begin(), asked.wire().end());
    out = out + u16_octets(static_cast<std::size_t>(type)) + u16_octets(1);
    for (const auto* section : {&answer, &authority, &additional}) {
      for (const Octets& record : *section) out.insert(out.end(), record.begin(), record.end());
    }
    return out;
  }
};

/// One record of class IN; the owner in from_hex()'s notation.
inline Octets record(std::string_view owner, RRType type, const Octets& rdata,
                     std::uint16_t ttl = 60) {
  return from_hex(owner) + u16_octets(static_cast<std::size_t>(type)) + from_hex("0001 0000") +
         u16_octets(ttl) + u16_octets(rdata.size()) + rdata;
}

/// The same with RDATA in from_hex()'s notation.
inline Octets record(std::string_view owner, RRType type, std::string_view rdata,
                     std::uint16_t ttl = 60) {
  return record(owner, type, from_hex(rdata), ttl);
}

inline UpstreamQuery query_for(std::string_view qname, RRType type = RRType::a) {
  UpstreamQuery query;
  query.name = name(qname);
  query.type = type;
  query.id = 0x1234;
  return query;
}

inline Result<Message> decode_reply(const RawReply& reply) {
  const UpstreamQuery query = query_for(reply.question, reply.type);
  return decode(reply.octets(), query, query.name);
}

/// The sections as text, or the error.
inline std::string decoded(const RawReply& reply) {
  const auto message = decode_reply(reply);
  if (!message) return std::string(to_string(message.error().code));
  std::string text = text_of(message->answer);
  if (!message->authority.empty()) text += " / " + text_of(message->authority);
  if (!message->additional.empty()) text += " + " + text_of(message->additional);
  return text;
}

}  // namespace siskin::resolve::test
