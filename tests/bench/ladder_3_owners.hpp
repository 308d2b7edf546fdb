/// Step 3 of the ladder: an owner name only where it is not the key's.
///
///   Entry   [ records: 16 | two times | authority begins: 2 | additional begins: 2 | flags: 1 ]
///   Record  [ owner, or nothing: 16 | type 2 | TTL 4 | RDATA: variant 80 ]
///
/// Changed: most records have no name of their own, so no allocation for it, and the reply takes it
/// from the question.
#pragma once

#include "bench/ladder_2_one_list.hpp"

namespace siskin::cache::bench {

/// The owner to be stored: nothing where it is the key's name.
inline wire::Bytes own_owner(const Key& key, const wire::Name& owner) noexcept {
  return wire::equal_names(owner.wire(), key.name()) ? wire::Bytes() : owner.wire();
}

class Owners {
 public:
  using Octets = ExactArray<std::uint8_t>;
  using Record = OneList::Record;
  using Entry = OneList::Entry;

  Entry build(const Key& key, const Value& value, Instant now) const {
    std::vector<Record> records;
    SectionOffsets offsets;
    each_record(value, [&](wire::Section section, const wire::Name& owner, wire::RRType type,
                           wire::Bytes rdata) {
      offsets.count(section);
      records.push_back({octets_of<Octets>(own_owner(key, owner)), type, value.ttl,
                         parse_rdata<Exact>(type, rdata)});
    });
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
