// Connections to servers that carry several queries, and those that end under them.
#include "upstream_rig.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;
using runtime::Transport;

namespace {

/// A message with that ID.
Bytes numbered(std::uint16_t id, std::string_view text) {
  Bytes message = message_of(text);
  message[0] = static_cast<std::uint8_t>(id >> 8);
  message[1] = static_cast<std::uint8_t>(id);
  return message;
}

struct Scene {
  std::optional<Reply>& ask(std::uint16_t id) {
    queries.push_back(numbered(id, "q"));
    return rig.start(server.local(), Transport::tcp, queries.back(), filter);
  }

  /// The next query on `peer` is answered.
  void answer(TcpPeer& peer) {
    Bytes message = await_message(rig, peer);
    message.back() = 'a';
    peer.send_message(message);
  }

  bool is_answered(std::optional<Reply>& reply, std::uint16_t id) {
    const Reply& got = rig.await(reply);
    return got && *got == numbered(id, "a");
  }

  bool nobody_connects() {
    rig.loop.settle();
    return !server.accept();
  }

  TcpServer server;
  Filter filter = take_all();
  std::deque<Bytes> queries;
  Rig rig;
};

}  // namespace

TEST_CASE("net/tcp_channels: one connection serves queries one after the other", "[net]") {
  Scene scene;
  auto& first = scene.ask(1);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  scene.answer(peer);
  CHECK(scene.is_answered(first, 1));
  for (std::uint16_t id = 2; id < 20; ++id) {
    scene.rig.loop.advance(4s);
    auto& reply = scene.ask(id);
    scene.answer(peer);
    CHECK(scene.is_answered(reply, id));
  }
  CHECK(scene.nobody_connects());
  CHECK(scene.rig.upstream.sockets_open() == 1);
}

TEST_CASE("net/tcp_channels: answers to queries in flight may come in any order", "[net]") {
  Scene scene;
  auto& one = scene.ask(1);
  auto& two = scene.ask(2);
  auto& three = scene.ask(3);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  CHECK(await_message(scene.rig, peer) == numbered(1, "q"));
  CHECK(await_message(scene.rig, peer) == numbered(2, "q"));
  CHECK(await_message(scene.rig, peer) == numbered(3, "q"));
  peer.send_message(numbered(3, "a"));
  CHECK(scene.is_answered(three, 3));
  CHECK_FALSE(one.has_value());
  peer.send_message(numbered(1, "a"));
  peer.send_message(numbered(2, "a"));
  CHECK(scene.is_answered(one, 1));
  CHECK(scene.is_answered(two, 2));
  CHECK(scene.nobody_connects());
}

TEST_CASE("net/tcp_channels: two queries of one ID are never on one connection", "[net]") {
  Scene scene;
  auto& one = scene.ask(7);
  auto& two = scene.ask(7);
  TcpPeer first = await_connection(scene.rig, scene.server);
  TcpPeer second = await_connection(scene.rig, scene.server);
  scene.answer(second);
  CHECK(scene.is_answered(two, 7));
  CHECK_FALSE(one.has_value());
  scene.answer(first);
  CHECK(scene.is_answered(one, 7));
}

TEST_CASE("net/tcp_channels: a close while idle is noticed at once (fault B73)", "[net]") {
  Scene scene;
  auto& first = scene.ask(1);
  {
    TcpPeer peer = await_connection(scene.rig, scene.server);
    scene.answer(peer);
    CHECK(scene.is_answered(first, 1));
    CHECK(scene.rig.upstream.sockets_open() == 1);
  }
  scene.rig.loop.run_until([&] { return scene.rig.upstream.sockets_open() == 0; });
  CHECK_FALSE(scene.rig.loop.timers.next().has_value());
  auto& second = scene.ask(2);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  scene.answer(peer);
  CHECK(scene.is_answered(second, 2));
}

TEST_CASE("net/tcp_channels: what a used connection cuts off is asked on a new one (fault B73)",
          "[net]") {
  Scene scene;
  auto& first = scene.ask(1);
  std::optional<TcpPeer> peer = await_connection(scene.rig, scene.server);
  scene.answer(*peer);
  CHECK(scene.is_answered(first, 1));
  auto& second = scene.ask(2);
  CHECK(await_message(scene.rig, *peer) == numbered(2, "q"));
  peer.reset();
  TcpPeer next = await_connection(scene.rig, scene.server);
  CHECK_FALSE(second.has_value());

  SECTION("where it is answered") {
    scene.answer(next);
    CHECK(scene.is_answered(second, 2));
  }
  SECTION("and not a third time (fault A65)") {
    next = TcpPeer(net::Fd());
    CHECK(scene.rig.await(second).error().code == Errc::closed);
    CHECK(scene.nobody_connects());
    CHECK(scene.rig.upstream.sockets_open() == 0);
  }
}

TEST_CASE("net/tcp_channels: who closes after each answer is asked one thing at a time", "[net]") {
  Scene scene;
  std::vector<std::optional<Reply>*> replies;
  for (std::uint16_t id = 1; id <= 4; ++id) replies.push_back(&scene.ask(id));
  for (int i = 0; i < 4; ++i) {
    TcpPeer peer = await_connection(scene.rig, scene.server);
    scene.answer(peer);
    if (i == 0) scene.rig.await(*replies[0]);
  }
  for (std::uint16_t id = 1; id <= 4; ++id) CHECK(scene.is_answered(*replies[id - 1], id));
  scene.rig.loop.run_until([&] { return scene.rig.upstream.sockets_open() == 0; });

  auto& five = scene.ask(5);
  auto& six = scene.ask(6);
  TcpPeer first = await_connection(scene.rig, scene.server);
  TcpPeer second = await_connection(scene.rig, scene.server);
  scene.answer(first);
  scene.answer(second);
  CHECK(scene.is_answered(five, 5));
  CHECK(scene.is_answered(six, 6));
}

TEST_CASE("net/tcp_channels: the recalled and the late leave the others their connection",
          "[net]") {
  Scene scene;
  auto& gone = scene.ask(1);
  auto& staying = scene.ask(2);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  scene.rig.recalls[0].give();
  CHECK(scene.rig.await(gone).error().code == Errc::closed);
  scene.answer(peer);  // to nobody
  scene.answer(peer);
  CHECK(scene.is_answered(staying, 2));

  auto& late = scene.ask(3);
  scene.rig.loop.advance(2s);
  CHECK(scene.rig.await(late).error().code == Errc::timeout);
  // Nothing at all came: the connection may be dead.
  CHECK(scene.rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/tcp_channels: a connection on which others are answered outlives a time-out",
          "[net]") {
  Scene scene;
  auto& late = scene.ask(1);
  scene.rig.loop.advance(1s);
  auto& quick = scene.ask(2);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  await_message(scene.rig, peer);
  scene.answer(peer);
  CHECK(scene.is_answered(quick, 2));
  scene.rig.loop.advance(1s);
  CHECK(scene.rig.await(late).error().code == Errc::timeout);
  auto& next = scene.ask(3);
  scene.answer(peer);
  CHECK(scene.is_answered(next, 3));
  CHECK(scene.nobody_connects());
}

TEST_CASE("net/tcp_channels: nonsense costs the server its connection", "[net]") {
  Scene scene;
  scene.filter = by_first_letter();
  auto& one = scene.ask(1);
  auto& two = scene.ask(2);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  peer.send_message(numbered(2, "give up"));
  CHECK(scene.rig.await(two).error().code == Errc::spoof_suspected);
  CHECK(scene.rig.await(one).error().code == Errc::closed);
  scene.rig.loop.run_until([&] { return peer.is_closed(); });
  CHECK(scene.rig.upstream.sockets_open() == 0);
}

TEST_CASE("net/tcp_channels: queries and connections of one server are bounded (fault A99)",
          "[net]") {
  Scene scene;
  constexpr std::size_t kMost = 4 * 64;
  for (std::size_t id = 0; id < kMost; ++id) {
    CHECK_FALSE(scene.ask(static_cast<std::uint16_t>(id)).has_value());
  }
  CHECK(scene.rig.upstream.sockets_open() == 4);
  auto& more = scene.ask(kMost);
  REQUIRE(more.has_value());
  CHECK(more->error().code == Errc::limit);
  scene.rig.loop.advance(2s);
  CHECK(scene.rig.upstream.sockets_open() == 0);
  CHECK_FALSE(scene.ask(1).has_value());
}

TEST_CASE("net/tcp_channels: where all are taken an idle one makes room, and no other (fault A99)",
          "[net]") {
  Rig rig({.sockets_max = 8, .excluded_ports = {}});  // two of them for TCP
  TcpServer a;
  TcpServer b;
  TcpServer c;
  Filter filter = take_all();
  const Bytes query = message_of("q");
  auto& idle = rig.start(a.local(), Transport::tcp, query, filter);
  TcpPeer peer = await_connection(rig, a);
  peer.send_message(message_of("a"));
  CHECK(rig.await(idle).has_value());
  auto& busy = rig.start(b.local(), Transport::tcp, query, filter);
  auto& third = rig.start(c.local(), Transport::tcp, query, filter);
  CHECK_FALSE(busy.has_value());
  CHECK_FALSE(third.has_value());
  rig.loop.run_until([&] { return peer.is_closed(); });
  auto& fourth = rig.start(a.local(), Transport::tcp, query, filter);
  REQUIRE(fourth.has_value());
  CHECK(fourth->error().code == Errc::limit);
}

TEST_CASE("net/tcp_channels: shutdown ends idle and busy connections", "[net]") {
  Scene scene;
  auto& first = scene.ask(1);
  TcpPeer peer = await_connection(scene.rig, scene.server);
  scene.answer(peer);
  CHECK(scene.is_answered(first, 1));
  SECTION("idle") {}
  SECTION("busy") {
    auto& second = scene.ask(2);
    scene.rig.upstream.shutdown();
    CHECK(scene.rig.await(second).error().code == Errc::closed);
  }
  scene.rig.upstream.shutdown();
  scene.rig.loop.settle();
  CHECK(scene.rig.upstream.sockets_open() == 0);
  CHECK_FALSE(scene.rig.loop.timers.next().has_value());
  scene.rig.loop.io.restart();
  scene.rig.loop.io.run();  // nothing is left to wait for
}
