/// An UpstreamExchange on a loop in a test's hands, and askers.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <deque>

#include "loopback.hpp"
#include "siskin/net/upstream_exchange.hpp"
#include "support/catch.hpp"

namespace siskin::net_test {

using Reply = Result<Bytes>;

class Filter final : public runtime::ReplyFilter {
 public:
  using Function = std::function<runtime::ReplyVerdict(const Bytes&)>;
  explicit Filter(Function function) : function_(std::move(function)) {}
  runtime::ReplyVerdict judge(std::span<const std::uint8_t> message) override {
    ++judged;
    return function_(Bytes(message.begin(), message.end()));
  }
  int judged = 0;

 private:
  Function function_;
};

inline Filter take_all() {
  return Filter([](const Bytes&) { return runtime::ReplyVerdict::take; });
}

/// Verdict by the first octet of the text: 'i' ignore, 'g' give up, else take.
inline Filter by_first_letter() {
  return Filter([](const Bytes& message) {
    const char letter = message.size() > 12 ? static_cast<char>(message[12]) : 'i';
    return letter == 'i'
               ? runtime::ReplyVerdict::ignore
               : (letter == 'g' ? runtime::ReplyVerdict::give_up : runtime::ReplyVerdict::take);
  });
}

/// A loop with an exchange on it, and what its askers got.
struct Rig {
  Loop loop;
  runtime::SystemRandom random;
  std::deque<std::optional<Reply>> replies;  // outlives upstream, whose end resumes the askers
  std::deque<runtime::Recall> recalls;       // one an exchange, in order
  net::UpstreamExchange upstream;

  explicit Rig(const net::UpstreamExchangeOptions& options = {})
      : upstream(loop.io, loop.clock, loop.timers, random, options) {}

  static runtime::Task<void> ask(runtime::Upstream& upstream, Endpoint server,
                                 runtime::Transport transport, Bytes query,
                                 runtime::ReplyFilter& filter, Instant deadline,
                                 runtime::Recall& recall, std::optional<Reply>& out) {
    out = co_await upstream.exchange(server, transport, query, filter, deadline, recall);
  }

  std::optional<Reply>& start(const Endpoint& server, runtime::Transport transport,
                              const Bytes& query, runtime::ReplyFilter& filter) {
    auto& out = replies.emplace_back();
    boost::asio::co_spawn(
        loop.io,
        ask(upstream, server, transport, query, filter, loop.clock.now() + std::chrono::seconds(2),
            recalls.emplace_back(), out),
        [](std::exception_ptr failure) { CHECK_FALSE(static_cast<bool>(failure)); });
    loop.settle();
    return out;
  }

  Reply& await(std::optional<Reply>& reply) {
    loop.run_until([&] { return reply.has_value(); });
    return *reply;
  }
};

inline TcpPeer await_connection(Rig& rig, TcpServer& server) {
  std::optional<TcpPeer> peer;
  rig.loop.run_until([&] { return (peer = server.accept()).has_value(); });
  return std::move(*peer);
}

inline Bytes await_message(Rig& rig, TcpPeer& peer) {
  std::optional<Bytes> got;
  rig.loop.run_until([&] { return (got = peer.message()).has_value(); });
  return *got;
}

}  // namespace siskin::net_test
