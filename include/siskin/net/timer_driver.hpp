/// Runs a core's timers in real time.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// Wakes the loop when the first timer of `queue` is due by `clock`, but not before a millisecond
/// and not after a second: a clock that stands still or jumps back costs a thousand wake-ups a
/// second, never a spin, and one that jumps ahead is noticed within a second.
/// Threads:  one core.
/// Lifetime: `clock` and `queue` outlive it; it takes the queue's on_earlier callback.
class TimerDriver {
 public:
  TimerDriver(boost::asio::io_context& io, const runtime::Clock& clock, runtime::TimerQueue& queue);
  ~TimerDriver();
  TimerDriver(const TimerDriver&) = delete;
  TimerDriver& operator=(const TimerDriver&) = delete;

  /// Wakes no more; the loop can run out of work.
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace siskin::net
