/// Asking servers over UDP.
#pragma once

#include <array>

#include "net/udp_sockets.hpp"
#include "net/upstream_common.hpp"

namespace siskin::net {

/// One exchange at a time through each socket.
/// Threads:  one core.
/// Lifetime: the sockets outlive every exchange.
class UdpUpstream {
 public:
  explicit UdpUpstream(UdpSockets& sockets) : sockets_(sockets) {}

  /// As Upstream::exchange().
  runtime::Task<UpstreamReply> exchange(Endpoint server, std::span<const std::uint8_t> query,
                                        runtime::ReplyFilter& filter, Instant deadline,
                                        runtime::Recall& recall);

 private:
  /// More than any size we offer by EDNS.
  static constexpr std::size_t kDatagramMax = 4096;

  Result<std::unique_ptr<UdpSocket>> send(const Endpoint& server,
                                          std::span<const std::uint8_t> query, Instant deadline);
  std::optional<UpstreamReply> receive(int fd, runtime::ReplyFilter& filter, int& ignored);

  UdpSockets& sockets_;
  std::array<std::uint8_t, kDatagramMax> buffer_{};  ///< every exchange's, between two waits
};

}  // namespace siskin::net
