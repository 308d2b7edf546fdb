/// A small root zone, and how a zone gets its ZONEMD.
#pragma once

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
  const auto soa = soa_numbers(records.at(0).rdata).value();
  records.push_back(zonemd_of(records, soa.serial));
  return records;
}

inline RootZone root_zone(std::string_view zone_text = kSmallRoot) {
  return RootZone::make(canonical(root_records(zone_text))).value();
}

}  // namespace siskin::resolve::test
