/// What the layouts of the ladder have in common: the map around them, and rendering of one record.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "bench/ladder_rdata.hpp"
#include "cache/key.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::cache::bench {

/// A cache of `Layout::Entry` by name and type: std::unordered_map under one lock, with the keyed
/// hash and the lowered name that ours has too.  No limit, no eviction; failures are not kept.
template <class Layout>
class LadderMap {
 public:
  bool store(const wire::Name& name, wire::RRType type, const Value& value, Instant now) {
    if (value.kind == Kind::failure || !is_sound(value)) return false;
    const Key key(kHashKey, name.wire(), type);
    const std::scoped_lock lock(mutex_);
    entries_.insert_or_assign(StoredKey{key.hash(), type, octets_of<Octets>(key.name())},
                              layout_.build(key, value, now));
    return true;
  }

  /// Adds answer and authority of a live entry to `out`; whether there was one.
  bool render(wire::Bytes name, wire::RRType type, Instant now, bool dnssec_ok,
              wire::MessageWriter& out) const {
    const Key key(kHashKey, name, type);
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.expiry <= now) return false;
    layout_.render(found->second, {name, now, dnssec_ok}, out);
    return true;
  }

 private:
  using Octets = typename Layout::Octets;
  static constexpr HashKey kHashKey{1, 2};

  struct StoredKey {
    std::uint64_t hash;
    wire::RRType type;
    Octets name;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const StoredKey& key) const noexcept { return key.hash; }
    std::size_t operator()(const Key& key) const noexcept { return key.hash(); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const StoredKey& a, const StoredKey& b) const noexcept {
      return a.hash == b.hash && a.type == b.type &&
             std::ranges::equal(bytes_of(a.name), bytes_of(b.name));
    }
    bool operator()(const Key& a, const StoredKey& b) const noexcept {
      return a.hash() == b.hash && a.type() == b.type &&
             std::ranges::equal(a.name(), bytes_of(b.name));
    }
  };

  static bool is_sound(const Value& value) noexcept;

  mutable std::mutex mutex_;
  Layout layout_;
  std::unordered_map<StoredKey, typename Layout::Entry, Hash, Equal> entries_;
};

/// Calls `use(section, owner, type, rdata)` for each record, signatures behind what they sign.
template <class Use>
void each_record(const Value& value, Use use) {
  const auto each_of = [&use](wire::Section section, const std::vector<wire::RRset>& sets) {
    for (const wire::RRset& set : sets) {
      for (const wire::Bytes rdata : set.records) use(section, set.owner, set.type, rdata);
      for (const wire::Bytes rdata : set.signatures) {
        use(section, set.owner, wire::RRType::rrsig, rdata);
      }
    }
  };
  each_of(wire::Section::answer, value.answer);
  each_of(wire::Section::authority, value.authority);
  each_of(wire::Section::additional, value.additional);
}

template <class Layout>
bool LadderMap<Layout>::is_sound(const Value& value) noexcept {
  bool sound = true;
  each_record(value, [&sound](auto, const auto&, wire::RRType type, wire::Bytes rdata) {
    sound = sound && wire::is_well_formed(type, rdata);
  });
  return sound;
}

/// What is asked of an entry.
struct Asked {
  wire::Bytes name;
  Instant now;
  bool dnssec_ok = false;

  /// RFC 4035 §3.2.1: signatures and denial records only for those who set DO.
  bool wants(wire::Section section, wire::RRType type) const noexcept {
    if (dnssec_ok) return true;
    const bool is_denial = type == wire::RRType::nsec || type == wire::RRType::nsec3;
    return type != wire::RRType::rrsig && (section != wire::Section::authority || !is_denial);
  }
};

/// What is left of a TTL learnt at `stored`.
inline std::uint32_t aged(std::uint32_t ttl, Instant stored, Instant now) noexcept {
  return ttl - (whole_seconds(now) - whole_seconds(stored));
}

/// Adds one record, its RDATA put together again on the stack first.
template <class AnyRdata>
void add_record(wire::MessageWriter& out, wire::Section section, wire::Bytes owner,
                wire::RRType type, std::uint32_t ttl, const AnyRdata& rdata) {
  std::array<std::uint8_t, 2 + 0xffff> octets;
  wire::Writer writer(octets);
  writer.u16(0);
  std::visit(RdataWriter(writer), rdata);
  writer.u16_at(0, static_cast<std::uint16_t>(writer.position() - 2));
  out.add_rrset(section, owner, type, ttl, writer.written());
}

}  // namespace siskin::cache::bench
