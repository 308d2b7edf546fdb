#include "siskin/net/upstream_exchange.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "upstream_rig.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;
using net::UpstreamExchange;
using runtime::Transport;

namespace {

/// Draws what it was told to, then repeats the last.
class Scripted final : public runtime::Random {
 public:
  explicit Scripted(std::vector<std::uint16_t> ports) : ports_(std::move(ports)) {}

  /// The octets of u64() that make below(64512) choose the next port.
  void fill(std::span<std::uint8_t> out) noexcept override {
    const std::uint64_t offset = ports_[std::min(drawn_++, ports_.size() - 1)] - 1024U;
    const std::uint64_t draw = ((offset << 32) + 64511) / 64512 + 1;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = i < 4 ? static_cast<std::uint8_t>(draw >> (24 - 8 * i)) : 0;
    }
  }
  std::size_t drawn() const noexcept { return drawn_; }

 private:
  std::vector<std::uint16_t> ports_;
  std::size_t drawn_ = 0;
};

std::pair<Bytes, Endpoint> await_datagram(Rig& rig, UdpPeer& server) {
  std::optional<std::pair<Bytes, Endpoint>> got;
  rig.loop.run_until([&] { return (got = server.receive()).has_value(); });
  return *got;
}

}  // namespace

TEST_CASE("net/upstream_exchange: the server's reply is taken", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("question"), filter);
  const auto [query, asker] = await_datagram(rig, server);
  CHECK(query == message_of("question"));
  CHECK(asker.port >= 1024);
  CHECK(rig.upstream.sockets_open() == 1);
  server.send_to(asker, message_of("answer"));
  CHECK(rig.await(reply).value() == message_of("answer"));
  CHECK(rig.upstream.sockets_open() == 0);
  CHECK_FALSE(rig.loop.timers.next().has_value());
}

TEST_CASE("net/upstream_exchange: who is recalled is closed at once, socket and timer", "[net]") {
  for (const Transport transport : {Transport::udp, Transport::tcp}) {
    Rig rig;
    UdpPeer silent(loopback_v4());
    TcpServer listener;
    const Endpoint server = transport == Transport::udp ? silent.local() : listener.local();
    Filter filter = take_all();
    auto& first = rig.start(server, transport, message_of("question"), filter);
    auto& second = rig.start(server, transport, message_of("question"), filter);
    rig.loop.settle();
    REQUIRE(rig.upstream.sockets_open() == 2);
    rig.recalls[0].give();
    CHECK(rig.await(first).error().code == Errc::closed);
    CHECK(rig.upstream.sockets_open() == 1);
    CHECK_FALSE(second.has_value());
    rig.recalls[1].give();
    CHECK(rig.await(second).error().code == Errc::closed);
    CHECK(rig.upstream.sockets_open() == 0);
    CHECK_FALSE(rig.loop.timers.next().has_value());
    rig.recalls[1].give();  // nobody listens
  }
}

TEST_CASE("net/upstream_exchange: IPv6 works as IPv4 does", "[net]") {
  if (!has_ipv6()) return;
  Rig rig;
  UdpPeer server(loopback_v6());
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  server.send_to(await_datagram(rig, server).second, message_of("a"));
  CHECK(rig.await(reply).value() == message_of("a"));
}

TEST_CASE("net/upstream_exchange: datagrams of others never reach the filter", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  UdpPeer same_address(loopback_v4());
  UdpPeer other_address(IpAddress::v4(127, 0, 0, 2));
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  const Endpoint asker = await_datagram(rig, server).second;
  same_address.send_to(asker, message_of("forged"));
  other_address.send_to({loopback_v4(), asker.port}, message_of("forged"));
  rig.loop.settle();
  CHECK(filter.judged == 0);
  server.send_to(asker, message_of("true"));
  CHECK(rig.await(reply).value() == message_of("true"));
  CHECK(filter.judged == 1);
}

TEST_CASE("net/upstream_exchange: what the filter ignores does not end the wait", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = by_first_letter();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  const Endpoint asker = await_datagram(rig, server).second;
  server.send_to(asker, Bytes{});
  server.send_to(asker, message_of("ignored"));
  rig.loop.settle();
  CHECK_FALSE(reply.has_value());
  server.send_to(asker, Bytes(5000, 't'));  // beyond any size offered: not even shown
  server.send_to(asker, message_of("ignored as well"));
  server.send_to(asker, message_of("taken"));
  CHECK(rig.await(reply).value() == message_of("taken"));
  CHECK(filter.judged == 4);
}

TEST_CASE("net/upstream_exchange: a suspicious reply ends the exchange", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = by_first_letter();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  const Endpoint asker = await_datagram(rig, server).second;
  server.send_to(asker, message_of("give up"));
  CHECK(rig.await(reply).error().code == Errc::spoof_suspected);
}

TEST_CASE("net/upstream_exchange: a flood of unusable replies ends the exchange", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = by_first_letter();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  const Endpoint asker = await_datagram(rig, server).second;
  for (int i = 0; i < 64; ++i) server.send_to(asker, message_of("ignored"));
  CHECK(rig.await(reply).error().code == Errc::spoof_suspected);
  CHECK(filter.judged == 64);
}

TEST_CASE("net/upstream_exchange: silence ends at the deadline", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  const Endpoint asker = await_datagram(rig, server).second;
  rig.loop.advance(1999ms);
  CHECK_FALSE(reply.has_value());
  rig.loop.advance(1ms);
  REQUIRE(reply.has_value());
  CHECK(reply->error().code == Errc::timeout);
  CHECK(rig.upstream.sockets_open() == 0);
  server.send_to(asker, message_of("too late"));
  rig.loop.settle();
}

TEST_CASE("net/upstream_exchange: an answer and the deadline at once are one end", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  server.send_to(await_datagram(rig, server).second, message_of("a"));
  rig.loop.clock.set(rig.loop.clock.now() + 2s);
  rig.loop.timers.run_expired(rig.loop.clock.now());  // before the loop sees the datagram
  rig.loop.settle();
  REQUIRE(reply.has_value());
  CHECK(reply->error().code == Errc::timeout);
}

TEST_CASE("net/upstream_exchange: a port that nobody listens on is unreachable", "[net]") {
  Rig rig;
  UdpPeer deaf(loopback_v4());
  deaf.connect({loopback_v4(), 9});  // takes datagrams from there only
  Filter filter = take_all();
  auto& reply = rig.start(deaf.local(), Transport::udp, message_of("q"), filter);
  CHECK(rig.await(reply).error().code == Errc::unreachable);
  CHECK(filter.judged == 0);
}

TEST_CASE("net/upstream_exchange: an address without a route is unreachable", "[net]") {
  Rig rig;
  Filter filter = take_all();
  auto& reply = rig.start(Endpoint::from_text("255.255.255.255:53").value(), Transport::udp,
                          message_of("q"), filter);
  CHECK(rig.await(reply).error().code == Errc::unreachable);
}

TEST_CASE("net/upstream_exchange: ports in use and our own are passed over", "[net]") {
  UdpPeer taken{IpAddress()};
  UdpPeer server(loopback_v4());
  Loop loop;
  Scripted random({5353, taken.local().port, 5353, taken.local().port});
  UpstreamExchange upstream(loop.io, loop.clock, loop.timers, random,
                            {.sockets_max = 10, .excluded_ports = {53, 5353}});
  Filter filter = take_all();
  runtime::Recall recall;
  std::optional<Reply> reply;
  boost::asio::co_spawn(loop.io,
                        Rig::ask(upstream, server.local(), Transport::udp, message_of("q"), filter,
                                 loop.clock.now() + 2s, recall, reply),
                        [](std::exception_ptr) {});
  loop.settle();
  REQUIRE(reply.has_value());
  CHECK(reply->error().code == Errc::limit);
  CHECK(random.drawn() == 10);  // two of ours, eight attempts
}

TEST_CASE(
    "net/upstream_exchange: ports are uniform, and instances alike but independent (fault A5)",
    "[net]") {
  UdpPeer server(loopback_v4());
  Loop loop;
  constexpr int exchange_count = 2000;
  std::array<std::vector<std::uint16_t>, 2> ports;
  for (auto& mine : ports) {
    Rig rig;
    Filter filter = take_all();
    for (int i = 0; i < exchange_count; ++i) {
      auto& reply = rig.start(server.local(), Transport::udp, message_of("q"), filter);
      const Endpoint asker = await_datagram(rig, server).second;
      mine.push_back(asker.port);
      server.send_to(asker, message_of("a"));
      REQUIRE(rig.await(reply).has_value());
    }
  }
  for (const auto& mine : ports) {
    std::array<int, 16> buckets{};
    for (const std::uint16_t port : mine) {
      REQUIRE(port >= 1024);
      ++buckets.at((port - 1024U) * 16 / 64512);
    }
    double chi_square = 0;
    for (const int count : buckets) {
      const double off = count - exchange_count / 16.0;
      chi_square += off * off / (exchange_count / 16.0);
    }
    CHECK(chi_square < 80);  // 15 degrees of freedom: above is one in 10^10
    // Drawn with replacement from 64512: about 31 repeats are to be expected.
    CHECK(std::set(mine.begin(), mine.end()).size() > exchange_count - 100);
  }
  CHECK(ports[0] != ports[1]);
}

TEST_CASE("net/upstream_exchange: a hundred exchanges at once each get their own answer", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  std::vector<Bytes> queries;
  for (int i = 0; i < 100; ++i) queries.push_back(message_of("q" + std::to_string(i)));
  for (const Bytes& query : queries) rig.start(server.local(), Transport::udp, query, filter);
  CHECK(rig.upstream.sockets_open() == 100);
  std::vector<std::pair<Bytes, Endpoint>> asked;
  while (asked.size() < 100) asked.push_back(await_datagram(rig, server));
  std::ranges::reverse(asked);
  for (const auto& [query, asker] : asked) server.send_to(asker, query);
  for (std::size_t i = 0; i < 100; ++i) CHECK(rig.await(rig.replies[i]).value() == queries[i]);
  CHECK(rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/upstream_exchange: one socket more than allowed is refused", "[net]") {
  Rig rig({.sockets_max = 2, .excluded_ports = {}});
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  rig.start(server.local(), Transport::udp, message_of("1"), filter);
  rig.start(server.local(), Transport::udp, message_of("2"), filter);
  auto& third = rig.start(server.local(), Transport::udp, message_of("3"), filter);
  REQUIRE(third.has_value());
  CHECK(third->error().code == Errc::limit);
  rig.loop.advance(2s);
  auto& fourth = rig.start(server.local(), Transport::udp, message_of("4"), filter);
  CHECK_FALSE(fourth.has_value());
  CHECK(rig.upstream.sockets_open() == 1);
}

TEST_CASE("net/upstream_exchange: shutdown ends every exchange, and those to come", "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  TcpServer tcp_server;
  Filter filter = take_all();
  std::array<Bytes, 5> queries;
  for (std::uint8_t i = 0; i < 5; ++i) queries[i] = Bytes(13, i);
  for (std::size_t i = 0; i < 50; ++i) {
    rig.start(server.local(), Transport::udp, message_of("q"), filter);
    if (i < 5) rig.start(tcp_server.local(), Transport::tcp, queries[i], filter);
  }
  rig.upstream.shutdown();
  rig.loop.settle();
  for (const auto& reply : rig.replies) {
    REQUIRE(reply.has_value());
    CHECK(reply->error().code == Errc::closed);
  }
  CHECK(rig.upstream.sockets_open() == 0);
  auto& later = rig.start(server.local(), Transport::udp, message_of("q"), filter);
  REQUIRE(later.has_value());
  CHECK(later->error().code == Errc::closed);
  rig.loop.io.restart();
  rig.loop.io.run();  // nothing is left to wait for
}

TEST_CASE(
    "net/upstream_exchange: an asker that ends with its exchange may start another, and end "
    "others",
    "[net]") {
  Rig rig;
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  const auto twice = [](Rig& r, Endpoint to, runtime::ReplyFilter& f,
                        int& done) -> runtime::Task<void> {
    for (int i = 0; i < 2; ++i) {
      const Bytes query = message_of("q");
      runtime::Recall recall;
      const auto reply = co_await r.upstream.exchange(to, Transport::udp, query, f,
                                                      r.loop.clock.now() + 2s, recall);
      if (reply) ++done;
    }
    r.upstream.shutdown();
  };
  int done = 0;
  boost::asio::co_spawn(rig.loop.io, twice(rig, server.local(), filter, done),
                        [](std::exception_ptr) {});
  auto& other = rig.start(server.local(), Transport::udp, message_of("other"), filter);
  rig.loop.run_until([&] {
    while (const auto got = server.receive()) {
      if (got->first == message_of("q")) server.send_to(got->second, message_of("a"));
    }
    return done == 2;
  });
  CHECK(rig.await(other).error().code == Errc::closed);
}

TEST_CASE("net/upstream_exchange: its end with exchanges pending is safe", "[net]") {
  UdpPeer server(loopback_v4());
  Filter filter = take_all();
  Rig rig;
  for (int i = 0; i < 10; ++i) rig.start(server.local(), Transport::udp, message_of("q"), filter);
  while (const auto got = server.receive()) server.send_to(got->second, message_of("a"));
}
