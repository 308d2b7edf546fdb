/// Step 4 of the ladder: no record pays for the largest type.
///
///   Entry   [ records: 16 | two times | authority begins: 2 | additional begins: 2 | flags: 1 ]
///   Record  [ owner, or nothing: 16 | type 2 | TTL 4 | RDATA: variant 24 ]
///
/// Changed: what is larger than an IPv6 address (MX, SOA, RRSIG, NAPTR) lies elsewhere, so the
/// variant shrinks from 80 octets to 24.
#pragma once

#include "bench/ladder_3_owners.hpp"

namespace siskin::cache::bench {

class OwnSizes {
 public:
  using Octets = ExactArray<std::uint8_t>;

  struct Record {
    Octets owner;
    wire::RRType type;
    std::uint32_t ttl;
    Rdata<ExactAndBoxed> rdata;
  };
  struct Entry {
    ExactArray<Record> records;
    Instant stored;
    Instant expiry;
    SectionOffsets offsets;
    std::uint8_t flags;
  };
  static_assert(sizeof(Rdata<ExactAndBoxed>) == 24);
  static_assert(sizeof(Record) == 48);

  Entry build(const Key& key, const Value& value, Instant now) const {
    std::vector<Record> records;
    SectionOffsets offsets;
    each_record(value, [&](wire::Section section, const wire::Name& owner, wire::RRType type,
                           wire::Bytes rdata) {
      offsets.count(section);
      records.push_back({octets_of<Octets>(own_owner(key, owner)), type, value.ttl,
                         parse_rdata<ExactAndBoxed>(type, rdata)});
    });  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): it loses the box that the variant has
    return {exact(std::move(records)), now, now + std::chrono::seconds(value.ttl), offsets,
            flags_of(value.kind)};
  }

  void render(const Entry& entry, const Asked& asked, wire::MessageWriter& out) const {
    if ((entry.flags & kFlagDelegation) != 0) return;
    for (std::size_t i = 0; i < entry.offsets.additional; ++i) {
      const Record& record = entry.records.begin()[i];
      const wire::Section section = entry.offsets.section_of(i);
      if (!asked.wants(section, record.type)) continue;
      const wire::Bytes owner = record.owner.size() == 0 ? asked.name : bytes_of(record.owner);
      add_record(out, section, owner, record.type, aged(record.ttl, entry.stored, asked.now),
                 record.rdata);
    }
  }
};

}  // namespace siskin::cache::bench
