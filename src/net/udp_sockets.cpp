#include "net/udp_sockets.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "net/upstream_common.hpp"

namespace siskin::net {
namespace {

constexpr std::uint32_t kPortMin = 1024;
constexpr std::uint32_t kPortCount = 65536 - kPortMin;
constexpr int kBindAttempts = 8;
constexpr std::array<std::uint8_t, 16> kAnyV6{};

}  // namespace

UdpSockets::UdpSockets(const runtime::Clock& clock, runtime::TimerQueue& timers,
                       runtime::Random& random, SocketPoller& poller, Options options)
    : clock_(clock),
      timers_(timers),
      random_(random),
      poller_(poller),
      options_(std::move(options)),
      sweeper_(timers, [this] { sweep(); }) {}

std::unique_ptr<UdpSocket> UdpSockets::kept_for(const Endpoint& server, Instant deadline) {
  if (kept_count_ == 0) return nullptr;
  const auto found = kept_.find(server);
  if (found == kept_.end()) return nullptr;
  Sockets& sockets = found->second;
  while (!sockets.empty()) {
    std::unique_ptr<UdpSocket> socket = std::move(sockets.back());
    sockets.pop_back();
    --kept_count_;
    if (!socket->watch.is_quiet() || is_worn(*socket)) continue;
    socket->watch.restart(deadline);
    return socket;
  }
  return nullptr;
}

Result<std::unique_ptr<UdpSocket>> UdpSockets::open(const Endpoint& server, Instant deadline) {
  if (poller_.is_full()) clear();
  auto fd = open_socket(server);
  if (!fd) return fd.error();
  auto socket = std::make_unique<UdpSocket>(timers_, std::move(*fd));
  socket->server = server;
  socket->opened = clock_.now();
  if (auto started = socket->watch.start(poller_, Interest::reading, deadline); !started) {
    return started.error();
  }
  return socket;
}

void UdpSockets::give_back(std::unique_ptr<UdpSocket> socket) {
  socket->watch.rest();
  if (kept_count_ >= kKeptMax || is_worn(*socket) || !socket->watch.is_quiet()) return;
  if (!sweeper_.is_armed()) sweeper_.arm(clock_.now() + kLife);
  ++kept_count_;
  kept_[socket->server].push_back(std::move(socket));
}

void UdpSockets::clear() {
  kept_.clear();
  kept_count_ = 0;
  sweeper_.disarm();
}

bool UdpSockets::is_worn(const UdpSocket& socket) const {
  return socket.queries >= options_.queries_max || clock_.now() - socket.opened >= kLife;
}

/// So what nobody asks for again is closed at the age of twice kLife at the latest.
void UdpSockets::sweep() {
  for (auto at = kept_.begin(); at != kept_.end();) {
    kept_count_ -= std::erase_if(at->second, [this](const auto& s) { return is_worn(*s); });
    at = at->second.empty() ? kept_.erase(at) : std::next(at);
  }
  if (kept_count_ > 0) sweeper_.arm(clock_.now() + kLife);
}

Result<Fd> UdpSockets::open_socket(const Endpoint& server) {
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

Result<void> UdpSockets::bind_random_port(int fd, Family family) {
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

std::uint16_t UdpSockets::random_port() noexcept {
  const auto& excluded = options_.excluded_ports;
  for (;;) {
    const auto port = static_cast<std::uint16_t>(kPortMin + random_.below(kPortCount));
    if (std::ranges::find(excluded, port) == excluded.end()) return port;
  }
}

}  // namespace siskin::net
