/// A share of the cache with a lock and a budget of its own.
///
/// The 64 bits of a key's hash, from the top:  [ shard | page | 13 bits kept in the slot | unused
/// ].
///
/// Memory:    bytes_ = index_bytes_ + the charges of all entries ≤ bytes_max_, whenever the lock is
///            free; index_bytes_ = the shard itself, its table of pages, the pages' slots.
/// Eviction:  hands go round over the slots, page by page, and no entry has a link or a time stamp.
///   1. Dead first.  The expiry hand looks at a few slots on each store, and at more when room is
///      needed; it touches an entry only when its slot says that it may be due.  Where expired
///      answers are kept for bad times, they become newcomers in place of going at once.
///   2. Newcomers.  An entry comes with rank 0 and settles when it is asked for.  While newcomers
///      are more than an eighth, the next one has to go.  So names asked once pass through an
///      eighth of the cache and never push out what is asked again.
///   3. Settled.  Otherwise the sweep takes the first one of rank 1 and lowers by one the rank of
///      those it passes (second chance).
///   4. Ageing.  Every sixteenth time the sweep makes one step whatever the newcomers are, or else
///      a cache full of what was popular once would never let anything new settle.
///   Directories of variants are passed over: they go with their last variant.
/// docs/cache.md compares this with LRU and SIEVE.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "cache/page.hpp"
#include "cache/shard_lock.hpp"
#include "siskin/cache/cache.hpp"

namespace siskin::cache {

class alignas(64) Shard {
 public:
  Shard() = default;
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// Once, before anything else.  `skip_bits`: bits of the hash that chose the shard.  `stale_max`:
  /// seconds for which what has expired is kept.
  void open(HashKey hash_key, unsigned skip_bits, std::size_t bytes_max,
            std::uint32_t stale_max = 0);

  /// Fetches the slots where a key of that hash belongs; a hint, no lock needed.
  void prefetch(std::uint64_t hash) const noexcept;

  /// All others need a lock, and so does what they return; those here do with that for reading.
  ShardLock::Reading read() const noexcept { return lock_.read(); }
  ShardLock::Writing write() const noexcept { return lock_.write(); }

  /// Fetches the first entries that may be those of a key of that hash.
  void prefetch_entry(std::uint64_t hash) const noexcept;
  /// The entry under `key` that is alive at `now`, if any; counts as a use.  In the past: one that
  /// has not expired for longer than that.
  std::optional<Entry> use(const Key& key, std::uint32_t now) noexcept;
  /// The same for variants (shard_variants.cpp).  `key` is not narrowed when it comes, and is
  /// narrowed to what was found when something was.
  std::optional<Entry> use_variant(Key& key, const Network& subnet, std::uint32_t now) noexcept;
  std::size_t variants(Key key) noexcept;
  std::size_t slots() const noexcept;
  Cache::Usage usage() const noexcept { return {entries_, bytes_, evictions_}; }
  Ledger ledger() const noexcept;
  /// Counted anew from the slots and entries, each verified; aborts at the first that is wrong.
  /// For writing, since uses change what it counts.
  Cache::Usage recount() const;

  // The rest is for writers.

  /// Takes `entry` in, in place of what was there; false when that is better, or the shard is too
  /// small for it.
  bool put(const Key& key, Memory entry, std::uint32_t now);
  bool remove(const Key& key) noexcept;

  /// `key`: narrowed to the entry's subnet.
  bool put_variant(const Key& key, Memory entry, std::uint32_t now);
  bool remove_variants(const Key& key);

  void clear() noexcept;

  /// Looks at the next `slots` slots and moves entries to fuller memory; how many were moved.
  std::size_t repack(std::size_t slots);
  /// False: more has to go than is well done at once; call again.
  bool set_bytes_max(std::size_t bytes_max);

 private:
  /// A place in the ring of all slots; approximate, since slots move as entries come and go.
  struct Hand {
    std::size_t page = 0;
    std::uint32_t at = 0;
  };

  std::size_t page_index(std::uint64_t hash) const noexcept;
  Page& page_of(const Key& key) noexcept { return pages_[page_index(key.hash())]; }
  std::uint32_t slot_hash(std::uint64_t hash) const noexcept;
  Slot* find_slot(const Key& key, std::uint32_t now) noexcept;
  bool is_better(Entry old, Entry fresh, std::uint32_t now) const noexcept;
  bool link(Page& page, const Key& key, Slot slot, std::size_t charge, std::uint32_t now);

  Slot* slot_of(const Key& key) noexcept;
  Slot* directory_slot(Key key) noexcept;
  bool enter_variant(Key key, std::uint8_t code, std::uint32_t now);
  void leave_variant(Key key, std::uint8_t code);
  void exchange(Slot& slot, Memory entry) noexcept;
  Key key_of(Entry entry) const noexcept;
  /// Into the account, and out of it.
  void book(Entry entry, std::size_t charge) noexcept;
  void unbook(Entry entry, std::size_t charge) noexcept;

  bool make_room(std::size_t bytes, std::uint32_t now);
  bool expire(std::size_t slots, std::uint32_t now);
  bool evict(std::uint32_t now);
  bool evict_newcomer(std::uint32_t now);
  bool evict_settled(std::uint32_t now);
  /// One step of the sweep; whether that took an entry.
  bool age(std::uint32_t now);
  /// False, and the slot made young again, when it holds a directory.
  bool push_out(Page& page, std::uint32_t at, std::uint32_t now);
  /// What eviction has to choose from: all but directories.
  std::size_t evictable() const noexcept;
  /// Whether the entry at that place was dead, and is gone now.
  bool expire_at(Page& page, std::uint32_t at, std::uint32_t now);
  bool keep_stale(Slot& slot, std::uint32_t now);
  void next_page(Hand& hand) const noexcept;
  void prefetch_newcomer() const noexcept;

  /// Moves the page to other memory and keeps the account; as Page::resize.
  bool resize(Page& page, std::size_t bytes);
  /// Removes and frees; gives memory back when the page has become sparse.
  void drop(Page& page, std::uint32_t at);

  mutable ShardLock lock_;

  // Fixed after open().
  HashKey hash_key_;
  unsigned skip_bits_ = 0;
  unsigned page_bits_ = 0;
  std::uint32_t stale_max_ = 0;

  // Written by writers only.
  std::vector<Page> pages_;  ///< 2^page_bits_, once open
  std::size_t bytes_max_ = 0;
  std::size_t bytes_ = 0;
  std::size_t index_bytes_ = 0;
  std::size_t entries_ = 0;
  std::uint64_t evictions_ = 0;
  Ledger ledger_;  ///< but for index_bytes
  std::uint32_t until_ageing_ = 0;
  Hand expiry_;
  Hand newcomer_;
  Hand sweep_;
  Hand repack_;

  // Written by readers too.
  std::atomic<std::size_t> newcomers_ = 0;  ///< those of rank 0
};

}  // namespace siskin::cache
