/// Time that passes only when nothing is left to do: the simulator's clock, timers and loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::sim {

class SimClock final : public runtime::Clock {
 public:
  Instant now() const noexcept override { return now_; }
  void set(Instant now) noexcept { now_ = now; }

 private:
  /// Not at zero, so that code which takes an empty Instant for a time is found out.
  Instant now_{std::chrono::seconds(10'000)};
};

/// One thread's world of time: `while (io.poll()); jump to the next timer;`.
class VirtualTime {
 public:
  boost::asio::io_context& io() noexcept { return io_; }
  SimClock& clock() noexcept { return clock_; }
  runtime::TimerQueue& timers() noexcept { return timers_; }

  Instant now() const noexcept { return clock_.now(); }
  /// Since the beginning of the simulation.
  Duration elapsed() const noexcept { return clock_.now() - start_; }

  /// Runs until `done()`, or until nothing is left that could happen; returns done().
  bool run_until(const std::function<bool()>& done);

  /// Runs everything that happens within `duration`, and ends there.
  void run_for(Duration duration);

  /// Runs until nothing is left, for at most `duration`; whether nothing is left.
  bool settle(Duration duration);

 private:
  void run_ready();
  bool jump(Instant until);

  SimClock clock_;
  Instant start_ = clock_.now();
  runtime::TimerQueue timers_;  ///< outlives the coroutines that io_ holds
  boost::asio::io_context io_{1};
};

}  // namespace siskin::sim
