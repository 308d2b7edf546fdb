/// Asking servers over the real network.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <vector>

#include "siskin/runtime/random.hpp"
#include "siskin/runtime/timer_queue.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::net {

struct UpstreamExchangeOptions {
  std::size_t sockets_max = 4096;             ///< open at once; one more exchange is Errc::limit
  std::vector<std::uint16_t> excluded_ports;  ///< never sent from: those we listen on
};

/// Each exchange has a socket of its own.  UDP: bound to a port drawn from 1024-65535 and connected
/// to the server, so that the kernel keeps other senders out; path-MTU news is ignored (fault A9).
/// TCP: one connection for one message.
/// Threads:  one core.
/// Lifetime: timers and random outlive it.  An exchange ends, at the latest, in shutdown(), which
///           resumes its waiter; whoever owns the waiters calls it while they can still run.
class UpstreamExchange final : public runtime::Upstream {
 public:
  /// Throws std::system_error when the kernel has no descriptor left.
  UpstreamExchange(boost::asio::io_context& io, runtime::TimerQueue& timers,
                   runtime::Random& random, const UpstreamExchangeOptions& options = {});
  ~UpstreamExchange() override;

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) override;

  std::size_t sockets_open() const noexcept;

  /// Ends every exchange, those of the future included, with Errc::closed.
  void shutdown();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::net
