#include "dnssec/canonical_record.hpp"

#include <array>
#include <vector>

#include "siskin/wire/cursor.hpp"

namespace siskin::dnssec {

using text::Ldns;

Ldns<ldns_rr> canonical_record(const wire::Name& owner, wire::RRType type, std::uint32_t ttl,
                               wire::Bytes rdata) {
  constexpr std::size_t kFixedSize = 10;  // type, class, TTL, RDLENGTH
  std::vector<std::uint8_t> octets(owner.size() + kFixedSize + rdata.size());
  wire::Writer writer(octets);
  writer.bytes(owner.wire());
  writer.u16(static_cast<std::uint16_t>(type));
  writer.u16(static_cast<std::uint16_t>(wire::RRClass::in));
  writer.u32(ttl);
  writer.u16(static_cast<std::uint16_t>(rdata.size()));
  writer.bytes(rdata);
  ldns_rr* rr = nullptr;
  std::size_t at = 0;
  const ldns_status status =
      ldns_wire2rr(&rr, octets.data(), octets.size(), &at, LDNS_SECTION_ANSWER);
  if (status != LDNS_STATUS_OK) return nullptr;
  Ldns<ldns_rr> record(rr);
  if (at != octets.size()) return nullptr;
  ldns_rr2canonical(record.get());
  return record;
}

}  // namespace siskin::dnssec
