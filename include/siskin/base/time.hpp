/// The two times, kept apart by type: Instant (monotonic; TTLs, timeouts) and WallTime
/// (signatures).
#pragma once

#include <chrono>
#include <cstdint>

namespace siskin {

using Duration = std::chrono::nanoseconds;

/// Names the monotonic time line; has no now(): clocks are handed in (runtime/clock.hpp).
struct MonotonicLine {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MonotonicLine>;
  static constexpr bool is_steady = true;
};

/// A point on the monotonic line, which begins at an arbitrary time and never jumps.
using Instant = MonotonicLine::time_point;

/// Seconds since 1970-01-01 UTC as the operating system believes them; may jump.
using WallTime = std::chrono::sys_seconds;

/// Whole seconds of an Instant since the line's beginning, rounded down: the cache's unit of time.
constexpr std::uint32_t whole_seconds(Instant t) noexcept {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count());
}

}  // namespace siskin
