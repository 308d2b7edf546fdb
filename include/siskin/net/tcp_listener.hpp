/// Queries over TCP (RFC 7766).
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/base/time.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/query_handler.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// Limits of one connection.
struct TcpConnectionLimits {
  std::size_t in_flight_max = 100;         ///< unanswered queries; reading pauses there
  std::size_t unsent_bytes_max = 1 << 18;  ///< replies not taken yet; reading pauses there
  Duration idle_timeout = std::chrono::seconds(30);
  Duration message_timeout = std::chrono::seconds(5);  ///< first to last octet of one query
  Duration send_timeout = std::chrono::seconds(10);    ///< for the peer to take what is sent
};

struct TcpListenerOptions {
  Endpoint endpoint;                  ///< port 0: the kernel chooses (local_endpoint() tells)
  std::size_t connections_max = 150;  ///< at one more, the one that is idle longest is closed
  int backlog = 512;
  TcpConnectionLimits limits{};
};

/// One listening socket of one core, shared with the other cores' by SO_REUSEPORT, and its
/// connections.  Queries of a connection are answered as they finish, in any order; a client that
/// closes its sending side still gets its answers.  A message below 12 octets closes the
/// connection.
/// Threads:  one core.
/// Lifetime: clock, timers and handler outlive it; it outlives every ticket it gave to the handler.
class TcpListener {
 public:
  /// What it is handed, all of its core.
  struct Context {
    boost::asio::io_context& io;
    const runtime::Clock& clock;
    runtime::TimerQueue& timers;
    runtime::QueryHandler& handler;
  };

  /// Error: the socket cannot be bound; the text says why and what to do.
  static Result<std::unique_ptr<TcpListener>> open(const Context& context,
                                                   const TcpListenerOptions& options);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  const Endpoint& local_endpoint() const noexcept;
  std::size_t connections() const noexcept;

  /// Accepts no connections and reads no more queries; replies to those in work still leave, and
  /// each connection closes after its last one.
  void stop_receiving();
  /// Closes everything; replies that come later are quietly forgotten.
  void stop();

 private:
  class Impl;
  explicit TcpListener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace siskin::net
