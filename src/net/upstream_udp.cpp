#include "net/upstream_udp.hpp"

#include <cerrno>
#include <utility>

namespace siskin::net {

using runtime::Recall;
using runtime::ReplyFilter;
using runtime::Task;

namespace {

/// 0, or what the kernel says.
int send_to(UdpSocket& socket, std::span<const std::uint8_t> query) {
  ++socket.queries;
  return ::send(socket.watch.fd(), query.data(), query.size(), MSG_NOSIGNAL) < 0 ? errno : 0;
}

}  // namespace

Task<UpstreamReply> UdpUpstream::exchange(Endpoint server, std::span<const std::uint8_t> query,
                                          ReplyFilter& filter, Instant deadline, Recall& recall) {
  auto socket = send(server, query, deadline);
  if (!socket) co_return socket.error();
  SocketWatch& watch = (*socket)->watch;
  const Recall::Listener listener(recall, [&watch] { watch.close(); });
  int ignored = 0;
  for (;;) {
    const Wake wake = co_await watch.wait();
    if (wake != Wake::ready) co_return error_of(wake);
    auto end = receive(watch.fd(), filter, ignored);
    if (!end) continue;
    // After anything but an answer something may still be on its way.
    if (*end) sockets_.give_back(std::move(*socket));
    co_return std::move(*end);
  }
}

/// The error that a kept socket tells may be about what was sent before.
Result<std::unique_ptr<UdpSocket>> UdpUpstream::send(const Endpoint& server,
                                                     std::span<const std::uint8_t> query,
                                                     Instant deadline) {
  if (auto kept = sockets_.kept_for(server, deadline)) {
    if (send_to(*kept, query) == 0) return kept;
  }
  auto fresh = sockets_.open(server, deadline);
  if (!fresh) return fresh;
  if (const int error = send_to(**fresh, query)) return socket_error(error);
  return fresh;
}

/// Reads until an end of the exchange (returned) or EAGAIN.
std::optional<UpstreamReply> UdpUpstream::receive(int fd, ReplyFilter& filter, int& ignored) {
  for (;;) {
    const ssize_t got = recv(fd, buffer_.data(), kDatagramMax, MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::nullopt;
    if (got < 0) return socket_error(errno);
    const auto size = static_cast<std::size_t>(got);
    const bool is_whole = size <= kDatagramMax;
    if (is_whole) {
      if (auto end = judge(std::span(buffer_).first(size), filter)) return end;
    }
    if (++ignored >= kIgnoredMax) {
      return Error{Errc::spoof_suspected, "too many unusable datagrams"};
    }
  }
}

}  // namespace siskin::net
