/// Coroutines of one core, and the one primitive they wait on.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "siskin/base/check.hpp"

namespace siskin::runtime {

using Executor = boost::asio::io_context::executor_type;

template <class T>
using Task = boost::asio::awaitable<T, Executor>;

inline constexpr boost::asio::use_awaitable_t<Executor> use_task{};

/// For co_spawn(): failures are values here, so an exception is a bug, and terminate() prints its
/// text.
inline void crash_on_exception(const std::exception_ptr& exception) noexcept {
  if (exception) std::rethrow_exception(exception);
}

/// A value that arrives once and is waited for by at most one coroutine.
/// Threads: one core.  complete() resumes the waiter before it returns, so it must be the caller's
/// last act: the OneShot itself may be gone afterwards.  Only the first complete() counts.
/// Lifetime: lives until the waiter has resumed.
template <class T>
class OneShot {
 public:
  OneShot() = default;
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  bool is_complete() const noexcept { return completed_; }

  void complete(T value) {
    if (completed_) return;
    completed_ = true;
    if (!handler_) {
      value_.emplace(std::move(value));
      return;
    }
    Handler handler = std::move(*handler_);
    handler_.reset();
    std::move(handler)(std::move(value));
  }

  Task<T> wait() {
    if (value_) {
      T value = std::move(*value_);
      co_return value;
    }
    Start start{this};
    co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<Executor>,
                                                   void(T)>(start, use_task);
  }

 private:
  using Handler = typename boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                                     void(T)>::handler_type;

  struct Start {
    OneShot* self;
    void operator()(Handler handler) const {
      SISKIN_CHECK(!self->handler_);
      self->handler_.emplace(std::move(handler));
    }
  };

  bool completed_ = false;
  std::optional<T> value_;
  std::optional<Handler> handler_;
};

}  // namespace siskin::runtime
