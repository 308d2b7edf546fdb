#include "net/upstream_udp.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace siskin::net {

using runtime::Recall;
using runtime::ReplyFilter;
using runtime::Task;

namespace {

constexpr std::uint32_t kPortMin = 1024;
constexpr std::uint32_t kPortCount = 65536 - kPortMin;
constexpr int kBindAttempts = 8;
constexpr std::array<std::uint8_t, 16> kAnyV6{};

}  // namespace

Task<UpstreamReply> UdpUpstream::exchange(Endpoint server, std::span<const std::uint8_t> query,
                                          ReplyFilter& filter, Instant deadline, Recall& recall) {
  auto socket = open(server);
  if (!socket) co_return socket.error();
  SocketWatch watch(timers_, std::move(*socket));
  if (auto started = watch.start(poller_, Interest::reading, deadline); !started) {
    co_return started.error();
  }
  const Recall::Listener listener(recall, [&watch] { watch.close(); });
  if (::send(watch.fd(), query.data(), query.size(), MSG_NOSIGNAL) < 0) {
    co_return socket_error(errno);
  }
  int ignored = 0;
  for (;;) {
    const Wake wake = co_await watch.wait();
    if (wake != Wake::ready) co_return error_of(wake);
    if (auto end = receive(watch.fd(), filter, ignored)) co_return std::move(*end);
  }
}

Result<Fd> UdpUpstream::open(const Endpoint& server) {
  auto fd = open_upstream(poller_, server, SOCK_DGRAM);
  if (!fd) return fd;
  ignore_path_mtu(fd->get(), server.address.family());
  if (auto bound = bind_random_port(fd->get(), server.address.family()); !bound) {
    return bound.error();
  }
  SocketAddress address{};
  const socklen_t size = write_address(server, 0, address);
  if (connect(fd->get(), as_sockaddr(address), size) != 0) return socket_error(errno);
  return fd;
}

Result<void> UdpUpstream::bind_random_port(int fd, Family family) {
  Endpoint local{family == Family::ipv4 ? IpAddress() : IpAddress::v6(kAnyV6), 0};
  for (int attempt = 0; attempt < kBindAttempts; ++attempt) {
    local.port = random_port();
    SocketAddress address{};
    const socklen_t size = write_address(local, 0, address);
    if (bind(fd, as_sockaddr(address), size) == 0) return {};
    if (errno != EADDRINUSE && errno != EACCES) return socket_error(errno);
  }
  return Error{Errc::limit, "no free port found for an upstream query"};
}

std::uint16_t UdpUpstream::random_port() noexcept {
  for (;;) {
    const auto port = static_cast<std::uint16_t>(kPortMin + random_.below(kPortCount));
    if (std::ranges::find(excluded_ports_, port) == excluded_ports_.end()) return port;
  }
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
