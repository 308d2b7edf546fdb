/// Something asked of another thread, waited for by a coroutine here.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "siskin/runtime/task.hpp"

namespace siskin::app {

/// One at a time.  Threads: that of `io`, but for the call that hands the answer over.
/// Lifetime: io outlives the errand and whoever answers.
template <class T>
class Errand {
 public:
  using Answer = std::function<void(T)>;  ///< to be called once, on any thread

  explicit Errand(boost::asio::io_context& io) : io_(io) {}

  /// `ask` is called at once with where the answer goes.
  runtime::Task<T> run(std::function<void(Answer)> ask) {
    const auto answer = std::make_shared<runtime::OneShot<T>>();
    pending_ = answer;
    ask([&io = io_, answer](T value) {
      boost::asio::post(
          io, [answer, value = std::move(value)]() mutable { answer->complete(std::move(value)); });
    });
    co_return co_await answer->wait();
  }

  /// Whoever waits has a T{} at once; what comes later is not heard.
  void give_up() {
    if (const auto pending = std::exchange(pending_, nullptr)) pending->complete(T{});
  }

 private:
  boost::asio::io_context& io_;
  std::shared_ptr<runtime::OneShot<T>> pending_;
};

}  // namespace siskin::app
