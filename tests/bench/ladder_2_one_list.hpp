/// Step 2 of the ladder: one list of records for all sections, and flags as bits.
///
///   Entry   [ records: 16 | two times | authority begins: 2 | additional begins: 2 | flags: 1 ]
///   Record  [ owner: 16 | type 2 | TTL 4 | RDATA: variant 80 ]
///
/// Changed: two of three lists became a number of two octets each; three bools became bits.
#pragma once

#include "bench/ladder_map.hpp"

namespace siskin::cache::bench {

/// What the entries of steps 2 to 5 say in one octet.
inline constexpr std::uint8_t kFlagNodata = 1;
inline constexpr std::uint8_t kFlagNxdomain = 2;
inline constexpr std::uint8_t kFlagDelegation = 4;

inline std::uint8_t flags_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::nodata: return kFlagNodata;
    case Kind::nxdomain: return kFlagNxdomain;
    case Kind::delegation: return kFlagDelegation;
    case Kind::positive:
    case Kind::failure: break;
  }
  return 0;
}

/// The first record, or octet, of the two later sections.
struct SectionOffsets {
  std::uint16_t authority = 0;
  std::uint16_t additional = 0;

  /// One more in `section`: what comes later begins later.
  void count(wire::Section section, std::size_t more = 1) noexcept {
    if (section == wire::Section::answer) authority = static_cast<std::uint16_t>(authority + more);
    if (section != wire::Section::additional) {
      additional = static_cast<std::uint16_t>(additional + more);
    }
  }
  wire::Section section_of(std::size_t at) const noexcept {
    return at < authority ? wire::Section::answer : wire::Section::authority;
  }
};

class OneList {
 public:
  using Octets = ExactArray<std::uint8_t>;

  struct Record {
    Octets owner;
    wire::RRType type;
    std::uint32_t ttl;
    Rdata<Exact> rdata;
  };
  struct Entry {
    ExactArray<Record> records;
    Instant stored;
    Instant expiry;
    SectionOffsets offsets;
    std::uint8_t flags;
  };
  static_assert(sizeof(Record) == 104);
  static_assert(sizeof(Entry) == 40);

  Entry build(const Key&, const Value& value, Instant now) const {
    std::vector<Record> records;
    SectionOffsets offsets;
    each_record(value, [&](wire::Section section, const wire::Name& owner, wire::RRType type,
                           wire::Bytes rdata) {
      offsets.count(section);
      records.push_back(
          {octets_of<Octets>(owner.wire()), type, value.ttl, parse_rdata<Exact>(type, rdata)});
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
      add_record(out, section, bytes_of(record.owner), record.type,
                 aged(record.ttl, entry.stored, asked.now), record.rdata);
    }
  }
};

}  // namespace siskin::cache::bench
