/// Asking servers over the real network.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <vector>

#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/runtime/timer_queue.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::net {

struct UpstreamExchangeOptions {
  std::size_t sockets_max = 4096;             ///< open at once; one more exchange is Errc::limit
  std::vector<std::uint16_t> excluded_ports;  ///< never sent from: those we listen on
  /// UDP exchanges with one server through one socket, one after the other; 1: a socket each.
  unsigned queries_per_socket = 1;
};

/// UDP: a socket bound to a port drawn from 1024-65535 and connected to the server, so that the
/// kernel keeps other senders out; path-MTU news is ignored (fault A9).  It has one exchange at a
/// time, and serves the same server again within a second.
/// TCP: connections are kept for a few seconds and carry several queries at a time (RFC 7766).
/// Threads:  one core.
/// Lifetime: clock, timers and random outlive it.  An exchange ends, at the latest, in shutdown(),
/// which
///           resumes its waiter; whoever owns the waiters calls it while they can still run.
class UpstreamExchange final : public runtime::Upstream {
 public:
  /// Throws std::system_error when the kernel has no descriptor left.
  UpstreamExchange(boost::asio::io_context& io, const runtime::Clock& clock,
                   runtime::TimerQueue& timers, runtime::Random& random,
                   const UpstreamExchangeOptions& options = {});
  ~UpstreamExchange() override;

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) override;

  /// Kept ones among them.
  std::size_t sockets_open() const noexcept;

  /// Ends every exchange, those of the future included, with Errc::closed.
  void shutdown();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::net
