#include "siskin/net/tcp_transfer.hpp"

#include <boost/asio/co_spawn.hpp>

#include "loopback.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::net_test;
using namespace std::chrono_literals;

namespace {

/// Wants messages until one says "end".
class Sink final : public runtime::TransferSink {
 public:
  bool take(std::span<const std::uint8_t> message) override {
    messages.emplace_back(message.begin(), message.end());
    return messages.back() != message_of("end");
  }
  std::vector<Bytes> messages;
};

struct Rig {
  Loop loop;
  Sink sink;
  runtime::Recall recall;
  std::optional<Result<void>> result;
  net::TcpTransfer transfer{loop.io, loop.timers};
  TcpServer server;

  static runtime::Task<void> run(Rig& rig, Bytes query) {
    const Instant deadline = rig.loop.clock.now() + 10s;
    rig.result =
        co_await rig.transfer.transfer(rig.server.local(), query, rig.sink, deadline, rig.recall);
  }

  TcpPeer start() {
    boost::asio::co_spawn(loop.io, run(*this, message_of("query")), [](std::exception_ptr failure) {
      CHECK_FALSE(static_cast<bool>(failure));
    });
    std::optional<TcpPeer> peer;
    loop.run_until([&] { return (peer = server.accept()).has_value(); });
    std::optional<Bytes> got;
    loop.run_until([&] { return (got = peer->message()).has_value(); });
    CHECK(*got == message_of("query"));
    return std::move(*peer);
  }

  std::string end() {
    loop.run_until([&] { return result.has_value(); });
    return *result ? "all taken" : to_string(result->error());
  }
};

}  // namespace

TEST_CASE("net/tcp_transfer: messages are handed on until no more are wanted", "[net]") {
  Rig rig;
  TcpPeer peer = rig.start();
  for (int i = 0; i < 200; ++i) peer.send_message(message_of("message " + std::to_string(i)));
  peer.send_message(message_of("end"));
  peer.send_message(message_of("unwanted"));
  CHECK(rig.end() == "all taken");
  REQUIRE(rig.sink.messages.size() == 201);
  CHECK(rig.sink.messages[199] == message_of("message 199"));
  rig.loop.run_until([&] { return peer.is_closed(); });
  CHECK_FALSE(rig.loop.timers.next().has_value());
}

TEST_CASE("net/tcp_transfer: a server that closes before the end has failed", "[net]") {
  Rig rig;
  {
    TcpPeer peer = rig.start();
    peer.send_message(message_of("first"));
    peer.send({0, 100, 1, 2});
  }
  CHECK(rig.end() == "closed: the server closed before the end");
  CHECK(rig.sink.messages.size() == 1);
}

TEST_CASE("net/tcp_transfer: the deadline is for all of it", "[net]") {
  Rig rig;
  TcpPeer peer = rig.start();
  for (int i = 0; i < 9; ++i) {
    peer.send_message(message_of("slow"));
    rig.loop.advance(1s);
    CHECK_FALSE(rig.result.has_value());
  }
  rig.loop.advance(1s);
  CHECK(rig.end() == "timeout");
}

TEST_CASE("net/tcp_transfer: a recall and a shutdown end it", "[net]") {
  Rig rig;
  const TcpPeer peer = rig.start();
  SECTION("recall") {
    rig.recall.give();
  }
  SECTION("shutdown") {
    rig.transfer.shutdown();
  }
  CHECK(rig.end() == "closed");
}
