/// Sockets of the operating system as values: descriptors, addresses, errors in words.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <string_view>
#include <utility>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::net {

/// Owns a descriptor.
class Fd {
 public:
  Fd() noexcept = default;
  explicit Fd(int fd) noexcept : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();

  explicit operator bool() const noexcept { return fd_ >= 0; }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Room for a socket address of either family; sin6_family tells which it is.
using SocketAddress = sockaddr_in6;

inline sockaddr* as_sockaddr(SocketAddress& address) noexcept {
  return reinterpret_cast<sockaddr*>(&address);
}

/// Returns the size of what it wrote.  `interface` matters to link-local addresses only.
socklen_t write_address(const Endpoint& endpoint, std::uint32_t interface,
                        SocketAddress& out) noexcept;
Endpoint read_address(const SocketAddress& address) noexcept;
bool is_link_local(const IpAddress& address) noexcept;

inline int family_of(const IpAddress& address) noexcept {
  return address.is_v4() ? AF_INET : AF_INET6;
}

/// Sets an int option; false when the kernel refuses it.
bool set_option(int fd, int level, int name, int value) noexcept;

/// Datagrams are never told the path's MTU and may be fragmented on the way (fault A9).
void ignore_path_mtu(int fd, Family family) noexcept;

/// An errno of a socket towards a peer, sorted into ours.
Error socket_error(int code);

/// Why we cannot listen, and what to do about it.
Error listen_error(int code, const Endpoint& endpoint, runtime::Transport transport);

/// A bound socket that shares its port with others of its kind (SO_REUSEPORT).
Result<Fd> open_shared(const Endpoint& endpoint, runtime::Transport transport);

/// What the kernel bound `fd` to.
Endpoint local_endpoint(int fd) noexcept;

}  // namespace siskin::net
