/// Step 0 of the ladder: the conventional layout.  A cached message much as it was decoded.
///
///   Entry   [ answer: vector | authority: vector | additional: vector | two times | three bools ]
///   Record  [ owner: string 32 | type 2 | TTL 4 | RDATA: variant 144 ]
///
/// Vectors grow as records are appended, each record has its owner, and each takes the space of the
/// largest type (NAPTR, four strings) whatever it is.
#pragma once

#include "bench/ladder_map.hpp"

namespace siskin::cache::bench {

class Conventional {
 public:
  using Octets = std::string;

  struct Record {
    std::string owner;
    wire::RRType type;
    std::uint32_t ttl;
    Rdata<Growable> rdata;
  };
  struct Entry {
    std::vector<Record> answer;
    std::vector<Record> authority;
    std::vector<Record> additional;
    Instant stored;
    Instant expiry;
    bool is_nodata;
    bool is_nxdomain;
    bool is_delegation;
  };
  static_assert(sizeof(Rdata<Growable>) == 144);
  static_assert(sizeof(Record) == 184);
  static_assert(sizeof(Entry) == 96);

  Entry build(const Key&, const Value& value, Instant now) const {
    Entry entry{{},
                {},
                {},
                now,
                now + std::chrono::seconds(value.ttl),
                value.kind == Kind::nodata,
                value.kind == Kind::nxdomain,
                value.kind == Kind::delegation};
    const std::array lists{&entry.answer, &entry.authority, &entry.additional};
    each_record(value, [&](wire::Section section, const wire::Name& owner, wire::RRType type,
                           wire::Bytes rdata) {
      lists[static_cast<std::size_t>(section)]->push_back(
          {octets_of<Octets>(owner.wire()), type, value.ttl, parse_rdata<Growable>(type, rdata)});
    });
    return entry;
  }

  void render(const Entry& entry, const Asked& asked, wire::MessageWriter& out) const {
    if (entry.is_delegation) return;
    add(entry, entry.answer, wire::Section::answer, asked, out);
    add(entry, entry.authority, wire::Section::authority, asked, out);
  }

 private:
  static void add(const Entry& entry, const std::vector<Record>& records, wire::Section section,
                  const Asked& asked, wire::MessageWriter& out) {
    for (const Record& record : records) {
      if (!asked.wants(section, record.type)) continue;
      add_record(out, section, bytes_of(record.owner), record.type,
                 aged(record.ttl, entry.stored, asked.now), record.rdata);
    }
  }
};

}  // namespace siskin::cache::bench
