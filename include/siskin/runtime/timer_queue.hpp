/// Timers that a test can drive: an ordered queue of deadlines, run by whoever owns time.
#pragma once

#include <boost/intrusive/set.hpp>
#include <functional>
#include <optional>

#include "siskin/base/time.hpp"

namespace siskin::runtime {

class TimerQueue;

/// One deadline with one callback.  Belongs to one core; disarms itself when destroyed.
class Timer : public boost::intrusive::set_base_hook<> {
 public:
  Timer(TimerQueue& queue, std::function<void()> on_expiry)
      : queue_(queue), on_expiry_(std::move(on_expiry)) {}
  ~Timer() { disarm(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Arms or moves the deadline.
  void arm(Instant deadline);
  void disarm() noexcept;
  bool is_armed() const noexcept { return is_linked(); }
  Instant deadline() const noexcept { return deadline_; }

  friend bool operator<(const Timer& a, const Timer& b) noexcept {
    return a.deadline_ < b.deadline_;
  }

 private:
  friend class TimerQueue;
  TimerQueue& queue_;
  std::function<void()> on_expiry_;
  Instant deadline_{};
};

/// All timers of one core.  A driver (net::TimerDriver, or the simulator) calls run_expired() and
/// asks next(); `on_earlier` tells it when a timer became the first one.
class TimerQueue {
 public:
  TimerQueue() = default;
  ~TimerQueue();
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  std::optional<Instant> next() const noexcept;
  /// Runs each timer whose deadline is at or before `now`, in order of deadline.  Callbacks may
  /// arm, disarm and destroy timers; one armed for `now` by a callback runs in the next call.
  void run_expired(Instant now);
  void set_on_earlier(std::function<void()> callback) { on_earlier_ = std::move(callback); }

 private:
  friend class Timer;
  boost::intrusive::multiset<Timer> timers_;
  std::function<void()> on_earlier_;
};

}  // namespace siskin::runtime
