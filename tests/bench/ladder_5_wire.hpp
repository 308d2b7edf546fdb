/// Step 5 of the ladder: records back to back in wire form, in one buffer.
///
///   Entry   [ records: 16 | two times | authority begins: 2 | additional begins: 2 | flags: 1 ]
///   Record  [ owner's size: 1 | owner | type 2 | TTL 4 | length 2 | RDATA ]
///
/// Changed: a record is octets in a buffer instead of objects with allocations of their own.  The
/// buffer is put together in one that is used again and again, and copied once its size is known;
/// RDATA goes from it into the reply as it is.
#pragma once

#include "bench/ladder_3_owners.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache::bench {

class WireForm {
 public:
  using Octets = ExactArray<std::uint8_t>;

  struct Entry {
    Octets records;
    Instant stored;
    Instant expiry;
    SectionOffsets offsets;  ///< in octets
    std::uint8_t flags;
  };
  static_assert(sizeof(Entry) == 40);

  Entry build(const Key& key, const Value& value, Instant now) {
    wire::Writer out(scratch_);
    SectionOffsets offsets;
    each_record(value, [&](wire::Section section, const wire::Name& record_owner, wire::RRType type,
                           wire::Bytes rdata) {
      const std::size_t start = out.position();
      const wire::Bytes owner = own_owner(key, record_owner);
      out.u8(static_cast<std::uint8_t>(owner.size()));
      out.bytes(owner);
      out.u16(static_cast<std::uint16_t>(type));
      out.u32(value.ttl);
      out.u16(static_cast<std::uint16_t>(rdata.size()));
      out.bytes(rdata);
      offsets.count(section, out.position() - start);
    });
    SISKIN_CHECK(!out.failed());  // the offsets, two octets each, say that it may not happen
    return {octets_of<Octets>(out.written()), now, now + std::chrono::seconds(value.ttl), offsets,
            flags_of(value.kind)};
  }

  void render(const Entry& entry, const Asked& asked, wire::MessageWriter& out) const {
    if ((entry.flags & kFlagDelegation) != 0) return;
    wire::Reader in(bytes_of(entry.records).first(entry.offsets.additional));
    while (in.remaining() > 0) {
      const wire::Section section = entry.offsets.section_of(in.position());
      const wire::Bytes own = in.bytes(in.u8());
      const auto type = static_cast<wire::RRType>(in.u16());
      const std::uint32_t ttl = aged(in.u32(), entry.stored, asked.now);
      const std::size_t at = in.position();
      in.skip(in.u16());
      if (!asked.wants(section, type)) continue;
      const wire::Bytes record = bytes_of(entry.records).subspan(at, in.position() - at);
      out.add_rrset(section, own.empty() ? asked.name : own, type, ttl, record);
    }
  }

 private:
  std::vector<std::uint8_t> scratch_ = std::vector<std::uint8_t>(0xffff);
};

}  // namespace siskin::cache::bench
