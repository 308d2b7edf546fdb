/// A loop in a test's hands, and plain sockets for the other side.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "net/socket.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/query_handler.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net_test {

using Bytes = std::vector<std::uint8_t>;

/// 13 octets and more, so that every listener takes it for a message.
Bytes message_of(std::string_view text);

class FakeClock final : public runtime::Clock {
 public:
  Instant now() const noexcept override { return now_; }
  void set(Instant now) noexcept { now_ = now; }

 private:
  Instant now_{std::chrono::hours(1)};
};

/// The loop runs for real, its timers in virtual time.
struct Loop {
  boost::asio::io_context io{1};
  FakeClock clock;
  runtime::TimerQueue timers;

  /// Runs the loop until `done`; fails the test after 20 real seconds.
  void run_until(const std::function<bool()>& done);
  /// Runs what is ready, several times over.
  void settle();
  void advance(Duration by);
};

/// A handler made of one function.
class Handler final : public runtime::QueryHandler {
 public:
  using Function = std::function<Outcome(
      std::span<const std::uint8_t> message, runtime::Transport transport,
      const runtime::ReplyTicket& ticket, runtime::ReplySink& sink, std::span<std::uint8_t> reply)>;

  explicit Handler(Function function) : function_(std::move(function)) {}
  void expect(std::span<const std::span<const std::uint8_t>> queries) noexcept override {
    expected.clear();
    for (const auto query : queries) expected.emplace_back(query.begin(), query.end());
  }
  Outcome handle(std::span<const std::uint8_t> message, runtime::Transport transport,
                 const runtime::ReplyTicket& ticket, runtime::ReplySink& sink,
                 std::span<std::uint8_t> reply) override {
    return function_(message, transport, ticket, sink, reply);
  }

  std::vector<Bytes> expected;  ///< the batch that was announced last

 private:
  Function function_;
};

/// Replies with the query itself.
runtime::QueryHandler::Outcome echo(std::span<const std::uint8_t> message,
                                    std::span<std::uint8_t> reply);
Handler echo_handler();

/// A query that waits for its late reply.
struct Late {
  runtime::ReplyTicket ticket;
  runtime::ReplySink* sink;
  Bytes message;
};

/// Keeps every query for later.
Handler keeping_handler(std::vector<Late>& kept);

/// A UDP socket that never blocks.
class UdpPeer {
 public:
  explicit UdpPeer(const IpAddress& local);
  Endpoint local() const { return net::local_endpoint(fd_.get()); }
  int fd() const { return fd_.get(); }
  void connect(const Endpoint& peer);
  void send(const Bytes& message);
  void send_to(const Endpoint& peer, const Bytes& message);
  /// The next datagram and who sent it.
  std::optional<std::pair<Bytes, Endpoint>> receive();

 private:
  net::Fd fd_;
};

/// One end of a TCP connection that never blocks.
class TcpPeer {
 public:
  explicit TcpPeer(net::Fd fd) : fd_(std::move(fd)) {}
  static TcpPeer connect_to(const Endpoint& server);

  void send(const Bytes& octets);
  void send_message(const Bytes& message);
  void shut_down_sending();
  /// Reads what is there.
  void poll();
  /// The next whole message, if it has come.
  std::optional<Bytes> message();
  /// The other side has closed.
  bool is_closed();

 private:
  net::Fd fd_;
  Bytes in_;
  bool closed_ = false;
};

/// A listening TCP socket.
class TcpServer {
 public:
  TcpServer();
  Endpoint local() const { return net::local_endpoint(fd_.get()); }
  std::optional<TcpPeer> accept();

 private:
  net::Fd fd_;
};

IpAddress loopback_v4();
IpAddress loopback_v6();
bool has_ipv6();

}  // namespace siskin::net_test
