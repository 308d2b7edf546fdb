#include "siskin/cache/memory_keeper.hpp"

#include "siskin/cache/process_memory.hpp"

namespace siskin::cache {
namespace {

/// A pass over all entries takes so many seconds: at a million entries some 20 ms of each.  When
/// there is too much already, it has to go faster.
constexpr std::size_t kPassSeconds = 16;
constexpr std::size_t kHurriedPassSeconds = 3;

/// One in so many octets unused in the allocator's pages is what its size classes cost anyway.
constexpr std::uint64_t kLoose = 12;

bool is_loose() noexcept {
  const auto figures = allocator_figures();
  return figures && figures->active - figures->allocated > figures->allocated / kLoose;
}

}  // namespace

void MemoryKeeper::look() {
  const bool is_over = governor_.is_over(resident_bytes());
  if (is_loose()) moved_ += cache_.repack(is_over ? kHurriedPassSeconds : kPassSeconds);
  if (is_over) release_unused_memory();
  const std::uint64_t next = governor_.next({resident_bytes(), cache_.usage().bytes, cache_max_});
  if (next == cache_max_) return;
  cache_max_ = next;
  cache_.set_bytes_max(cache_max_);
}

}  // namespace siskin::cache
