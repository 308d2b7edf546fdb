/// Timers that a test can drive: an ordered queue of deadlines, run by whoever owns time.
#pragma once

#include <boost/intrusive/set.hpp>
#include <functional>
#include <optional>
#include <utility>

#include "siskin/base/time.hpp"

namespace siskin::runtime {

class TimerQueue;

/// One deadline with one callback.  Belongs to one core; disarms itself when destroyed.  Its
/// callback may arm, disarm or destroy it.
class Timer : public boost::intrusive::set_base_hook<> {
 public:
  Timer(TimerQueue& queue, std::function<void()> on_expiry)
      : queue_(queue), on_expiry_(std::move(on_expiry)) {}
  ~Timer();
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
  bool due_ = false;           ///< linked in the queue's due_ rather than in timers_
  bool* destroyed_ = nullptr;  ///< set while the callback runs: tells run_expired() of our end
};

/// All timers of one core.  A driver (net::TimerDriver, or the simulator) calls run_expired() and
/// asks next(); `on_earlier` tells it when a timer became the first one.
/// Lifetime: timers may outlive it; they are disarmed by its end and stay so.
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
  /// `callback` is called by arm() when its timer became the first; it may not arm or disarm.
  void set_on_earlier(std::function<void()> callback) { on_earlier_ = std::move(callback); }

 private:
  friend class Timer;
  boost::intrusive::multiset<Timer> timers_;
  boost::intrusive::multiset<Timer> due_;  ///< expired ones that run_expired() has yet to call
  std::function<void()> on_earlier_;
};

}  // namespace siskin::runtime
