#include "siskin/net/timer_driver.hpp"

#include <algorithm>
#include <boost/asio/basic_waitable_timer.hpp>
#include <chrono>
#include <optional>
#include <utility>

namespace siskin::net {
namespace {

using SteadyClock = std::chrono::steady_clock;
using AsioTimer =
    boost::asio::basic_waitable_timer<SteadyClock, boost::asio::wait_traits<SteadyClock>,
                                      boost::asio::io_context::executor_type>;

// At most a second, so that a clock that jumped forward is noticed that soon; the bound also keeps
// far deadlines (Instant::max()) from overflowing the sum of times.
constexpr Duration kWaitMin = std::chrono::milliseconds(1);
constexpr Duration kWaitMax = std::chrono::seconds(1);

}  // namespace

class TimerDriver::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, const runtime::Clock& clock, runtime::TimerQueue& queue)
      : clock_(clock), queue_(queue), timer_(std::in_place, io) {}

  void start() {
    queue_.set_on_earlier([this] { schedule(); });
    schedule();
  }

  void stop() {
    if (!timer_) return;
    queue_.set_on_earlier(nullptr);
    timer_.reset();  // cancels, and unlike cancel() cannot throw
  }

 private:
  void schedule() {
    if (running_ || !timer_) return;
    const auto next = queue_.next();
    if (!next) return;
    // Compared in real time, not in the queue's: the handed-in clock may have jumped since.
    const auto until = *next - std::max(clock_.now(), *next - kWaitMax);
    const auto wake = SteadyClock::now() + std::clamp(until, kWaitMin, kWaitMax);
    if (waiting_ && timer_->expiry() <= wake) return;
    waiting_ = true;
    timer_->expires_at(wake);
    timer_->async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (!error) self->on_wake();
    });
  }

  void on_wake() {
    if (!timer_) return;
    waiting_ = false;
    running_ = true;
    queue_.run_expired(clock_.now());
    running_ = false;
    schedule();
  }

  const runtime::Clock& clock_;
  runtime::TimerQueue& queue_;
  std::optional<AsioTimer> timer_;  ///< none once stopped
  bool waiting_ = false;            ///< timer_ will wake us at its expiry
  bool running_ = false;  ///< inside run_expired(): what callbacks arm is looked at afterwards
};

TimerDriver::TimerDriver(boost::asio::io_context& io, const runtime::Clock& clock,
                         runtime::TimerQueue& queue)
    : impl_(std::make_shared<Impl>(io, clock, queue)) {
  impl_->start();
}

TimerDriver::~TimerDriver() {
  stop();
}

void TimerDriver::stop() {
  impl_->stop();
}

}  // namespace siskin::net
