#include <set>

#include "upstream_rig.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;
using runtime::Transport;

namespace {

constexpr unsigned kQueries = 4;

/// Servers that answer, and what ports they saw.
struct Asking {
  Rig rig{{.sockets_max = 8, .excluded_ports = {}, .queries_per_socket = kQueries}};
  UdpPeer server{loopback_v4()};
  Filter filter = by_first_letter();

  std::optional<Reply>& start(UdpPeer& to) {
    return rig.start(to.local(), Transport::udp, message_of("q"), filter);
  }

  Endpoint asker(UdpPeer& at) {
    std::optional<std::pair<Bytes, Endpoint>> got;
    rig.loop.run_until([&] { return (got = at.receive()).has_value(); });
    return got->second;
  }

  /// One exchange that goes well; the port it came from.
  std::uint16_t exchange(UdpPeer& with) {
    auto& reply = start(with);
    const Endpoint from = asker(with);
    with.send_to(from, message_of("answer"));
    REQUIRE(rig.await(reply).value() == message_of("answer"));
    return from.port;
  }

  std::uint16_t exchange() { return exchange(server); }
};

}  // namespace

TEST_CASE("net/udp_sockets: a port serves as many queries as it may, and then another", "[net]") {
  Asking asking;
  std::vector<std::uint16_t> ports;
  for (unsigned i = 0; i < 2 * kQueries; ++i) ports.push_back(asking.exchange());
  CHECK(std::set(ports.begin(), ports.begin() + kQueries).size() == 1);
  CHECK(std::set(ports.begin() + kQueries, ports.end()).size() == 1);
  CHECK(std::set(ports.begin(), ports.end()).size() == 2);
  CHECK(asking.rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/udp_sockets: a port serves no longer than a second", "[net]") {
  Asking asking;
  const std::uint16_t first = asking.exchange();
  asking.rig.loop.advance(999ms);
  CHECK(asking.exchange() == first);
  asking.rig.loop.advance(1ms);
  CHECK(asking.rig.upstream.sockets_open() == 0);
  CHECK(asking.exchange() != first);
}

TEST_CASE("net/udp_sockets: what is no longer asked for is closed, and no timer stays", "[net]") {
  Asking asking;
  asking.exchange();
  CHECK(asking.rig.upstream.sockets_open() == 1);
  asking.rig.loop.advance(2s);
  CHECK(asking.rig.upstream.sockets_open() == 0);
  CHECK_FALSE(asking.rig.loop.timers.next().has_value());
}

TEST_CASE("net/udp_sockets: queries at the same time have ports of their own", "[net]") {
  Asking asking;
  const std::uint16_t kept = asking.exchange();
  auto& one = asking.start(asking.server);
  const Endpoint first = asking.asker(asking.server);
  auto& two = asking.start(asking.server);
  const Endpoint second = asking.asker(asking.server);
  CHECK(first.port == kept);
  CHECK(second.port != kept);
  asking.server.send_to(second, message_of("2"));
  CHECK(asking.rig.await(two).value() == message_of("2"));
  CHECK_FALSE(one.has_value());
  asking.server.send_to(first, message_of("1"));
  CHECK(asking.rig.await(one).value() == message_of("1"));
}

TEST_CASE("net/udp_sockets: each server has ports of its own", "[net]") {
  Asking asking;
  UdpPeer other(IpAddress::v4(127, 0, 0, 2));
  const std::uint16_t port = asking.exchange();
  CHECK(asking.exchange(other) != port);
  CHECK(asking.exchange() == port);
}

TEST_CASE("net/udp_sockets: a port at which something came unasked is given up", "[net]") {
  Asking asking;
  const std::uint16_t port = asking.exchange();
  asking.server.send_to({loopback_v4(), port}, message_of("late"));
  asking.rig.loop.settle();
  CHECK(asking.exchange() != port);
  CHECK(asking.filter.judged == 2);  // nobody was shown what came late
}

TEST_CASE("net/udp_sockets: a port is given up after a time-out, a recall and a refusal", "[net]") {
  Asking asking;
  const std::uint16_t silent = asking.exchange();
  auto& timed_out = asking.start(asking.server);
  CHECK(asking.asker(asking.server).port == silent);
  asking.rig.loop.advance(2s);
  CHECK(asking.rig.await(timed_out).error().code == Errc::timeout);

  const std::uint16_t recalled = asking.exchange();
  CHECK(recalled != silent);
  auto& called_back = asking.start(asking.server);
  CHECK(asking.asker(asking.server).port == recalled);
  asking.rig.recalls.back().give();
  CHECK(asking.rig.await(called_back).error().code == Errc::closed);

  const std::uint16_t refused = asking.exchange();
  CHECK(refused != recalled);
  auto& forged = asking.start(asking.server);
  CHECK(asking.asker(asking.server).port == refused);
  asking.server.send_to({loopback_v4(), refused}, message_of("give up"));
  CHECK(asking.rig.await(forged).error().code == Errc::spoof_suspected);
  CHECK(asking.rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/udp_sockets: kept ones make room for those that are needed", "[net]") {
  Asking asking;
  std::vector<std::unique_ptr<UdpPeer>> servers;
  for (int i = 0; i < 9; ++i) {
    servers.push_back(std::make_unique<UdpPeer>(loopback_v4()));
    asking.exchange(*servers.back());
  }
  CHECK(asking.rig.upstream.sockets_open() == 1);
}

TEST_CASE("net/udp_sockets: shutdown closes those that are kept", "[net]") {
  Asking asking;
  asking.exchange();
  asking.rig.upstream.shutdown();
  CHECK(asking.rig.upstream.sockets_open() == 0);
  CHECK_FALSE(asking.rig.loop.timers.next().has_value());
  asking.rig.loop.io.restart();
  asking.rig.loop.io.run();
}
