#include "net/upstream_common.hpp"

#include <cerrno>

namespace siskin::net {

using runtime::ReplyVerdict;

Result<Fd> open_upstream(const SocketPoller& poller, const Endpoint& server, int type) {
  if (poller.is_shut_down()) return Error{Errc::closed, {}};
  if (poller.is_full()) return Error{Errc::limit, "too many upstream sockets are open"};
  Fd fd(socket(family_of(server.address), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return socket_error(errno);
  return fd;
}

Result<Fd> connect_upstream(const SocketPoller& poller, const Endpoint& server) {
  auto fd = open_upstream(poller, server, SOCK_STREAM);
  if (!fd) return fd;
  SocketAddress address{};
  const socklen_t size = write_address(server, 0, address);
  if (connect(fd->get(), as_sockaddr(address), size) != 0 && errno != EINPROGRESS) {
    return socket_error(errno);
  }
  return fd;
}

Error error_of(Wake wake) {
  return {wake == Wake::deadline ? Errc::timeout : Errc::closed, {}};
}

std::optional<UpstreamReply> judge(std::span<const std::uint8_t> message,
                                   runtime::ReplyFilter& filter) {
  switch (filter.judge(message)) {
    case ReplyVerdict::take: return std::vector<std::uint8_t>(message.begin(), message.end());
    case ReplyVerdict::give_up: return Error{Errc::spoof_suspected, {}};
    case ReplyVerdict::ignore: break;
  }
  return std::nullopt;
}

}  // namespace siskin::net
