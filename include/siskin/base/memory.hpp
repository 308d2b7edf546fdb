/// What memory the process takes, as the kernel and the allocator tell it.
#pragma once

#include <cstdint>
#include <optional>

namespace siskin {

/// Octets of this process that lie in RAM, VmRSS of /proc/self/status; 0: not readable.
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

/// Gives back to the system what the allocator keeps for later.  Milliseconds of work.
void release_unused_memory() noexcept;

}  // namespace siskin
