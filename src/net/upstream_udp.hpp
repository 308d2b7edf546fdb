/// Asking servers over UDP.
#pragma once

#include <array>
#include <vector>

#include "net/upstream_common.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// Each exchange has a socket of its own, bound to a port drawn at random and connected to the
/// server.
/// Threads:  one core.
/// Lifetime: what the constructor is given outlives every exchange.
class UdpUpstream {
 public:
  UdpUpstream(runtime::TimerQueue& timers, runtime::Random& random, SocketPoller& poller,
              std::vector<std::uint16_t> excluded_ports)
      : timers_(timers),
        random_(random),
        poller_(poller),
        excluded_ports_(std::move(excluded_ports)) {}

  /// As Upstream::exchange().
  runtime::Task<UpstreamReply> exchange(Endpoint server, std::span<const std::uint8_t> query,
                                        runtime::ReplyFilter& filter, Instant deadline,
                                        runtime::Recall& recall);

 private:
  /// More than any size we offer by EDNS.
  static constexpr std::size_t kDatagramMax = 4096;

  Result<Fd> open(const Endpoint& server);
  Result<void> bind_random_port(int fd, Family family);
  std::uint16_t random_port() noexcept;
  std::optional<UpstreamReply> receive(int fd, runtime::ReplyFilter& filter, int& ignored);

  runtime::TimerQueue& timers_;
  runtime::Random& random_;
  SocketPoller& poller_;
  std::vector<std::uint16_t> excluded_ports_;
  std::array<std::uint8_t, kDatagramMax> buffer_{};  ///< every exchange's, between two waits
};

}  // namespace siskin::net
