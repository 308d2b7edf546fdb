/// Readiness of many short-lived sockets.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "net/socket.hpp"
#include "siskin/base/result.hpp"
#include "siskin/runtime/task.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

class SocketPoller;

enum class Wake : std::uint8_t {
  ready,     ///< try the operation again
  deadline,  ///< time is up, now and for every later wait
  closed,    ///< close() was called or the poller has shut down, likewise
};

/// What a wait is for.
enum class Interest : std::uint8_t { reading, reading_and_writing };

/// A socket that one coroutine at a time waits on, until a deadline.  Each new readiness wakes
/// once: go on until the kernel says EAGAIN before waiting again. Lifetime: outlives the wait; may
/// end at any other time.
class SocketWatch {
 public:
  SocketWatch(runtime::TimerQueue& timers, Fd fd);
  ~SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  int fd() const noexcept { return fd_.get(); }
  /// Error: limit, when the poller watches as many as it may; closed, when it has shut down.
  Result<void> start(SocketPoller& poller, Interest interest, Instant deadline);
  runtime::Task<Wake> wait();
  /// Stops the clock, until restart(); nobody waits meanwhile.
  void rest() noexcept { timer_.disarm(); }
  /// For another round of waits.  REQUIRES: is_quiet().
  void restart(Instant deadline) { timer_.arm(deadline); }
  /// Nothing has come since the last wait, and none of the ends.
  bool is_quiet() const noexcept { return !ready_ && !end_; }
  /// Ends the wait under way and all later ones; may resume the waiter before it returns.
  void close() { wake(Wake::closed); }

 private:
  friend class SocketPoller;
  void wake(Wake reason);

  Fd fd_;
  runtime::Timer timer_;
  SocketPoller* poller_ = nullptr;
  std::size_t slot_ = 0;
  bool ready_ = false;       ///< became ready while nobody waited
  std::optional<Wake> end_;  ///< deadline or closed
  std::optional<runtime::OneShot<Wake>> waiter_;
};

/// Watches sockets through an epoll set of its own, of which the loop sees one descriptor.  For a
/// socket that lives for one datagram this costs one system call (EPOLL_CTL_ADD; closing removes
/// it); as a descriptor of Asio it would cost two, and an allocation of its state.
/// An event names its watch by slot and generation, so that one for a watch that ended meanwhile
/// finds nobody.
/// Threads: one core.
class SocketPoller : public std::enable_shared_from_this<SocketPoller> {
 public:
  /// Throws std::system_error when the kernel has no descriptor left.
  SocketPoller(boost::asio::io_context& io, std::size_t watches_max);

  std::size_t watches() const noexcept { return watches_; }
  bool is_full() const noexcept { return watches_ >= watches_max_; }
  bool is_shut_down() const noexcept { return shut_down_; }
  /// Wakes every watch with Wake::closed and takes no more.
  void shutdown();

 private:
  friend class SocketWatch;
  struct Slot {
    SocketWatch* watch = nullptr;
    std::uint32_t generation = 0;
  };

  Result<void> add(SocketWatch& watch, Interest interest);
  void remove(const SocketWatch& watch) noexcept;
  SocketWatch* find(std::uint64_t name) const noexcept;
  void arm();
  void on_ready();
  bool dispatch();

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> epoll_;
  std::size_t watches_max_;
  std::size_t watches_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_slots_;
  bool armed_ = false;  ///< a wait on epoll_ is pending
  bool shut_down_ = false;
};

}  // namespace siskin::net
