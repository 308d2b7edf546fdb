#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <set>
#include <thread>

#include "loopback.hpp"
#include "siskin/net/tcp_listener.hpp"
#include "siskin/net/timer_driver.hpp"
#include "siskin/net/udp_listener.hpp"
#include "siskin/net/upstream_exchange.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using runtime::QueryHandler;
using runtime::Transport;

namespace {

class TakeAll final : public runtime::ReplyFilter {
 public:
  runtime::ReplyVerdict judge(std::span<const std::uint8_t> /*message*/) override {
    return runtime::ReplyVerdict::take;
  }
};

/// Answers a query with what `server` says to it.
runtime::Task<void> forward(runtime::Upstream& upstream, Endpoint server, Instant deadline,
                            Late query) {
  TakeAll filter;
  runtime::Recall recall;
  const auto reply =
      co_await upstream.exchange(server, Transport::udp, query.message, filter, deadline, recall);
  if (reply) {
    query.sink->send(query.ticket, *reply);
  } else {
    query.sink->abandon(query.ticket);
  }
}

/// One core as app builds it: everything of its own, only the endpoint is shared.  It answers a
/// query with what an upstream server says to it.
class Worker {
 public:
  Worker(const Endpoint& endpoint, const Endpoint& server)
      : server_(server),
        driver_(io_, clock_, timers_),
        upstream_(io_, clock_, timers_, random_),
        handler_([this](auto message, auto, const auto& ticket, auto& sink, auto) {
          ++handled;
          const Late query{ticket, &sink, Bytes(message.begin(), message.end())};
          const Instant deadline = clock_.now() + std::chrono::seconds(20);
          boost::asio::co_spawn(io_, forward(upstream_, server_, deadline, query),
                                [](std::exception_ptr) {});
          return QueryHandler::Outcome{QueryHandler::Done::pending, 0};
        }),
        udp_(net::UdpListener::open(io_, {.endpoint = endpoint}, handler_).value()),
        tcp_(net::TcpListener::open({io_, clock_, timers_, handler_},
                                    {.endpoint = udp_->local_endpoint()})
                 .value()) {}

  Endpoint endpoint() const { return udp_->local_endpoint(); }
  void start() {
    thread_ = std::thread([this] { io_.run(); });
  }
  /// From any thread; joins.
  void stop() {
    boost::asio::post(io_, [this] {
      udp_->stop();
      tcp_->stop();
      upstream_.shutdown();
      driver_.stop();
    });
    thread_.join();
  }

  std::atomic<int> handled = 0;

 private:
  boost::asio::io_context io_{1};
  runtime::SystemClock clock_;
  runtime::TimerQueue timers_;
  runtime::SystemRandom random_;
  Endpoint server_;
  net::TimerDriver driver_;
  net::UpstreamExchange upstream_;
  Handler handler_;
  std::unique_ptr<net::UdpListener> udp_;
  std::unique_ptr<net::TcpListener> tcp_;
  std::thread thread_;
};

}  // namespace

TEST_CASE("net/workers: two cores share an endpoint and answer every query", "[net]") {
  Loop loop;
  Handler echo = echo_handler();
  auto server = net::UdpListener::open(loop.io, {.endpoint = {loopback_v4(), 0}}, echo).value();
  Worker first({loopback_v4(), 0}, server->local_endpoint());
  Worker second(first.endpoint(), server->local_endpoint());
  first.start();
  second.start();

  // The kernel chooses the core by a hash of both endpoints: many clients reach both.
  std::vector<UdpPeer> udp_clients;
  std::vector<TcpPeer> tcp_clients;
  std::set<Bytes> missing;
  for (int i = 0; i < 64; ++i) {
    const Bytes query = message_of("udp " + std::to_string(i));
    udp_clients.emplace_back(loopback_v4()).send_to(first.endpoint(), query);
    missing.insert(query);
  }
  for (int i = 0; i < 16; ++i) {
    const Bytes query = message_of("tcp " + std::to_string(i));
    tcp_clients.push_back(TcpPeer::connect_to(first.endpoint()));
    tcp_clients.back().send_message(query);
    missing.insert(query);
  }
  loop.run_until([&] {
    for (auto& client : udp_clients) {
      while (const auto got = client.receive()) missing.erase(got->first);
    }
    for (auto& client : tcp_clients) {
      while (const auto got = client.message()) missing.erase(*got);
    }
    return missing.empty();
  });
  CHECK(first.handled + second.handled == 80);
  CHECK(first.handled > 0);
  CHECK(second.handled > 0);
  first.stop();
  second.stop();
}
