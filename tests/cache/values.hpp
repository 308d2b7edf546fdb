/// Short ways to write names, sets and values in the cache's tests.
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "siskin/cache/cache.hpp"

namespace siskin::cache::test {

inline wire::Name name(std::string_view text) {
  return wire::Name::from_text(text).value();
}

inline Instant at(std::int64_t seconds) {
  return Instant(std::chrono::seconds(seconds));
}

using Octets = std::vector<std::uint8_t>;

/// RDATA as it goes into a record: `octets`, then a name if given.
inline Octets rdata(Octets octets, std::string_view then_name = {}) {
  if (then_name.empty()) return octets;
  const wire::Name last = name(then_name);
  octets.insert(octets.end(), last.wire().begin(), last.wire().end());
  return octets;
}

inline Octets address(std::uint8_t last) {
  return {192, 0, 2, last};
}

inline Octets soa(std::string_view mname, std::string_view rname) {
  Octets octets = rdata({}, mname);
  const Octets second = rdata({}, rname);
  octets.insert(octets.end(), second.begin(), second.end());
  for (int i = 0; i < 20; ++i) octets.push_back(static_cast<std::uint8_t>(i));
  return octets;
}

inline wire::RRset set_of(std::string_view owner, wire::RRType type,
                          const std::vector<Octets>& records,
                          const std::vector<Octets>& signatures = {}) {
  wire::RRset set;
  set.owner = name(owner);
  set.type = type;
  for (const Octets& octets : records) set.records.add(octets);
  for (const Octets& octets : signatures) set.signatures.add(octets);
  return set;
}

inline Value positive(std::uint32_t ttl, const wire::RRset& set) {
  Value value;
  value.ttl = ttl;
  value.answer.push_back(set);
  return value;
}

inline Value failure(std::uint32_t ttl, wire::Ede code, std::string text) {
  Value value;
  value.kind = Kind::failure;
  value.ttl = ttl;
  value.error = wire::ExtendedError{code, std::move(text)};
  return value;
}

/// `value` as find() gives it back with `ttl` seconds left: that TTL on every set.
inline Value with_ttl(Value value, std::uint32_t ttl) {
  value.ttl = ttl;
  for (auto* section : {&value.answer, &value.authority, &value.additional}) {
    for (wire::RRset& set : *section) set.ttl = ttl;
  }
  return value;
}

inline bool equal(const Value& a, const Value& b) {
  return a.kind == b.kind && a.ttl == b.ttl && a.answer == b.answer && a.authority == b.authority &&
         a.additional == b.additional && a.error == b.error;
}

}  // namespace siskin::cache::test
