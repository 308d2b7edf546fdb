#include "siskin/cache/cache.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "cache/render.hpp"
#include "cache/shard.hpp"
#include "cache/variants.hpp"
#include "siskin/base/check.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::cache {
namespace {

constexpr std::uint32_t kFailureTtlMax = 300;  ///< RFC 9520 §3.2

/// Whether rendering may trust every record: compression walks the names inside.
bool is_sound(const std::vector<wire::RRset>& sets) noexcept {
  return std::ranges::all_of(sets, [](const wire::RRset& set) {
    return std::ranges::all_of(
        set.records, [&set](wire::Bytes rdata) { return wire::is_well_formed(set.type, rdata); });
  });
}

bool is_sound(const Value& value) noexcept {
  return is_sound(value.answer) && is_sound(value.authority) && is_sound(value.additional);
}

}  // namespace

struct Cache::Impl {
  explicit Impl(const Options& given)
      : options(given),
        shard_bits(static_cast<unsigned>(std::countr_zero(given.shards))),
        shards(std::make_unique<Shard[]>(given.shards)) {
    SISKIN_CHECK(std::has_single_bit(given.shards));
    for (unsigned i = 0; i < given.shards; ++i) {
      shards[i].open(given.hash_key, shard_bits, share(given.bytes_max), given.stale_max);
    }
  }

  /// Of one shard.
  std::size_t share(std::size_t bytes_max) const noexcept {
    return (bytes_max - std::min(sizeof(Impl), bytes_max)) / options.shards;
  }

  Shard& shard_of(std::uint64_t hash) const noexcept {
    return shards[hash >> 1 >> (63 - shard_bits)];
  }

  Key key(wire::Bytes name, wire::RRType type) const noexcept {
    return Key(options.hash_key, name, type);
  }

  /// Widened when the question has too many variants.
  void narrow(Key& key, Shard& shard, const Network& subnet) const {
    std::size_t variants = 0;
    {
      const auto lock = shard.read();
      variants = shard.variants(key);
    }
    const Network kept = widened(subnet, variants, options.variants_max);
    key.narrow(options.hash_key, shard_bits, SubnetField(kept));
  }

  static std::optional<Entry> use(Shard& shard, Key& key, const Network* subnet,
                                  std::uint32_t now) {
    if (subnet != nullptr) [[unlikely]] {
      if (const auto variant = shard.use_variant(key, *subnet, now)) return variant;
    }
    return shard.use(key, now);
  }

  std::optional<Value> copy(const wire::Name& name, wire::RRType type, Instant now,
                            const Network* subnet, bool may_be_stale) const;

  /// What expired after it may still be of use.
  std::uint32_t stale_since(std::uint32_t now) const noexcept {
    return now - std::min(now, options.stale_max);
  }

  template <class Count>
  Usage sum(Count count) const {
    Usage sum;
    sum.bytes = sizeof(Impl);
    for (unsigned i = 0; i < options.shards; ++i) {
      const auto lock = shards[i].write();
      const Usage one = count(shards[i]);
      sum.entries += one.entries;
      sum.bytes += one.bytes;
      sum.evictions += one.evictions;
    }
    return sum;
  }

  const Options options;
  const unsigned shard_bits;
  const std::unique_ptr<Shard[]> shards;
};

Cache::Cache(const Options& options) : impl_(std::make_unique<Impl>(options)) {}

Cache::~Cache() = default;

std::uint32_t Cache::clamp_ttl(Kind kind, std::uint32_t ttl) const noexcept {
  switch (kind) {
    case Kind::nodata:
    case Kind::nxdomain: return std::min(ttl, impl_->options.max_negative_ttl);
    case Kind::failure: return std::min(ttl, kFailureTtlMax);
    case Kind::positive:
    case Kind::delegation: break;
  }
  return std::min(std::max(ttl, impl_->options.min_ttl), impl_->options.max_ttl);
}

bool Cache::store(const wire::Name& name, wire::RRType type, const Value& value, Instant now,
                  const Network* subnet) {
  const std::uint32_t ttl = clamp_ttl(value.kind, value.ttl);
  if (!is_sound(value)) return false;
  // A name that is there again was not absent, and what may not be kept is what holds now.
  const bool says_it_exists = (value.kind == Kind::positive || value.kind == Kind::nodata) &&
                              value.security != Security::bogus;
  if (says_it_exists) refute(name, kNameSlot, now);
  if (ttl == 0) {
    if (!is_no_news(value.kind, value.security)) refute(name, type, now, subnet);
    return false;
  }
  if (subnet != nullptr && value.kind != Kind::positive) return false;
  const std::uint32_t second = whole_seconds(now);
  const std::uint32_t ahead_max = std::numeric_limits<std::uint32_t>::max() - second;
  Key key = impl_->key(name.wire(), type);
  Shard& shard = impl_->shard_of(key.hash());
  if (subnet != nullptr) impl_->narrow(key, shard, *subnet);
  shard.prefetch(key.hash());
  // Built before the lock is taken: only linking it in is done under the lock.
  Memory entry = build_entry(key, value, second + std::min(ttl, ahead_max));
  if (!entry) return false;
  const auto lock = shard.write();
  if (subnet != nullptr) return shard.put_variant(key, std::move(entry), second);
  return shard.put(key, std::move(entry), second);
}

void Cache::refute(const wire::Name& name, wire::RRType type, Instant now, const Network* subnet) {
  if (impl_->options.stale_max == 0) return;
  Key key = impl_->key(name.wire(), type);
  const std::uint32_t since = impl_->stale_since(whole_seconds(now));
  Shard& shard = impl_->shard_of(key.hash());
  const auto lock = shard.write();
  for (; subnet != nullptr && shard.use_variant(key, *subnet, since); key.widen())
    shard.remove(key);
  shard.remove(key);
}

std::optional<Value> Cache::Impl::copy(const wire::Name& name, wire::RRType type, Instant now,
                                       const Network* subnet, bool may_be_stale) const {
  Key own = key(name.wire(), type);
  const std::uint32_t second = whole_seconds(now);
  Shard& shard = shard_of(own.hash());
  const auto lock = shard.read();
  const std::optional<Entry> entry =
      use(shard, own, subnet, may_be_stale ? stale_since(second) : second);
  if (!entry) return std::nullopt;
  const bool is_stale = !entry->is_alive(second);
  if (is_stale && is_no_news(entry->kind(), entry->security())) return std::nullopt;
  Value value = take_apart(*entry, name, is_stale ? 0 : entry->expiry() - second);
  value.is_stale = is_stale;
  return value;
}

std::optional<Value> Cache::find(const wire::Name& name, wire::RRType type, Instant now,
                                 const Network* subnet) const {
  return impl_->copy(name, type, now, subnet, false);
}

std::optional<Value> Cache::find_stale(const wire::Name& name, wire::RRType type, Instant now,
                                       const Network* subnet) const {
  return impl_->copy(name, type, now, subnet, true);
}

Cache::Hint Cache::expect(wire::Bytes name, wire::RRType type) const noexcept {
  const Key key = impl_->key(name, type);
  impl_->shard_of(key.hash()).prefetch(key.hash());
  return {key.hash()};
}

void Cache::fetch(Hint hint) const noexcept {
  Shard& shard = impl_->shard_of(hint.hash);
  const auto lock = shard.read();
  shard.prefetch_entry(hint.hash);
}

Rendered Cache::render(wire::Bytes name, wire::RRType type, Instant now,
                       const RenderOptions& options, wire::MessageWriter& out) const {
  if (name.empty() || name.size() > wire::kNameSizeMax) return {};
  Key key = options.hint ? Key(options.hint->hash, name, type) : impl_->key(name, type);
  const std::uint32_t second = whole_seconds(now);
  Shard& shard = impl_->shard_of(key.hash());
  if (!options.hint) shard.prefetch(key.hash());  // on its way while the lock is taken
  const auto lock = shard.read();
  const std::optional<Entry> entry = Impl::use(shard, key, options.subnet, second);
  if (!entry) return {};
  if (options.must_be_checked && entry->security() == Security::unchecked &&
      entry->kind() != Kind::failure) {
    return {};
  }
  return render_entry(*entry, name, second, options, out);
}

bool Cache::remove(const wire::Name& name, wire::RRType type) {
  const Key key = impl_->key(name.wire(), type);
  Shard& shard = impl_->shard_of(key.hash());
  const auto lock = shard.write();
  const bool had_variants = shard.remove_variants(key);
  return shard.remove(key) || had_variants;
}

void Cache::clear() {
  for (unsigned i = 0; i < impl_->options.shards; ++i) {
    const auto lock = impl_->shards[i].write();
    impl_->shards[i].clear();
  }
}

void Cache::set_bytes_max(std::size_t bytes_max) {
  for (unsigned i = 0; i < impl_->options.shards; ++i) {
    for (bool is_done = false; !is_done;) {
      const auto lock = impl_->shards[i].write();
      is_done = impl_->shards[i].set_bytes_max(impl_->share(bytes_max));
    }
  }
}

std::size_t Cache::repack(std::size_t parts) {
  constexpr std::size_t kSlotsATurn = 16;
  std::size_t moved = 0;
  for (unsigned i = 0; i < impl_->options.shards; ++i) {
    Shard& shard = impl_->shards[i];
    std::size_t left = 0;
    {
      const auto lock = shard.read();
      left = shard.slots() / parts + 1;
    }
    for (; left > 0; left -= std::min(left, kSlotsATurn)) {
      const auto lock = shard.write();
      moved += shard.repack(std::min(left, kSlotsATurn));
    }
  }
  return moved;
}

Cache::Usage Cache::usage() const {
  return impl_->sum([](const Shard& shard) { return shard.usage(); });
}

Ledger Cache::ledger() const {
  Ledger sum;
  sum.index_bytes = sizeof(Impl);
  for (unsigned i = 0; i < impl_->options.shards; ++i) {
    const auto lock = impl_->shards[i].read();
    sum += impl_->shards[i].ledger();
  }
  return sum;
}

Cache::Usage Cache::recount() const {
  return impl_->sum([](const Shard& shard) { return shard.recount(); });
}

}  // namespace siskin::cache
