#include "siskin/net/udp_listener.hpp"

#include <set>

#include "loopback.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using net::UdpListener;
using runtime::QueryHandler;

namespace {

std::unique_ptr<UdpListener> listen(Loop& loop, const IpAddress& address, QueryHandler& handler) {
  return UdpListener::open(loop.io, {.endpoint = {address, 0}}, handler).value();
}

Bytes await_reply(Loop& loop, UdpPeer& client) {
  std::optional<std::pair<Bytes, Endpoint>> got;
  loop.run_until([&] { return (got = client.receive()).has_value(); });
  return got->first;
}

/// Asks at `address` of a wildcard listener through a connected socket, which takes replies from
/// there only.
Bytes ask_connected(Loop& loop, const UdpListener& listener, const IpAddress& address,
                    std::string_view text) {
  UdpPeer client(address.is_v4() ? loopback_v4() : loopback_v6());
  client.connect({address, listener.local_endpoint().port});
  client.send(message_of(text));
  return await_reply(loop, client);
}

}  // namespace

TEST_CASE("net/udp_listener: a query is handled and its reply comes back", "[net]") {
  Loop loop;
  runtime::ReplyTicket seen;
  Handler handler([&](auto message, auto transport, const auto& ticket, auto&, auto reply) {
    CHECK(transport == runtime::Transport::udp);
    CHECK(reply.size() >= 4096);
    seen = ticket;
    return echo(message, reply);
  });
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  client.send_to(listener->local_endpoint(), message_of("hello"));
  CHECK(await_reply(loop, client) == message_of("hello"));
  CHECK(seen.client == client.local());
  CHECK(seen.local == loopback_v4());
  CHECK(seen.connection == 0);
  CHECK(listener->counters().received == 1);
  CHECK(listener->counters().sent == 1);
}

TEST_CASE("net/udp_listener: IPv6 works as IPv4 does", "[net]") {
  if (!has_ipv6()) return;
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, loopback_v6(), handler);
  CHECK(ask_connected(loop, *listener, loopback_v6(), "six") == message_of("six"));
  auto wildcard = listen(loop, IpAddress::from_text("::").value(), handler);
  CHECK(ask_connected(loop, *wildcard, loopback_v6(), "any") == message_of("any"));
  // The port stays free for IPv4 (IPV6_V6ONLY).
  const Endpoint v4{IpAddress(), wildcard->local_endpoint().port};
  CHECK(UdpListener::open(loop.io, {.endpoint = v4}, handler).has_value());
}

TEST_CASE("net/udp_listener: a batch is announced before it is handled, one alone is not",
          "[net]") {
  Loop loop;
  std::vector<Bytes> handled;
  std::vector<Bytes> expected;
  Handler handler([&](auto message, auto, const auto&, auto&, auto) {
    handled.emplace_back(message.begin(), message.end());
    expected = handler.expected;
    return QueryHandler::Outcome{};
  });
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  for (const auto* text : {"one", "two", "three"}) {
    client.send_to(listener->local_endpoint(), message_of(text));
  }
  loop.run_until([&] { return handled.size() == 3; });
  CHECK(expected == handled);
  client.send_to(listener->local_endpoint(), message_of("alone"));
  loop.run_until([&] { return handled.size() == 4; });
  CHECK(expected.empty());
}

TEST_CASE("net/udp_listener: two hundred queries at once are all answered", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  std::set<Bytes> missing;
  for (int i = 0; i < 200; ++i) {
    const Bytes query = message_of("query " + std::to_string(i));
    client.send_to(listener->local_endpoint(), query);
    missing.insert(query);
  }
  loop.run_until([&] {
    while (const auto got = client.receive()) CHECK(missing.erase(got->first) == 1);
    return missing.empty();
  });
  CHECK(listener->counters().received == 200);
  CHECK(listener->counters().sent == 200);
  CHECK(listener->counters().lost == 0);
}

TEST_CASE("net/udp_listener: other work of the loop gets its turn under load", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  for (int i = 0; i < 1200; ++i) client.send_to(listener->local_endpoint(), message_of("x"));
  while (listener->counters().received == 0) loop.io.run_one();
  CHECK(listener->counters().received <= 512);
}

TEST_CASE("net/udp_listener: a wildcard listener replies from the address that was asked",
          "[net]") {
  Loop loop;
  IpAddress asked_at;
  Handler handler([&](auto message, auto, const auto& ticket, auto&, auto reply) {
    asked_at = ticket.local;
    return echo(message, reply);
  });
  auto listener = listen(loop, IpAddress(), handler);
  const auto second = IpAddress::v4(127, 0, 0, 2);
  CHECK(ask_connected(loop, *listener, second, "second") == message_of("second"));
  CHECK(asked_at == second);
  CHECK(ask_connected(loop, *listener, loopback_v4(), "first") == message_of("first"));
  CHECK(asked_at == loopback_v4());
}

TEST_CASE("net/udp_listener: late replies come, from the address that was asked", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, IpAddress(), handler);
  UdpPeer client(loopback_v4());
  client.connect({IpAddress::v4(127, 0, 0, 3), listener->local_endpoint().port});
  for (int i = 0; i < 150; ++i) client.send(message_of("late " + std::to_string(i)));
  loop.run_until([&] { return kept.size() == 150; });
  CHECK_FALSE(client.receive().has_value());

  std::set<Bytes> missing;
  for (auto query = kept.rbegin(); query != kept.rend(); ++query) {
    missing.insert(query->message);
    query->sink->send(query->ticket, query->message);
  }
  loop.run_until([&] {
    while (const auto got = client.receive()) CHECK(missing.erase(got->first) == 1);
    return missing.empty();
  });
  CHECK(listener->counters().sent == 150);
  CHECK(listener->counters().lost == 0);
}

TEST_CASE("net/udp_listener: dropped and abandoned queries get nothing", "[net]") {
  Loop loop;
  int turn = 0;
  Handler handler([&](auto message, auto, const auto& ticket, auto& sink, auto reply) {
    switch (turn++) {
      case 0: return QueryHandler::Outcome{QueryHandler::Done::dropped, 0};
      case 1: sink.abandon(ticket); return QueryHandler::Outcome{QueryHandler::Done::pending, 0};
      default: return echo(message, reply);
    }
  });
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  for (const auto* text : {"dropped", "abandoned", "answered"}) {
    client.send_to(listener->local_endpoint(), message_of(text));
  }
  CHECK(await_reply(loop, client) == message_of("answered"));
  CHECK(listener->counters().sent == 1);
}

TEST_CASE("net/udp_listener: datagrams beyond 4096 octets are dropped, shorter ones are handed on",
          "[net]") {
  Loop loop;
  std::vector<std::size_t> sizes;
  Handler handler([&](auto message, auto, const auto&, auto&, auto reply) {
    sizes.push_back(message.size());
    return echo(message, reply);
  });
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  for (const std::size_t size : {4097U, 65000U, 0U, 1U, 4096U}) {
    client.send_to(listener->local_endpoint(), Bytes(size, 7));
  }
  loop.run_until([&] { return sizes.size() == 3; });
  CHECK(sizes == std::vector<std::size_t>{0, 1, 4096});
  CHECK(listener->counters().oversized == 2);
}

TEST_CASE("net/udp_listener: a client that is gone harms nobody", "[net]") {
  Loop loop;
  Handler handler = echo_handler();
  auto listener = listen(loop, loopback_v4(), handler);
  for (int i = 0; i < 20; ++i) {
    UdpPeer gone(loopback_v4());
    gone.send_to(listener->local_endpoint(), message_of("gone"));
  }
  loop.run_until([&] { return listener->counters().received == 20; });
  UdpPeer client(loopback_v4());
  client.send_to(listener->local_endpoint(), message_of("here"));
  CHECK(await_reply(loop, client) == message_of("here"));
}

TEST_CASE("net/udp_listener: after stop_receiving() late replies still leave", "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  client.send_to(listener->local_endpoint(), message_of("early"));
  loop.run_until([&] { return kept.size() == 1; });
  listener->stop_receiving();
  client.send_to(listener->local_endpoint(), message_of("too late"));
  loop.settle();
  CHECK(kept.size() == 1);
  kept[0].sink->send(kept[0].ticket, kept[0].message);
  CHECK(await_reply(loop, client) == message_of("early"));
}

TEST_CASE("net/udp_listener: after stop() late replies are forgotten and the loop can end",
          "[net]") {
  Loop loop;
  std::vector<Late> kept;
  Handler handler = keeping_handler(kept);
  auto listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  client.send_to(listener->local_endpoint(), message_of("a"));
  client.send_to(listener->local_endpoint(), message_of("b"));
  loop.run_until([&] { return kept.size() == 2; });
  kept[0].sink->send(kept[0].ticket, kept[0].message);  // gathered, not yet sent
  listener->stop();
  kept[1].sink->send(kept[1].ticket, kept[1].message);
  kept[1].sink->abandon(kept[1].ticket);
  loop.io.restart();
  loop.io.run();
  CHECK_FALSE(client.receive().has_value());
}

TEST_CASE("net/udp_listener: it may be stopped by its handler and end with work pending", "[net]") {
  Loop loop;
  std::unique_ptr<UdpListener> listener;
  int handled = 0;
  Handler handler([&](auto message, auto, const auto&, auto&, auto reply) {
    ++handled;
    listener->stop();
    return echo(message, reply);
  });
  listener = listen(loop, loopback_v4(), handler);
  UdpPeer client(loopback_v4());
  client.send_to(listener->local_endpoint(), message_of("a"));
  loop.run_until([&] { return handled == 1; });
  listener.reset();
  loop.settle();
  CHECK_FALSE(client.receive().has_value());
}
