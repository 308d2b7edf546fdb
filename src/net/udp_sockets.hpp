/// UDP sockets towards servers, each kept for a little while.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "net/socket_poller.hpp"
#include "siskin/base/ip.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/random.hpp"

namespace siskin::net {

/// Bound to a port drawn at random from 1024 to 65535, and connected, so that the kernel keeps
/// other senders out.
struct UdpSocket {
  UdpSocket(runtime::TimerQueue& timers, Fd fd) : watch(timers, std::move(fd)) {}

  SocketWatch watch;
  Endpoint server;
  Instant opened{};
  unsigned queries = 0;  ///< asked through it
};

/// A socket is opened for a server and serves one exchange at a time.  One whose exchange went well
/// is kept for the next one with the same server: opening, binding, connecting, watching and
/// closing take more of a processor than sending and receiving.  What that costs in
/// unpredictability is bounded by few queries and a short life: far less than it takes to find a
/// port by probing.  Other servers never learn of the port, since each server has sockets of its
/// own. Threads:  one core. Lifetime: what the constructor is given outlives it.
class UdpSockets {
 public:
  struct Options {
    unsigned queries_max = 1;                   ///< through one socket; 1: none is kept
    std::vector<std::uint16_t> excluded_ports;  ///< never sent from
  };

  static constexpr Duration kLife = std::chrono::seconds(1);
  static constexpr std::size_t kKeptMax = 512;

  UdpSockets(const runtime::Clock& clock, runtime::TimerQueue& timers, runtime::Random& random,
             SocketPoller& poller, Options options);

  /// A kept socket at which nothing has arrived meanwhile; nothing when there is none.
  std::unique_ptr<UdpSocket> kept_for(const Endpoint& server, Instant deadline);
  /// Errors: closed, limit, unreachable, io.
  Result<std::unique_ptr<UdpSocket>> open(const Endpoint& server, Instant deadline);
  /// Keeps `socket`, whose exchange went well, or closes it.
  void give_back(std::unique_ptr<UdpSocket> socket);
  /// Closes all that are kept.
  void clear();

 private:
  using Sockets = std::vector<std::unique_ptr<UdpSocket>>;
  struct EndpointHash {
    std::size_t operator()(const Endpoint& endpoint) const noexcept {
      return std::hash<IpAddress>()(endpoint.address) + endpoint.port;
    }
  };

  Result<Fd> open_socket(const Endpoint& server);
  Result<void> bind_random_port(int fd, Family family);
  std::uint16_t random_port() noexcept;
  bool is_worn(const UdpSocket& socket) const;
  void sweep();

  const runtime::Clock& clock_;
  runtime::TimerQueue& timers_;
  runtime::Random& random_;
  SocketPoller& poller_;
  const Options options_;
  std::unordered_map<Endpoint, Sockets, EndpointHash> kept_;
  std::size_t kept_count_ = 0;
  runtime::Timer sweeper_;
};

}  // namespace siskin::net
