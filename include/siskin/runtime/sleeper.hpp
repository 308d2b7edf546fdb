/// A coroutine's pause until an instant, or until somebody wakes it.
#pragma once

#include <optional>

#include "siskin/runtime/task.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::runtime {

/// Threads: one core.  At most one coroutine sleeps at a time; it lives as long as the sleeper.
class Sleeper {
 public:
  explicit Sleeper(TimerQueue& timers) : alarm_(timers, [this] { wake(); }) {}

  Task<void> until(Instant instant) {
    pause_.emplace();
    alarm_.arm(instant);
    co_await pause_->wait();
    pause_.reset();
  }

  /// Resumes whoever sleeps before it returns.
  void wake() {
    alarm_.disarm();
    if (pause_) pause_->complete(true);
  }

 private:
  Timer alarm_;
  std::optional<OneShot<bool>> pause_;
};

}  // namespace siskin::runtime
