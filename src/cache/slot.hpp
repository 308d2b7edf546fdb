/// One slot of the index, eight octets; all zero means empty.
///
///   63                 51 50         46 45     44 43                                  0
///   [ hash: 13 bits      | due: 5      | rank: 2 | address of the entry / 16: 44 bits ]
///
///   hash   orders the slots of a page, tells most other keys apart without touching their
///          entries, and is all that growth needs to move a slot
///   due    when to look whether the entry has expired: a second of the expiry's epoch (32 s each),
///          modulo 32.  Only a hint: what is served is decided by the entry's own expiry
///   rank   0: a newcomer, not asked for since it came; 1 to 3: settled, rises with each use and
///   falls
///          as the sweep comes by (shard.hpp)
///   address 48 bits are what user space has on x86-64 and arm64; allocations lie on multiples of
///   16
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "cache/entry.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache {

/// Threads: uses by several threads may meet each other and reads; every other change is alone.
class Slot {
 public:
  static constexpr unsigned kHashBits = 13;
  static constexpr unsigned kRankMax = 3;
  static constexpr std::uint32_t kEpochSeconds = 32;

  constexpr Slot() noexcept = default;
  /// A newcomer; `hash` has kHashBits bits.
  Slot(std::uint32_t hash, const std::uint8_t* entry) noexcept
      : bits_(std::uint64_t{hash} << kHashShift | std::bit_cast<std::uint64_t>(entry) >> 4) {
    SISKIN_CHECK(this->entry().at() == entry);
  }

  bool is_empty() const noexcept { return bits() == 0; }
  std::uint32_t hash() const noexcept { return static_cast<std::uint32_t>(bits() >> kHashShift); }
  Entry entry() const noexcept {
    return Entry(std::bit_cast<const std::uint8_t*>((bits() & kAddressMask) << 4));
  }

  void set_entry(const std::uint8_t* entry) noexcept {
    bits_ = (bits_ & ~kAddressMask) | std::bit_cast<std::uint64_t>(entry) >> 4;
    SISKIN_CHECK(this->entry().at() == entry);
  }

  unsigned rank() const noexcept { return rank_of(bits()); }
  bool is_newcomer() const noexcept { return rank() == 0; }
  void set_rank(unsigned rank) noexcept {
    bits_ = (bits_ & ~(std::uint64_t{kRankMax} << kRankShift)) | std::uint64_t{rank} << kRankShift;
  }

  /// Raises the rank; true when that made a newcomer settle.  Of two uses that meet one counts.
  bool use() noexcept {
    std::uint64_t seen = bits();
    const unsigned rank = rank_of(seen);
    if (rank == kRankMax) return false;
    const std::uint64_t raised = seen + (std::uint64_t{1} << kRankShift);
    return std::atomic_ref(bits_).compare_exchange_strong(seen, raised,
                                                          std::memory_order_relaxed) &&
           rank == 0;
  }

  /// Asks to be looked at once `expiry` has passed.  What lies further ahead than half a turn of
  /// the epochs is looked at earlier, found alive, and stamped anew.
  void set_due(std::uint32_t expiry, std::uint32_t now) noexcept {
    const std::uint64_t last = now / kEpochSeconds + kEpochs / 2 - 1;
    const std::uint64_t first_dead = (std::uint64_t{expiry} + kEpochSeconds - 1) / kEpochSeconds;
    const std::uint64_t epoch = std::min(first_dead, last) % kEpochs;
    bits_ = (bits_ & ~((kEpochs - 1) << kDueShift)) | epoch << kDueShift;
  }
  /// Due, or overdue by less than half a turn; of an empty slot it says nothing.
  bool is_due(std::uint32_t now) const noexcept {
    const std::uint64_t ahead = (bits_ >> kDueShift) - (now / kEpochSeconds + 1);
    return (ahead & kEpochs / 2) != 0;
  }

 private:
  static constexpr unsigned kHashShift = 64 - kHashBits;
  static constexpr unsigned kDueShift = 46;
  static constexpr unsigned kRankShift = 44;
  static constexpr std::uint64_t kEpochs = 32;
  static constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kRankShift) - 1;

  static constexpr unsigned rank_of(std::uint64_t bits) noexcept {
    return static_cast<unsigned>(bits >> kRankShift & kRankMax);
  }
  /// atomic_ref wants a mutable object even for a load.
  std::uint64_t bits() const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(bits_)).load(std::memory_order_relaxed);
  }

  std::uint64_t bits_ = 0;
};

static_assert(sizeof(Slot) == 8);

}  // namespace siskin::cache
