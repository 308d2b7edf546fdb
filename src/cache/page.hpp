/// A page of the index: a small open-addressing table whose slots are kept in the order of their
/// hashes.  The index is many pages, so growth is one page at a time and never takes long.
///
///   slots_:  [ 0 .. homes )               each hash has its home here: hash * homes / 2^13
///            [ homes .. capacity_ - 1 )   run-over of the last homes
///            [ capacity_ - 1 ]            always empty: ends every walk
///
/// Invariants, for used slots i < j:
///   hash(i) ≤ hash(j);   home(hash(i)) ≤ i;   no slot between home(hash(i)) and i is empty
/// So a walk from a key's home ends at the first empty slot or greater hash, removal leaves no
/// tombstone, and growth is one ordered copy that never touches an entry.
///
/// A grown page is the allocator's next size class (4 a doubling), and at most 9/10 of its homes
/// are used: 7 to 9 of 10 slots hold an entry.
#pragma once

#include <cstdint>

#include "cache/memory.hpp"
#include "cache/slot.hpp"

namespace siskin::cache {

/// Not thread-safe but for prefetch(), and uses of its slots beside reads; the shard's lock guards
/// it.  Does not own the entries.
class Page {
 public:
  struct Place {
    std::uint32_t at = 0;  ///< of the key, or where it belongs
    bool is_found = false;
  };

  Page() noexcept = default;
  ~Page() { std::free(slots_); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// `hash`: the key's, kHashBits bits.
  Place find(std::uint32_t hash, const Key& key) const noexcept;

  Slot& operator[](std::uint32_t at) noexcept { return slots_[at]; }
  const Slot& operator[](std::uint32_t at) const noexcept { return slots_[at]; }

  /// False: one more would fill it too much; resize first.
  bool has_room() const noexcept { return (used_ + 1U) * 10 <= homes() * 9; }
  /// Puts `slot` where find() said.  False, and nothing done: the run-over is full; resize.
  [[nodiscard]] bool insert(std::uint32_t at, Slot slot) noexcept;
  void erase(std::uint32_t at) noexcept;

  /// Sizes in octets of the next bigger page, and of one that has enough room for what is there.
  std::size_t grown_bytes() const noexcept;
  std::size_t fitting_bytes() const noexcept;
  bool is_sparse() const noexcept { return capacity_ > kSlotsMin && used_ * 3U < homes(); }
  /// Moves to `bytes` of memory.  False, and nothing done: too few, which only a smaller page is.
  bool resize(std::size_t bytes);
  /// Back to no slots at all.
  void reset() noexcept { replace(nullptr, 0); }

  std::uint32_t capacity() const noexcept { return capacity_; }
  std::uint32_t used() const noexcept { return used_; }
  std::size_t charge() const noexcept { return charge_of(slots_); }
  /// Whether the invariants hold; for tests.
  bool is_valid() const noexcept;

  /// Fetches the memory in which find() will look.  A hint that needs no lock: when the page moves
  /// meanwhile, the wrong memory is fetched and no harm done.
  void prefetch(std::uint32_t hash) const noexcept;
  /// Fetches the first entry in which find() will look.  Unlike prefetch(), it reads slots.
  void prefetch_entry(std::uint32_t hash) const noexcept;
  void prefetch_at(std::uint32_t at) const noexcept { __builtin_prefetch(slots_ + at); }

 private:
  static constexpr std::uint32_t kSlotsMin = 8;
  static constexpr std::size_t kSlotsMax = 0xffff;  ///< no key makes a page grow as far

  /// Slots behind the homes: enough that the run-over rarely asks for growth before the page is as
  /// full as it may be.  Never falls as the capacity grows: whatever fits into a page fits into a
  /// bigger one.
  static std::uint32_t homes_of(std::uint32_t capacity) noexcept {
    return capacity == 0 ? 0 : capacity - 4 - capacity / 32;
  }
  static std::uint32_t home(std::uint32_t hash, std::uint32_t homes) noexcept {
    return hash * homes >> Slot::kHashBits;
  }
  /// Where the slots of that hash begin, or would.  REQUIRES: capacity_ > 0.
  std::uint32_t first_of(std::uint32_t hash) const noexcept;
  std::uint32_t homes() const noexcept { return homes_of(capacity_); }
  void replace(Slot* slots, std::uint32_t capacity) noexcept;

  Slot* slots_ = nullptr;
  std::uint16_t capacity_ = 0;  ///< slots
  std::uint16_t used_ = 0;
};

static_assert(sizeof(Page) == 16, "the table of pages is to stay in the processor's caches");

}  // namespace siskin::cache
