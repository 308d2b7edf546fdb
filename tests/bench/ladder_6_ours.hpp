/// The last step of the ladder: the cache as it is.
///
/// Changed: the whole entry, key included, is one allocation, with one type and one TTL a set and
/// no pointer in it; the map became an index of 8 octets a slot (docs/cache.md).
#pragma once

#include "siskin/cache/cache.hpp"

namespace siskin::cache::bench {

class Ours {
 public:
  explicit Ours(std::size_t bytes_max = 128U << 20)
      : cache_({.bytes_max = bytes_max, .hash_key = {1, 2}}) {}

  bool store(const wire::Name& name, wire::RRType type, const Value& value, Instant now) {
    return cache_.store(name, type, value, now);
  }

  bool render(wire::Bytes name, wire::RRType type, Instant now, bool dnssec_ok,
              wire::MessageWriter& out) const {
    return cache_.render(name, type, now, {.dnssec_ok = dnssec_ok, .rotation = 0}, out).found;
  }

 private:
  Cache cache_;
};

}  // namespace siskin::cache::bench
