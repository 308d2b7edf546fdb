#include "siskin/net/timer_driver.hpp"

#include "loopback.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using net::TimerDriver;
using runtime::Timer;
using namespace std::chrono_literals;

namespace {

/// A loop on the real clock.
struct RealLoop {
  boost::asio::io_context io{1};
  runtime::SystemClock clock;
  runtime::TimerQueue timers;
};

}  // namespace

TEST_CASE("net/timer_driver: timers run in real time, one after the other", "[net]") {
  RealLoop loop;
  TimerDriver driver(loop.io, loop.clock, loop.timers);
  std::string log;
  Timer b(loop.timers, [&] {
    log += 'b';
    driver.stop();
  });
  Timer a(loop.timers, [&] { log += 'a'; });
  const Instant start = loop.clock.now();
  b.arm(start + 20ms);
  a.arm(start + 5ms);
  loop.io.run();
  CHECK(log == "ab");
  CHECK(loop.clock.now() >= start + 20ms);
}

TEST_CASE("net/timer_driver: a timer armed by a timer runs too, and the loop ends without any",
          "[net]") {
  RealLoop loop;
  TimerDriver driver(loop.io, loop.clock, loop.timers);
  int runs = 0;
  Timer again(loop.timers, [&] {
    if (++runs < 5) again.arm(loop.clock.now());
  });
  again.arm(loop.clock.now());
  loop.io.run();
  CHECK(runs == 5);
}

TEST_CASE("net/timer_driver: timers that were armed before it run", "[net]") {
  RealLoop loop;
  int runs = 0;
  Timer timer(loop.timers, [&] { ++runs; });
  timer.arm(loop.clock.now() + 1ms);
  TimerDriver driver(loop.io, loop.clock, loop.timers);
  loop.io.run();
  CHECK(runs == 1);
}

TEST_CASE("net/timer_driver: a clock that stands still does not make the loop spin", "[net]") {
  Loop loop;
  TimerDriver driver(loop.io, loop.clock, loop.timers);
  int runs = 0;
  Timer timer(loop.timers, [&] { ++runs; });
  timer.arm(loop.clock.now() + 1us);
  const auto wakes = loop.io.run_for(50ms);
  CHECK(wakes <= 60);
  CHECK(runs == 0);
  loop.clock.set(loop.clock.now() - 8h);
  loop.io.restart();
  CHECK(loop.io.run_for(50ms) <= 60);
  loop.clock.set(loop.clock.now() + 16h);
  loop.run_until([&] { return runs == 1; });
  loop.io.restart();
  loop.io.run();
}

TEST_CASE("net/timer_driver: deadlines at the end of time are harmless", "[net]") {
  RealLoop loop;
  TimerDriver driver(loop.io, loop.clock, loop.timers);
  Timer never(loop.timers, [] {});
  never.arm(Instant::max());
  CHECK(loop.io.run_for(5ms) == 0);
}

TEST_CASE("net/timer_driver: it may end while its wake-up is pending", "[net]") {
  RealLoop loop;
  Timer timer(loop.timers, [] {});
  {
    TimerDriver driver(loop.io, loop.clock, loop.timers);
    timer.arm(loop.clock.now() + 1h);
  }
  timer.arm(loop.clock.now() + 1ms);
  loop.io.run();
  CHECK(timer.is_armed());
}
