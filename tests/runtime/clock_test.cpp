#include "siskin/runtime/clock.hpp"

#include <chrono>

#include "support/catch.hpp"

using namespace siskin;
using runtime::SystemClock;

TEST_CASE("runtime/clock: the monotonic clock never runs backwards", "[runtime]") {
  const SystemClock clock;
  Instant last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const Instant now = clock.now();
    CHECK(now >= last);
    last = now;
  }
  CHECK(last.time_since_epoch() > Duration::zero());
}

TEST_CASE("runtime/clock: the wall source follows the time of day", "[runtime]") {
  const SystemClock clock(SystemClock::Source::wall);
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  const auto now = clock.now().time_since_epoch();
  CHECK(now >= before);
  CHECK(now - before < std::chrono::hours(1));
}
