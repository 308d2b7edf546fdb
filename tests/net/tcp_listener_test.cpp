#include "siskin/net/tcp_listener.hpp"

#include <algorithm>

#include "loopback.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;
using net::TcpListener;
using net::TcpListenerOptions;
using runtime::QueryHandler;

namespace {

std::unique_ptr<TcpListener> listen(Loop& loop, QueryHandler& handler,
                                    TcpListenerOptions options = {}) {
  options.endpoint = {loopback_v4(), 0};
  return TcpListener::open({loop.io, loop.clock, loop.timers, handler}, options).value();
}

/// Connects and waits until the listener has the connection.
TcpPeer connect(Loop& loop, const TcpListener& listener) {
  const std::size_t before = listener.connections();
  TcpPeer client = TcpPeer::connect_to(listener.local_endpoint());
  loop.run_until([&] { return listener.connections() == before + 1; });
  return client;
}

Bytes await_message(Loop& loop, TcpPeer& client) {
  std::optional<Bytes> got;
  loop.run_until([&] { return (got = client.message()).has_value(); });
  return *got;
}

void await_close(Loop& loop, TcpPeer& client) {
  loop.run_until([&] { return client.is_closed(); });
}

void answer(const Late& late) {
  late.sink->send(late.ticket, late.message);
}

int listening_fd(const Endpoint& endpoint) {
  for (int fd = 3; fd < 1024; ++fd) {
    int is_listening = 0;
    socklen_t size = sizeof(is_listening);
    const bool is_socket = getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0;
    if (is_socket && is_listening != 0 && net::local_endpoint(fd) == endpoint) return fd;
  }
  FAIL("no socket listens on " << endpoint.to_text());
  return -1;
}

Bytes framed(const Bytes& message) {
  Bytes out{static_cast<std::uint8_t>(message.size() >> 8),
            static_cast<std::uint8_t>(message.size())};
  out.insert(out.end(), message.begin(), message.end());
  return out;
}

}  // namespace

TEST_CASE("net/tcp_listener: a query is handled and its reply comes back", "[net]") {
  Loop loop;
  runtime::ReplyTicket seen;
  Handler handler([&](auto message, auto transport, const auto& ticket, auto&, auto reply) {
    CHECK(transport == runtime::Transport::tcp);
    CHECK(reply.size() >= 65535);
    seen = ticket;
    return echo(message, reply);
  });
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  client.send_message(message_of("one"));
  CHECK(await_message(loop, client) == message_of("one"));
  CHECK(seen.local == loopback_v4());
  CHECK(seen.client.address == loopback_v4());
  CHECK(seen.connection == 1);
  client.send_message(message_of("two"));
  CHECK(await_message(loop, client) == message_of("two"));
  CHECK(seen.connection == 1);
}

TEST_CASE("net/tcp_listener: IPv6 works as IPv4 does", "[net]") {
  if (!has_ipv6()) return;
  Loop loop;
  Handler handler = echo_handler();
  auto listener = TcpListener::open({loop.io, loop.clock, loop.timers, handler},
                                    {.endpoint = {loopback_v6(), 0}})
                      .value();
  TcpPeer client = TcpPeer::connect_to(listener->local_endpoint());
  client.send_message(message_of("six"));
  CHECK(await_message(loop, client) == message_of("six"));
}

TEST_CASE("net/tcp_listener: queries of one connection are answered as they finish", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  Bytes together;
  for (const auto* text : {"a", "b", "c"}) {
    const Bytes frame = framed(message_of(text));
    together.insert(together.end(), frame.begin(), frame.end());
  }
  client.send(together);
  loop.run_until([&] { return kept.size() == 3; });
  answer(kept[2]);
  CHECK(await_message(loop, client) == message_of("c"));
  answer(kept[0]);
  answer(kept[1]);
  CHECK(await_message(loop, client) == message_of("a"));
  CHECK(await_message(loop, client) == message_of("b"));
}

TEST_CASE("net/tcp_listener: a query may come octet by octet", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  for (const std::uint8_t octet : framed(message_of("slow"))) {
    client.send({octet});
    loop.settle();
  }
  CHECK(await_message(loop, client) == message_of("slow"));
}

TEST_CASE("net/tcp_listener: the largest message goes both ways", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  Bytes large(65535);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::uint8_t>(i * 7);
  client.send_message(large);
  CHECK(await_message(loop, client) == large);
}

TEST_CASE("net/tcp_listener: an idle connection is closed, activity puts it off", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  loop.advance(29s);
  client.send_message(message_of("still here"));
  CHECK(await_message(loop, client) == message_of("still here"));
  loop.settle();
  loop.advance(29s);
  CHECK(listener->connections() == 1);
  loop.advance(1s);
  CHECK(listener->connections() == 0);
  await_close(loop, client);
}

TEST_CASE("net/tcp_listener: single octets do not put off the end of a query's time", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  const Bytes octets = framed(message_of("slow loris"));
  client.send({octets[0]});
  loop.settle();
  for (std::size_t i = 1; i < 5; ++i) {
    loop.advance(1s);
    client.send({octets[i]});
    loop.settle();
  }
  CHECK(listener->connections() == 1);
  loop.advance(1s);
  CHECK(listener->connections() == 0);
}

TEST_CASE("net/tcp_listener: a connection whose query is in work is not idle", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  client.send_message(message_of("long work"));
  loop.run_until([&] { return kept.size() == 1; });
  loop.advance(60s);
  CHECK(listener->connections() == 1);
  kept[0].sink->abandon(kept[0].ticket);
  loop.advance(30s);
  CHECK(listener->connections() == 0);
}

TEST_CASE(
    "net/tcp_listener: at the cap the longest idle connection is closed, busy ones last "
    "(fault B75)",
    "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler, {.endpoint = {}, .connections_max = 3});
  TcpPeer busy = connect(loop, *listener);
  TcpPeer oldest = connect(loop, *listener);
  TcpPeer younger = connect(loop, *listener);
  busy.send_message(message_of("busy"));
  loop.run_until([&] { return kept.size() == 1; });

  TcpPeer fourth = TcpPeer::connect_to(listener->local_endpoint());
  await_close(loop, oldest);
  CHECK(listener->connections() == 3);
  CHECK_FALSE(younger.is_closed());
  TcpPeer fifth = TcpPeer::connect_to(listener->local_endpoint());
  await_close(loop, younger);
  CHECK_FALSE(busy.is_closed());

  fourth.send_message(message_of("fourth"));
  fifth.send_message(message_of("fifth"));
  loop.run_until([&] { return kept.size() == 3; });
  TcpPeer sixth = TcpPeer::connect_to(listener->local_endpoint());
  await_close(loop, busy);  // all are busy: the one that was active longest ago
  CHECK(listener->connections() == 3);
  answer(kept[0]);  // its connection is gone
  answer(kept[1]);
  CHECK(await_message(loop, fourth) == message_of("fourth"));
}

TEST_CASE("net/tcp_listener: a client that closed its sending side is still answered", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  client.send_message(message_of("a"));
  client.send_message(message_of("b"));
  client.send({0, 40, 1});  // the beginning of a query that never ends
  client.shut_down_sending();
  loop.run_until([&] { return kept.size() == 2; });
  loop.settle();
  CHECK(listener->connections() == 1);
  answer(kept[1]);
  CHECK(await_message(loop, client) == message_of("b"));
  CHECK_FALSE(client.is_closed());
  answer(kept[0]);
  CHECK(await_message(loop, client) == message_of("a"));
  await_close(loop, client);
  CHECK(listener->connections() == 0);
}

TEST_CASE("net/tcp_listener: messages below twelve octets close the connection", "[net]") {
  Loop loop;
  int handled = 0;
  Handler handler([&](auto message, auto, const auto&, auto&, auto reply) {
    ++handled;
    return echo(message, reply);
  });
  auto listener = listen(loop, handler);
  for (const std::size_t size : {0U, 1U, 11U}) {
    TcpPeer client = connect(loop, *listener);
    client.send_message(Bytes(size, 1));
    await_close(loop, client);
    CHECK(listener->connections() == 0);
  }
  CHECK(handled == 0);
}

TEST_CASE("net/tcp_listener: a dropped query leaves the connection open", "[net]") {
  Loop loop;
  int turn = 0;
  Handler handler([&](auto message, auto, const auto& ticket, auto& sink, auto reply) {
    switch (turn++) {
      case 0: return QueryHandler::Outcome{QueryHandler::Done::dropped, 0};
      case 1: sink.abandon(ticket); return QueryHandler::Outcome{QueryHandler::Done::pending, 0};
      case 2:
        sink.send(ticket, message);  // from inside the handler
        return QueryHandler::Outcome{QueryHandler::Done::pending, 0};
      default: return echo(message, reply);
    }
  });
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  for (const auto* text : {"dropped", "abandoned", "inside", "answered"}) {
    client.send_message(message_of(text));
  }
  CHECK(await_message(loop, client) == message_of("inside"));
  CHECK(await_message(loop, client) == message_of("answered"));
  loop.settle();
  loop.advance(29s);
  CHECK(listener->connections() == 1);
}

TEST_CASE("net/tcp_listener: reading pauses while too many queries are unanswered", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  TcpListenerOptions options;
  options.limits.in_flight_max = 5;
  auto listener = listen(loop, handler, options);
  TcpPeer client = connect(loop, *listener);
  for (int i = 0; i < 12; ++i) client.send_message(message_of(std::to_string(i)));
  loop.settle();
  CHECK(kept.size() == 5);
  loop.advance(20s);  // what we do not read cannot be late
  CHECK(listener->connections() == 1);
  for (std::size_t i = 0; i < 12; ++i) {
    loop.run_until([&] { return kept.size() > i; });
    CHECK(kept.size() <= i + 5);
    answer(kept[i]);
    CHECK(await_message(loop, client) == message_of(std::to_string(i)));
  }
  CHECK(kept.size() == 12);
}

TEST_CASE("net/tcp_listener: reading pauses while the client does not take its replies", "[net]") {
  Loop loop;
  int handled = 0;
  Handler handler([&](auto, auto, const auto&, auto&, auto reply) {
    ++handled;
    std::ranges::fill(reply.first(60'000), std::uint8_t{1});
    return QueryHandler::Outcome{QueryHandler::Done::replied, 60'000};
  });
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  constexpr int query_count = 2000;  // 120 MB of replies, far beyond all buffers
  for (int i = 0; i < query_count; ++i) client.send_message(message_of("q"));
  loop.settle();
  CHECK(handled < query_count / 2);
  const int paused_at = handled;
  loop.settle();
  CHECK(handled == paused_at);

  SECTION("it goes on once they are taken") {
    for (int i = 0; i < query_count; ++i) CHECK(await_message(loop, client).size() == 60'000);
    CHECK(handled == query_count);
  }
  SECTION("the connection ends when they are not") {
    loop.advance(10s);
    CHECK(listener->connections() == 0);
  }
}

TEST_CASE("net/tcp_listener: a client that vanishes takes nothing along", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  {
    TcpPeer client = connect(loop, *listener);
    client.send_message(message_of("a"));
    client.send_message(message_of("b"));
    loop.run_until([&] { return kept.size() == 2; });
  }
  answer(kept[0]);
  loop.settle();
  answer(kept[1]);
  loop.run_until([&] { return listener->connections() == 0; });
  TcpPeer next = connect(loop, *listener);
  next.send_message(message_of("c"));
  loop.run_until([&] { return kept.size() == 3; });
  CHECK(kept[2].ticket.connection == 2);
}

TEST_CASE("net/tcp_listener: when accept fails the listener rests and recovers (fault A99)",
          "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, handler);
  // Running out of descriptors would hit the sanitizers too.  A listening socket that is shut down
  // fails every accept just as well, until it listens again.
  const int fd = listening_fd(listener->local_endpoint());
  loop.settle();
  REQUIRE(shutdown(fd, SHUT_RDWR) == 0);
  std::size_t steps = 0;
  for (int i = 0; i < 50; ++i) {
    loop.io.restart();
    steps += loop.io.poll();
  }
  CHECK(steps <= 3);
  loop.advance(100ms);  // still so
  REQUIRE(listen(fd, 16) == 0);
  loop.settle();
  TcpPeer client = TcpPeer::connect_to(net::local_endpoint(fd));  // the port is a new one
  client.send_message(message_of("patient"));
  loop.settle();
  CHECK(listener->connections() == 0);
  loop.advance(100ms);
  CHECK(await_message(loop, client) == message_of("patient"));
}

TEST_CASE("net/tcp_listener: stop_receiving() lets queries in work finish", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  TcpPeer idle = connect(loop, *listener);
  TcpPeer busy = connect(loop, *listener);
  busy.send_message(message_of("a"));
  loop.run_until([&] { return kept.size() == 1; });
  listener->stop_receiving();
  await_close(loop, idle);
  CHECK(listener->connections() == 1);
  busy.send_message(message_of("b"));
  loop.settle();
  CHECK(kept.size() == 1);
  answer(kept[0]);
  CHECK(await_message(loop, busy) == message_of("a"));
  loop.run_until([&] { return listener->connections() == 0; });
  loop.io.restart();
  loop.io.run();  // nothing is left to wait for
}

TEST_CASE("net/tcp_listener: stop() closes everything, late replies are forgotten", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  client.send_message(message_of("a"));
  client.send_message(message_of("b"));
  loop.run_until([&] { return kept.size() == 2; });
  answer(kept[0]);  // the write may still be pending
  listener->stop();
  answer(kept[1]);
  CHECK(listener->connections() == 0);
  loop.io.restart();
  loop.io.run();
  await_close(loop, client);
  listener.reset();
}

TEST_CASE("net/tcp_listener: it may be stopped by its handler", "[net]") {
  Loop loop;
  std::unique_ptr<TcpListener> listener;
  int handled = 0;
  Handler handler([&](auto message, auto, const auto&, auto&, auto reply) {
    ++handled;
    listener->stop();
    return echo(message, reply);
  });
  listener = listen(loop, handler);
  TcpPeer client = connect(loop, *listener);
  client.send_message(message_of("a"));
  client.send_message(message_of("b"));
  await_close(loop, client);
  CHECK(handled == 1);
  CHECK(listener->connections() == 0);
}
