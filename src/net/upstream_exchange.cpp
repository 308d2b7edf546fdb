#include "siskin/net/upstream_exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "net/frame_buffer.hpp"
#include "net/socket.hpp"
#include "net/socket_poller.hpp"

namespace siskin::net {

using runtime::Recall;
using runtime::ReplyFilter;
using runtime::ReplyVerdict;
using runtime::Task;
using runtime::Transport;

namespace {

using Reply = Result<std::vector<std::uint8_t>>;

constexpr std::uint32_t kPortMin = 1024;
constexpr std::uint32_t kPortCount = 65536 - kPortMin;
constexpr int kBindAttempts = 8;
// Unusable messages in one exchange: over UDP somebody who is not the server floods us, over TCP
// the server talks nonsense.  Either way the time is better spent on another try.
constexpr int kIgnoredMax = 64;
// More than any size we offer by EDNS.
constexpr std::size_t kDatagramMax = 4096;

Error error_of(Wake wake) {
  return {wake == Wake::deadline ? Errc::timeout : Errc::closed, {}};
}

Reply copy_of(std::span<const std::uint8_t> message) {
  return std::vector<std::uint8_t>(message.begin(), message.end());
}

}  // namespace

class UpstreamExchange::Impl {
 public:
  Impl(boost::asio::io_context& io, runtime::TimerQueue& timers, runtime::Random& random,
       const UpstreamExchangeOptions& options)
      : timers_(timers),
        random_(random),
        excluded_ports_(options.excluded_ports),
        poller_(std::make_shared<SocketPoller>(io, options.sockets_max)) {}

  SocketPoller& poller() noexcept { return *poller_; }

  Task<Reply> ask_udp(Endpoint server, std::span<const std::uint8_t> query, ReplyFilter& filter,
                      Instant deadline, Recall& recall) {
    auto socket = open_udp(server);
    if (!socket) co_return socket.error();
    SocketWatch watch(timers_, std::move(*socket));
    if (auto started = watch.start(*poller_, Interest::reading, deadline); !started) {
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
      if (auto end = receive_datagrams(watch.fd(), filter, ignored)) co_return std::move(*end);
    }
  }

  Task<Reply> ask_tcp(Endpoint server, std::span<const std::uint8_t> query, ReplyFilter& filter,
                      Instant deadline, Recall& recall) {
    auto socket = open_tcp(server);
    if (!socket) co_return socket.error();
    SocketWatch watch(timers_, std::move(*socket));
    if (auto started = watch.start(*poller_, Interest::reading_and_writing, deadline); !started) {
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

 private:
  Result<Fd> open_socket(const Endpoint& server, int type) const {
    if (poller_->is_shut_down()) return Error{Errc::closed, {}};
    if (poller_->is_full()) return Error{Errc::limit, "too many upstream sockets are open"};
    Fd fd(socket(family_of(server.address), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) return socket_error(errno);
    return fd;
  }

  Result<Fd> open_udp(const Endpoint& server) {
    auto fd = open_socket(server, SOCK_DGRAM);
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

  Result<Fd> open_tcp(const Endpoint& server) const {
    auto fd = open_socket(server, SOCK_STREAM);
    if (!fd) return fd;
    SocketAddress address{};
    const socklen_t size = write_address(server, 0, address);
    if (connect(fd->get(), as_sockaddr(address), size) != 0 && errno != EINPROGRESS) {
      return socket_error(errno);
    }
    return fd;
  }

  Result<void> bind_random_port(int fd, Family family) {
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

  std::uint16_t random_port() noexcept {
    for (;;) {
      const auto port = static_cast<std::uint16_t>(kPortMin + random_.below(kPortCount));
      if (std::ranges::find(excluded_ports_, port) == excluded_ports_.end()) return port;
    }
  }

  /// Reads until an end of the exchange (returned) or EAGAIN.
  std::optional<Reply> receive_datagrams(int fd, ReplyFilter& filter, int& ignored) {
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

  /// Likewise for a connection.
  std::optional<Reply> receive_frames(int fd, FrameBuffer& in, ReplyFilter& filter, int& ignored) {
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

  static std::optional<Reply> judge(std::span<const std::uint8_t> message, ReplyFilter& filter) {
    switch (filter.judge(message)) {
      case ReplyVerdict::take: return copy_of(message);
      case ReplyVerdict::give_up: return Error{Errc::spoof_suspected, {}};
      case ReplyVerdict::ignore: break;
    }
    return std::nullopt;
  }

  static std::optional<Reply> send_some(int fd, std::vector<std::uint8_t>& unsent) {
    while (!unsent.empty()) {
      const ssize_t sent = ::send(fd, unsent.data(), unsent.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) break;
      if (sent < 0) return socket_error(errno);
      unsent.erase(unsent.begin(), unsent.begin() + sent);
    }
    return std::nullopt;
  }

  static constexpr std::array<std::uint8_t, 16> kAnyV6{};

  runtime::TimerQueue& timers_;
  runtime::Random& random_;
  std::vector<std::uint16_t> excluded_ports_;
  std::shared_ptr<SocketPoller> poller_;
  std::array<std::uint8_t, kDatagramMax> buffer_{};  ///< every exchange's, between two waits
};

UpstreamExchange::UpstreamExchange(boost::asio::io_context& io, runtime::TimerQueue& timers,
                                   runtime::Random& random, const UpstreamExchangeOptions& options)
    : impl_(std::make_unique<Impl>(io, timers, random, options)) {}

UpstreamExchange::~UpstreamExchange() {
  shutdown();
}

Task<Reply> UpstreamExchange::exchange(const Endpoint& server, Transport transport,
                                       std::span<const std::uint8_t> query, ReplyFilter& filter,
                                       Instant deadline, Recall& recall) {
  return transport == Transport::udp ? impl_->ask_udp(server, query, filter, deadline, recall)
                                     : impl_->ask_tcp(server, query, filter, deadline, recall);
}

std::size_t UpstreamExchange::sockets_open() const noexcept {
  return impl_->poller().watches();
}

void UpstreamExchange::shutdown() {
  impl_->poller().shutdown();
}

}  // namespace siskin::net
