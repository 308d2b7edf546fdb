#include "siskin/runtime/clock.hpp"

#include <ctime>

namespace siskin::runtime {

Instant SystemClock::now() const noexcept {
  timespec t{};
  clock_gettime(source_ == Source::monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, &t);
  return Instant(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
}

std::int64_t SystemWallClock::seconds() const noexcept {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec;
}

}  // namespace siskin::runtime
