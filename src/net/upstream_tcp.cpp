#include "net/upstream_tcp.hpp"

#include <cerrno>
#include <utility>

namespace siskin::net {

using runtime::Recall;
using runtime::ReplyFilter;
using runtime::Task;

namespace {

std::optional<UpstreamReply> send_some(int fd, std::vector<std::uint8_t>& unsent) {
  while (!unsent.empty()) {
    const ssize_t sent = ::send(fd, unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) break;
    if (sent < 0) return socket_error(errno);
    unsent.erase(unsent.begin(), unsent.begin() + sent);
  }
  return std::nullopt;
}

/// Reads until an end of the exchange (returned) or EAGAIN.
std::optional<UpstreamReply> receive_frames(int fd, FrameBuffer& in, ReplyFilter& filter,
                                            int& ignored) {
  for (;;) {
    const auto room = in.room();
    const ssize_t got = recv(fd, room.data(), room.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::nullopt;
    if (got < 0) return socket_error(errno);
    if (got == 0) return Error{Errc::closed, "the server closed without an answer"};
    in.added(static_cast<std::size_t>(got));
    while (const auto message = in.next()) {
      if (auto end = judge(*message, filter)) return end;
      if (++ignored >= kIgnoredMax) return Error{Errc::limit, "too many unusable messages"};
    }
  }
}

}  // namespace

Task<UpstreamReply> TcpUpstream::exchange(Endpoint server, std::span<const std::uint8_t> query,
                                          ReplyFilter& filter, Instant deadline, Recall& recall) {
  auto socket = open(server);
  if (!socket) co_return socket.error();
  SocketWatch watch(timers_, std::move(*socket));
  if (auto started = watch.start(poller_, Interest::reading_and_writing, deadline); !started) {
    co_return started.error();
  }
  const Recall::Listener listener(recall, [&watch] { watch.close(); });
  std::vector<std::uint8_t> unsent;
  append_frame(unsent, query);
  FrameBuffer in;
  int ignored = 0;
  for (;;) {
    // A connection that is not there yet says EAGAIN, one that failed says why.
    if (auto error = send_some(watch.fd(), unsent)) co_return std::move(*error);
    if (unsent.empty()) {
      if (auto end = receive_frames(watch.fd(), in, filter, ignored)) co_return std::move(*end);
    }
    const Wake wake = co_await watch.wait();
    if (wake != Wake::ready) co_return error_of(wake);
  }
}

Result<Fd> TcpUpstream::open(const Endpoint& server) const {
  auto fd = open_upstream(poller_, server, SOCK_STREAM);
  if (!fd) return fd;
  SocketAddress address{};
  const socklen_t size = write_address(server, 0, address);
  if (connect(fd->get(), as_sockaddr(address), size) != 0 && errno != EINPROGRESS) {
    return socket_error(errno);
  }
  return fd;
}

}  // namespace siskin::net
