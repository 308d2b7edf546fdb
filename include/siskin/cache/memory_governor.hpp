/// Keeps the process at its memory limit by deciding what the cache may hold.
///
/// What the rest of the process takes cannot be known beforehand: connections, queries in work,
/// what the allocator cannot fill.  So the cache begins with less than it may have, and when it is
/// full gets more, a part of what is left at a time, until the process is where it should be; above
/// that it has to give back.  Entries are spread over all pages, so that giving back frees memory
/// for new entries at once but whole pages only slowly: the steps up are small therefore.
#pragma once

#include <cstdint>

namespace siskin::cache {

/// A pure decision, to be asked once a second.
class MemoryGovernor {
 public:
  struct Reading {
    std::uint64_t resident = 0;     ///< octets of the process in RAM
    std::uint64_t cache_bytes = 0;  ///< what the cache holds
    std::uint64_t cache_max = 0;    ///< what it may hold
  };

  /// `limit`: octets for the whole process.
  explicit MemoryGovernor(std::uint64_t limit) noexcept : limit_(limit) {}

  /// What the cache may hold at first; `resident`: the process before it holds anything.
  /// `reserve`: what queries in work are expected to take.
  std::uint64_t initial(std::uint64_t resident, std::uint64_t reserve) const noexcept;
  /// What it may hold from now on.
  std::uint64_t next(const Reading& reading) const noexcept;
  /// Whether the process is where it has to give back.
  bool is_over(std::uint64_t resident) const noexcept { return resident > target(); }

 private:
  std::uint64_t target() const noexcept { return limit_ - limit_ / 50; }
  std::uint64_t least() const noexcept { return limit_ / 4; }

  std::uint64_t limit_;
};

}  // namespace siskin::cache
