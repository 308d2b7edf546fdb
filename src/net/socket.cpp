#include "net/socket.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "siskin/net/bind.hpp"

namespace siskin::net {

using runtime::Transport;

namespace {

std::string_view name_of(Transport transport) {
  return transport == Transport::udp ? "UDP" : "TCP";
}

std::string_view advice_for(int code) {
  switch (code) {
    case EADDRINUSE:
      return "another program uses this port; stop it (\"ss -lnptu\" names it) or listen elsewhere";
    case EACCES:
    case EPERM: return "not permitted; it needs CAP_NET_BIND_SERVICE or a port above 1023";
    case EADDRNOTAVAIL:
      return "no interface of this machine has this address (\"ip address\" lists them)";
    case EAFNOSUPPORT: return "this machine has this address family switched off";
    case EMFILE:
    case ENFILE: return "no file descriptor is left; raise the limit (\"ulimit -n\")";
    default: return {};
  }
}

enum class Sharing : std::uint8_t { alone, shared };

Result<Fd> open_bound(const Endpoint& endpoint, Transport transport, Sharing sharing) {
  const int type = transport == Transport::udp ? SOCK_DGRAM : SOCK_STREAM;
  Fd fd(socket(family_of(endpoint.address), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return listen_error(errno, endpoint, transport);
  // TCP: a port whose old connections linger in TIME_WAIT is free all the same.
  if (transport == Transport::tcp) set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (sharing == Sharing::shared) set_option(fd.get(), SOL_SOCKET, SO_REUSEPORT, 1);
  if (!endpoint.address.is_v4()) set_option(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
  SocketAddress address{};
  const socklen_t size = write_address(endpoint, 0, address);
  if (bind(fd.get(), as_sockaddr(address), size) != 0) {
    return listen_error(errno, endpoint, transport);
  }
  return fd;
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

socklen_t write_address(const Endpoint& endpoint, std::uint32_t interface,
                        SocketAddress& out) noexcept {
  out = {};
  const auto octets = endpoint.address.octets();
  if (endpoint.address.is_v4()) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(endpoint.port);
    std::memcpy(&v4.sin_addr, octets.data(), octets.size());
    std::memcpy(&out, &v4, sizeof(v4));
    return sizeof(v4);
  }
  out.sin6_family = AF_INET6;
  out.sin6_port = htons(endpoint.port);
  std::memcpy(&out.sin6_addr, octets.data(), octets.size());
  if (is_link_local(endpoint.address)) out.sin6_scope_id = interface;
  return sizeof(out);
}

Endpoint read_address(const SocketAddress& address) noexcept {
  if (address.sin6_family == AF_INET6) {
    const std::span<const std::uint8_t, 16> octets(address.sin6_addr.s6_addr, 16);
    return {IpAddress::v6(octets), ntohs(address.sin6_port)};
  }
  sockaddr_in v4{};
  std::memcpy(&v4, &address, sizeof(v4));
  std::array<std::uint8_t, 4> octets{};
  std::memcpy(octets.data(), &v4.sin_addr, octets.size());
  return {IpAddress::v4(octets), ntohs(v4.sin_port)};
}

bool is_link_local(const IpAddress& address) noexcept {
  const auto octets = address.octets();
  return !address.is_v4() && octets[0] == 0xfe && (octets[1] & 0xc0) == 0x80;
}

bool set_option(int fd, int level, int name, int value) noexcept {
  return setsockopt(fd, level, name, &value, sizeof(value)) == 0;
}

void ignore_path_mtu(int fd, Family family) noexcept {
  if (family == Family::ipv4) {
    set_option(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_OMIT);
  } else {
    set_option(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_OMIT);
  }
}

Error socket_error(int code) {
  Errc kind = Errc::io;
  switch (code) {
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EHOSTDOWN:
    case ENETDOWN:
    case ENONET:
    case EPROTO:
    case ENOPROTOOPT:
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
    case EINVAL:
    case EACCES:
    case EPERM: kind = Errc::unreachable; break;
    case ECONNRESET:
    case ECONNABORTED:
    case EPIPE: kind = Errc::closed; break;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case ENOSPC:
    case EADDRINUSE:
    case EAGAIN: kind = Errc::limit; break;
    case ETIMEDOUT: kind = Errc::timeout; break;
    default: break;
  }
  return {kind, std::generic_category().message(code)};
}

Error listen_error(int code, const Endpoint& endpoint, Transport transport) {
  std::string text = "cannot listen on " + endpoint.to_text() + " (";
  text.append(name_of(transport)).append("): ");
  const std::string_view advice = advice_for(code);
  text.append(advice.empty() ? std::generic_category().message(code) : std::string(advice));
  return {code == EACCES || code == EPERM ? Errc::forbidden : Errc::io, std::move(text)};
}

Result<Fd> open_shared(const Endpoint& endpoint, Transport transport) {
  return open_bound(endpoint, transport, Sharing::shared);
}

Endpoint local_endpoint(int fd) noexcept {
  SocketAddress address{};
  socklen_t size = sizeof(address);
  getsockname(fd, as_sockaddr(address), &size);
  return read_address(address);
}

Result<void> check_bindable(const Endpoint& endpoint) {
  for (const Transport transport : {Transport::udp, Transport::tcp}) {
    auto fd = open_bound(endpoint, transport, Sharing::alone);
    if (!fd) return fd.error();
    // Two TCP sockets with SO_REUSEADDR may both be bound; listening is what excludes others.
    if (transport == Transport::tcp && listen(fd->get(), 1) != 0) {
      return listen_error(errno, endpoint, transport);
    }
  }
  return {};
}

}  // namespace siskin::net
