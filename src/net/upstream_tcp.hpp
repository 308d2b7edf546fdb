/// Asking servers over TCP.
#pragma once

#include "net/frame_buffer.hpp"
#include "net/upstream_common.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// One connection for one message.
/// Threads:  one core.
/// Lifetime: what the constructor is given outlives every exchange.
class TcpUpstream {
 public:
  TcpUpstream(runtime::TimerQueue& timers, SocketPoller& poller)
      : timers_(timers), poller_(poller) {}

  /// As Upstream::exchange().
  runtime::Task<UpstreamReply> exchange(Endpoint server, std::span<const std::uint8_t> query,
                                        runtime::ReplyFilter& filter, Instant deadline,
                                        runtime::Recall& recall);

 private:
  Result<Fd> open(const Endpoint& server) const;

  runtime::TimerQueue& timers_;
  SocketPoller& poller_;
};

}  // namespace siskin::net
