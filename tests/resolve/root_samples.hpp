/// A small root zone, and how a zone gets its ZONEMD.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/root_zone.hpp"
#include "siskin/base/check.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::resolve::test {

inline constexpr std::string_view kSmallRoot = R"(
.            86400 IN SOA   ns.root. admin.root. 7 1800 900 604800 86400
.            86400 IN NS    ns.root.
.            86400 IN NSEC  example. NS SOA RRSIG NSEC ZONEMD
.            86400 IN RRSIG NSEC 8 0 86400 20300101000000 20200101000000 1 . AAAA
.            86400 IN RRSIG SOA 8 0 86400 20300101000000 20200101000000 1 . AAAA
ns.root.     86400 IN A     192.0.2.1
example.     86400 IN NS    ns.tld.example.
example.     86400 IN NS    ns.tld.test.
example.     86400 IN DS    1 8 2 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
example.     86400 IN NSEC  test. NS DS RRSIG NSEC
ns.tld.example. 86400 IN A  192.0.2.2
ns.tld.example. 86400 IN AAAA 2001:db8::2
test.        86400 IN NS    ns.tld.test.
test.        86400 IN NSEC  deep.zone. NS RRSIG NSEC
ns.tld.test. 86400 IN A     192.0.2.3
deep.zone.   86400 IN TXT   "below an empty non-terminal"
deep.zone.   86400 IN NSEC  . TXT RRSIG NSEC
)";

inline dnssec::CanonicalZone canonical(const std::vector<text::Record>& records) {
  dnssec::CanonicalZoneBuilder builder{wire::Name()};
  for (const text::Record& record : records) {
    SISKIN_CHECK(builder.add(record.owner, record.type, record.ttl, record.rdata).has_value());
  }
  return std::move(builder).finish();
}

/// SERIAL, scheme SIMPLE, SHA-384, digest.
inline text::Record zonemd_of(const std::vector<text::Record>& records, std::uint32_t serial) {
  text::Record zonemd;
  zonemd.type = wire::RRType::zonemd;
  zonemd.ttl = 86400;
  zonemd.rdata.resize(6);
  wire::Writer writer(zonemd.rdata);
  writer.u32(serial);
  writer.u8(1);
  writer.u8(1);
  const auto digest = dnssec::zone_digest(canonical(records), dnssec::ZoneHash::sha384);
  zonemd.rdata.insert(zonemd.rdata.end(), digest.begin(), digest.end());
  return zonemd;
}

/// The text's records, the SOA first, with the ZONEMD they need.
inline std::vector<text::Record> root_records(std::string_view zone_text = kSmallRoot) {
  std::vector<text::Record> records = text::parse_records(zone_text).value();
  const auto first = std::ranges::find(records, wire::RRType::soa, &text::Record::type);
  std::rotate(records.begin(), first, first + 1);
  const auto soa = soa_numbers(records.at(0).rdata).value();
  records.push_back(zonemd_of(records, soa.serial));
  return records;
}

inline RootZone root_zone(std::string_view zone_text = kSmallRoot) {
  return RootZone::make(canonical(root_records(zone_text))).value();
}

/// How a server packs a transfer.
struct Packing {
  std::uint16_t id = 0;
  std::size_t records_a_message = 5;
  std::uint16_t flags = 0x8400;  ///< QR, AA
  std::uint16_t record_class = 1;
  bool repeats_question = true;  ///< in all messages, not the first one alone
};

inline void put16(std::vector<std::uint8_t>& out, std::size_t value) {
  out.push_back(static_cast<std::uint8_t>(value >> 8));
  out.push_back(static_cast<std::uint8_t>(value));
}

inline void put_record(std::vector<std::uint8_t>& out, const text::Record& record,
                       std::uint16_t record_class) {
  const auto owner = record.owner.wire();
  out.insert(out.end(), owner.begin(), owner.end());
  put16(out, static_cast<std::size_t>(record.type));
  put16(out, record_class);
  put16(out, record.ttl >> 16);
  put16(out, record.ttl & 0xffff);
  put16(out, record.rdata.size());
  out.insert(out.end(), record.rdata.begin(), record.rdata.end());
}

/// The records as they are, in messages; an AXFR's first and last one are the SOA.
inline std::vector<std::vector<std::uint8_t>> messages_of(const std::vector<text::Record>& records,
                                                          const Packing& packing) {
  std::vector<std::vector<std::uint8_t>> messages;
  for (std::size_t at = 0; at < records.size(); at += packing.records_a_message) {
    const std::size_t count = std::min(packing.records_a_message, records.size() - at);
    const bool has_question = messages.empty() || packing.repeats_question;
    std::vector<std::uint8_t>& out = messages.emplace_back();
    for (const std::size_t field :
         {std::size_t{packing.id}, std::size_t{packing.flags}, std::size_t{has_question}, count,
          std::size_t{0}, std::size_t{0}}) {
      put16(out, field);
    }
    if (has_question) {
      out.push_back(0);
      put16(out, static_cast<std::size_t>(wire::RRType::axfr));
      put16(out, 1);
    }
    for (std::size_t i = at; i < at + count; ++i) {
      put_record(out, records[i], packing.record_class);
    }
  }
  return messages;
}

/// root_records() with the SOA once more at the end.
inline std::vector<text::Record> transferred_records(std::string_view zone_text = kSmallRoot) {
  std::vector<text::Record> records = root_records(zone_text);
  records.push_back(records.front());
  return records;
}

}  // namespace siskin::resolve::test
