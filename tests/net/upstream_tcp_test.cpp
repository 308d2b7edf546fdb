#include <algorithm>

#include "upstream_rig.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;
using runtime::Transport;

TEST_CASE("net/upstream_tcp: one message each way, and an idle connection for five seconds",
          "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("question"), filter);
  TcpPeer peer = await_connection(rig, server);
  CHECK(await_message(rig, peer) == message_of("question"));
  peer.send_message(message_of("answer"));
  CHECK(rig.await(reply).value() == message_of("answer"));
  rig.loop.advance(4999ms);
  CHECK(rig.upstream.sockets_open() == 1);
  rig.loop.advance(1ms);
  CHECK(rig.upstream.sockets_open() == 0);
  rig.loop.run_until([&] { return peer.is_closed(); });
  CHECK_FALSE(rig.loop.timers.next().has_value());
}

TEST_CASE(
    "net/upstream_tcp: the answer may come octet by octet, its length alone first (fault B71)",
    "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("q"), filter);
  TcpPeer peer = await_connection(rig, server);
  peer.send({0});
  for (const std::uint8_t octet : Bytes{13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'a'}) {
    CHECK_FALSE(reply.has_value());
    peer.send({octet});
    rig.loop.settle();
  }
  CHECK(rig.await(reply).value() == message_of("a"));
}

TEST_CASE("net/upstream_tcp: the largest messages go both ways", "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = take_all();
  Bytes large(65535);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::uint8_t>(i * 5);
  auto& reply = rig.start(server.local(), Transport::tcp, large, filter);
  TcpPeer peer = await_connection(rig, server);
  CHECK(await_message(rig, peer) == large);
  std::reverse(large.begin() + 2, large.end());  // behind the ID
  peer.send_message(large);
  CHECK(rig.await(reply).value() == large);
}

TEST_CASE("net/upstream_tcp: messages that the filter ignores are passed over", "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = by_first_letter();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("q"), filter);
  TcpPeer peer = await_connection(rig, server);
  peer.send_message(message_of("ignored"));
  peer.send_message({});
  peer.send_message(message_of("taken"));
  CHECK(rig.await(reply).value() == message_of("taken"));
  CHECK(filter.judged == 2);  // the empty one has no ID
}

TEST_CASE("net/upstream_tcp: a stream of unusable messages ends the exchange", "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = by_first_letter();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("q"), filter);
  TcpPeer peer = await_connection(rig, server);
  for (int i = 0; i < 64; ++i) peer.send_message(message_of("ignored"));
  CHECK(rig.await(reply).error().code == Errc::limit);
}

TEST_CASE("net/upstream_tcp: a server that closes without an answer is asked once (fault A65)",
          "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("q"), filter);
  SECTION("at once") {
    await_connection(rig, server);
  }
  SECTION("after reading the query") {
    TcpPeer peer = await_connection(rig, server);
    await_message(rig, peer);
  }
  SECTION("in the middle of its answer") {
    TcpPeer peer = await_connection(rig, server);
    await_message(rig, peer);
    peer.send({0, 100, 1, 2, 3});
  }
  CHECK(rig.await(reply).error().code == Errc::closed);
  rig.loop.settle();
  CHECK_FALSE(server.accept().has_value());
  CHECK(rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/upstream_tcp: a refused connection is unreachable", "[net]") {
  Rig rig;
  // Bound, not listening: nobody else can take the port, and connecting is refused.
  const net::Fd bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(bound);
  net::SocketAddress address{};
  const socklen_t size = net::write_address({loopback_v4(), 0}, 0, address);
  REQUIRE(bind(bound.get(), net::as_sockaddr(address), size) == 0);
  Filter filter = take_all();
  auto& reply =
      rig.start(net::local_endpoint(bound.get()), Transport::tcp, message_of("q"), filter);
  CHECK(rig.await(reply).error().code == Errc::unreachable);
}

TEST_CASE("net/upstream_tcp: the deadline covers every stage", "[net]") {
  Rig rig;
  TcpServer server;
  Filter filter = take_all();
  auto& reply = rig.start(server.local(), Transport::tcp, message_of("q"), filter);
  SECTION("nobody accepts") {}
  SECTION("nobody answers") {
    TcpPeer peer = await_connection(rig, server);
    await_message(rig, peer);
    rig.loop.advance(1999ms);
    CHECK_FALSE(reply.has_value());
  }
  SECTION("the answer stops half-way") {
    TcpPeer peer = await_connection(rig, server);
    await_message(rig, peer);
    peer.send({0, 100, 1, 2, 3});
    rig.loop.settle();
    CHECK_FALSE(reply.has_value());
    rig.loop.advance(2s);
  }
  rig.loop.advance(2s);
  REQUIRE(reply.has_value());
  CHECK(reply->error().code == Errc::timeout);
  CHECK(rig.upstream.sockets_open() == 0);
}
