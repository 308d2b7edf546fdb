#include "siskin/runtime/timer_queue.hpp"

#include <algorithm>

namespace siskin::runtime {

Timer::~Timer() {
  disarm();
  if (destroyed_ != nullptr) *destroyed_ = true;
}

void Timer::arm(Instant deadline) {
  disarm();
  deadline_ = deadline;
  const auto place = queue_.timers_.insert(*this);
  if (place == queue_.timers_.begin() && queue_.on_earlier_) queue_.on_earlier_();
}

void Timer::disarm() noexcept {
  if (!is_linked()) return;
  auto& home = due_ ? queue_.due_ : queue_.timers_;
  home.erase(home.iterator_to(*this));
  due_ = false;
}

TimerQueue::~TimerQueue() {
  due_.clear();
  timers_.clear();
}

std::optional<Instant> TimerQueue::next() const noexcept {
  std::optional<Instant> first;
  if (!timers_.empty()) first = timers_.begin()->deadline();
  if (!due_.empty()) first = std::min(first.value_or(Instant::max()), due_.begin()->deadline());
  return first;
}

void TimerQueue::run_expired(Instant now) {
  // Expired timers move aside first: what callbacks arm lands in timers_ and waits its turn, and
  // what they disarm or destroy leaves due_ by itself.
  while (!timers_.empty() && timers_.begin()->deadline_ <= now) {
    Timer& timer = *timers_.begin();
    timers_.erase(timers_.begin());
    timer.due_ = true;
    due_.insert(due_.end(), timer);
  }
  while (!due_.empty()) {
    Timer& timer = *due_.begin();
    timer.disarm();
    // The callback runs from here, not from inside a timer that it may destroy.
    std::function<void()> callback = std::move(timer.on_expiry_);
    bool destroyed = false;
    timer.destroyed_ = &destroyed;
    callback();
    if (destroyed) continue;
    timer.destroyed_ = nullptr;
    timer.on_expiry_ = std::move(callback);
  }
}

}  // namespace siskin::runtime
