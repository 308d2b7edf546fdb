/// Keeps the process at its memory limit: what there is to do about it once a second.
#pragma once

#include "siskin/cache/cache.hpp"
#include "siskin/cache/memory_governor.hpp"

namespace siskin::cache {

/// Threads: one; the cache it works on is shared.  The cache must outlive it.
class MemoryKeeper {
 public:
  /// `cache_bytes`: the cache's present bound.  `limit`: octets for the whole process.
  MemoryKeeper(Cache& cache, std::uint64_t cache_bytes, std::uint64_t limit) noexcept
      : cache_(cache), governor_(limit), cache_max_(cache_bytes), limit_(limit) {}

  /// Reads what the process takes.  Moves entries together when the allocator's pages are not well
  /// filled, gives back what is unused when there is too much, and sets the cache's bound.
  void look();

  std::uint64_t limit() const noexcept { return limit_; }
  std::uint64_t cache_max() const noexcept { return cache_max_; }
  std::uint64_t moved() const noexcept { return moved_; }  ///< entries so far

 private:
  Cache& cache_;
  MemoryGovernor governor_;
  std::uint64_t cache_max_;
  std::uint64_t limit_;
  std::uint64_t moved_ = 0;
};

}  // namespace siskin::cache
