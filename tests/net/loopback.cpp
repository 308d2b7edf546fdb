#include "loopback.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "support/catch.hpp"

namespace siskin::net_test {

using net::Fd;
using net::SocketAddress;
using runtime::QueryHandler;

namespace {

Fd open_socket(const IpAddress& local, int type) {
  Fd fd(socket(net::family_of(local), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  REQUIRE(fd);
  SocketAddress address{};
  const socklen_t size = net::write_address({local, 0}, 0, address);
  REQUIRE(bind(fd.get(), net::as_sockaddr(address), size) == 0);
  return fd;
}

}  // namespace

Bytes message_of(std::string_view text) {
  Bytes message(12, 0);
  message.insert(message.end(), text.begin(), text.end());
  return message;
}

void Loop::run_until(const std::function<bool()>& done) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!done()) {
    REQUIRE(std::chrono::steady_clock::now() < give_up);
    io.restart();
    io.run_one_for(std::chrono::milliseconds(1));
  }
}

void Loop::settle() {
  for (int i = 0; i < 20; ++i) {
    io.restart();
    io.poll();
  }
}

void Loop::advance(Duration by) {
  clock.set(clock.now() + by);
  timers.run_expired(clock.now());
  settle();
}

QueryHandler::Outcome echo(std::span<const std::uint8_t> message, std::span<std::uint8_t> reply) {
  std::ranges::copy(message, reply.begin());
  return {QueryHandler::Done::replied, message.size()};
}

Handler echo_handler() {
  return Handler(
      [](auto message, auto, const auto&, auto&, auto reply) { return echo(message, reply); });
}

Handler keeping_handler(std::vector<Late>& kept) {
  return Handler([&kept](auto message, auto, const auto& ticket, auto& sink, auto) {
    kept.push_back({ticket, &sink, Bytes(message.begin(), message.end())});
    return QueryHandler::Outcome{QueryHandler::Done::pending, 0};
  });
}

UdpPeer::UdpPeer(const IpAddress& local) : fd_(open_socket(local, SOCK_DGRAM)) {}

void UdpPeer::connect(const Endpoint& peer) {
  SocketAddress address{};
  const socklen_t size = net::write_address(peer, 0, address);
  REQUIRE(::connect(fd_.get(), net::as_sockaddr(address), size) == 0);
}

void UdpPeer::send(const Bytes& message) {
  REQUIRE(::send(fd_.get(), message.data(), message.size(), 0) ==
          static_cast<ssize_t>(message.size()));
}

void UdpPeer::send_to(const Endpoint& peer, const Bytes& message) {
  SocketAddress address{};
  const socklen_t size = net::write_address(peer, 0, address);
  REQUIRE(sendto(fd_.get(), message.data(), message.size(), 0, net::as_sockaddr(address), size) ==
          static_cast<ssize_t>(message.size()));
}

std::optional<std::pair<Bytes, Endpoint>> UdpPeer::receive() {
  Bytes message(65536);
  SocketAddress address{};
  socklen_t size = sizeof(address);
  const ssize_t got =
      recvfrom(fd_.get(), message.data(), message.size(), 0, net::as_sockaddr(address), &size);
  if (got < 0) return std::nullopt;
  message.resize(static_cast<std::size_t>(got));
  return std::pair(std::move(message), net::read_address(address));
}

TcpPeer TcpPeer::connect_to(const Endpoint& server) {
  Fd fd(socket(net::family_of(server.address), SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(fd);
  SocketAddress address{};
  const socklen_t size = net::write_address(server, 0, address);
  REQUIRE(::connect(fd.get(), net::as_sockaddr(address), size) == 0);
  REQUIRE(fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0);
  return TcpPeer(std::move(fd));
}

void TcpPeer::send(const Bytes& octets) {
  REQUIRE(::send(fd_.get(), octets.data(), octets.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(octets.size()));
}

void TcpPeer::send_message(const Bytes& message) {
  Bytes framed{static_cast<std::uint8_t>(message.size() >> 8),
               static_cast<std::uint8_t>(message.size())};
  framed.insert(framed.end(), message.begin(), message.end());
  send(framed);
}

void TcpPeer::shut_down_sending() {
  REQUIRE(shutdown(fd_.get(), SHUT_WR) == 0);
}

void TcpPeer::poll() {
  std::array<std::uint8_t, 4096> part{};
  for (;;) {
    const ssize_t got = recv(fd_.get(), part.data(), part.size(), 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      closed_ = true;
      return;
    }
    in_.insert(in_.end(), part.begin(), part.begin() + got);
  }
}

std::optional<Bytes> TcpPeer::message() {
  poll();
  if (in_.size() < 2) return std::nullopt;
  const auto end = static_cast<std::size_t>(in_[0] << 8 | in_[1]) + 2;
  if (in_.size() < end) return std::nullopt;
  const auto cut = in_.begin() + static_cast<std::ptrdiff_t>(end);
  Bytes message(in_.begin() + 2, cut);
  in_.erase(in_.begin(), cut);
  return message;
}

bool TcpPeer::is_closed() {
  poll();
  return closed_;
}

TcpServer::TcpServer() : fd_(open_socket(loopback_v4(), SOCK_STREAM)) {
  REQUIRE(listen(fd_.get(), 16) == 0);
}

std::optional<TcpPeer> TcpServer::accept() {
  Fd fd(accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!fd) return std::nullopt;
  return TcpPeer(std::move(fd));
}

IpAddress loopback_v4() {
  return IpAddress::v4(127, 0, 0, 1);
}

IpAddress loopback_v6() {
  return IpAddress::from_text("::1").value();
}

bool has_ipv6() {
  const Fd fd(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  SocketAddress address{};
  const socklen_t size = net::write_address({loopback_v6(), 0}, 0, address);
  return fd && bind(fd.get(), net::as_sockaddr(address), size) == 0;
}

}  // namespace siskin::net_test
