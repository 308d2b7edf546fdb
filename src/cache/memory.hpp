/// Where the cache's memory comes from, and what a piece of it really costs.
/// One build uses one allocator: with jemalloc linked in, malloc and malloc_usable_size are its.
#pragma once

#include <malloc.h>

#include <cstdlib>
#include <memory>

#include "siskin/base/check.hpp"

namespace siskin::cache {

struct Free {
  void operator()(void* memory) const noexcept { std::free(memory); }
};

/// A piece of raw memory, aligned to 16 octets.
using Memory = std::unique_ptr<std::uint8_t, Free>;

/// Aborts when the system has no more: a resolver cannot go on without.  `bytes` ≥ 9, so that every
/// allocator aligns to 16, which the index needs (slot.hpp).  The last eight octets are always
/// whole, which costs nothing: size classes are multiples of 16.
inline Memory allocate(std::size_t bytes) {
  Memory memory(static_cast<std::uint8_t*>(std::malloc((bytes + 7) / 8 * 8)));
  SISKIN_CHECK(memory != nullptr);
  return memory;
}

/// What the allocator handed out for it: its size class, not what was asked for.
inline std::size_t charge_of(const void* memory) noexcept {
  return malloc_usable_size(const_cast<void*>(memory));
}

}  // namespace siskin::cache
