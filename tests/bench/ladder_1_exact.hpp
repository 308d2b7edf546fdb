/// Step 1 of the ladder: storage of exact size, without fields that say how far it may grow.
///
///   Entry   [ answer: 16 | authority: 16 | additional: 16 | two times | three bools ]
///   Record  [ owner: 16 | type 2 | TTL 4 | RDATA: variant 80 ]
///
/// Changed: what was a vector (24 octets) or a string (32) is a pointer and a number (16), in the
/// entry, in the record, and within the RDATA; nothing is allocated beyond what is there.
#pragma once

#include "bench/ladder_map.hpp"

namespace siskin::cache::bench {

class ExactSizes {
 public:
  using Octets = ExactArray<std::uint8_t>;

  struct Record {
    Octets owner;
    wire::RRType type;
    std::uint32_t ttl;
    Rdata<Exact> rdata;
  };
  struct Entry {
    ExactArray<Record> answer;
    ExactArray<Record> authority;
    ExactArray<Record> additional;
    Instant stored;
    Instant expiry;
    bool is_nodata;
    bool is_nxdomain;
    bool is_delegation;
  };
  static_assert(sizeof(Rdata<Exact>) == 80);
  static_assert(sizeof(Record) == 104);
  static_assert(sizeof(Entry) == 72);

  Entry build(const Key&, const Value& value, Instant now) const {
    std::array<std::vector<Record>, 3> lists;
    each_record(value, [&](wire::Section section, const wire::Name& owner, wire::RRType type,
                           wire::Bytes rdata) {
      lists[static_cast<std::size_t>(section)].push_back(
          {octets_of<Octets>(owner.wire()), type, value.ttl, parse_rdata<Exact>(type, rdata)});
    });
    return {exact(std::move(lists[0])),
            exact(std::move(lists[1])),
            exact(std::move(lists[2])),
            now,
            now + std::chrono::seconds(value.ttl),
            value.kind == Kind::nodata,
            value.kind == Kind::nxdomain,
            value.kind == Kind::delegation};
  }

  void render(const Entry& entry, const Asked& asked, wire::MessageWriter& out) const {
    if (entry.is_delegation) return;
    add(entry, entry.answer, wire::Section::answer, asked, out);
    add(entry, entry.authority, wire::Section::authority, asked, out);
  }

 private:
  static void add(const Entry& entry, const ExactArray<Record>& records, wire::Section section,
                  const Asked& asked, wire::MessageWriter& out) {
    for (const Record& record : records) {
      if (!asked.wants(section, record.type)) continue;
      add_record(out, section, bytes_of(record.owner), record.type,
                 aged(record.ttl, entry.stored, asked.now), record.rdata);
    }
  }
};

}  // namespace siskin::cache::bench
