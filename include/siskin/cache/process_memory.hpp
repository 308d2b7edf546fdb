/// What memory the process takes, as the kernel and the allocator tell it.
#pragma once

#include <cstdint>
#include <optional>

namespace siskin::cache {

/// Octets in RAM that belong to this process alone: RssAnon and RssShmem of /proc/self/status. Code
/// and libraries, which the kernel shares and can drop, are not in it.  0: not readable.
std::uint64_t resident_bytes() noexcept;

/// The allocator's own account, in octets.
struct AllocatorFigures {
  std::uint64_t allocated = 0;  ///< handed out, its rounding included
  std::uint64_t active = 0;     ///< pages that hold any of it
  std::uint64_t metadata = 0;   ///< its own bookkeeping
  std::uint64_t resident = 0;   ///< pages it keeps in RAM, unused ones included
};

/// Nothing when the process does not run on jemalloc, or on one built without statistics.
std::optional<AllocatorFigures> allocator_figures() noexcept;

/// From now on the allocator takes memory in huge pages (2 MiB) where the kernel has any.  A
/// look-up is a random access, and much of that is address translation: this takes up to a quarter
/// off it, for a few MiB that are resident before they are used.  Call once, before threads exist.
/// False: not on jemalloc.
bool prefer_huge_pages();

/// Moves an allocation to where less room around it lies unused, when it lies in a part of the
/// allocator's memory that is emptier than most: so that such parts become empty and can go back.
/// Returns the new place, the old one freed; null when it stays, or when the allocator is another
/// one than jemalloc.  Nobody else may use `memory` meanwhile.  About half a microsecond.
void* repack(void* memory) noexcept;

/// Gives back to the system what the allocator keeps for later.  Milliseconds of work.
void release_unused_memory() noexcept;

}  // namespace siskin::cache
