#include "scenarios/upstream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <optional>
#include <ranges>

namespace siskin::scenarios {

using runtime::Transport;

namespace {

constexpr std::uint32_t kStubTtl = 86400;

/// How a zone above would delegate the stub zone: its addresses as those of one made-up server.
Message referral(const StubZone& stub, const Message& query) {
  Message reply;
  reply.id = query.id;
  reply.flags = wire::flag::qr;
  reply.questions = query.questions;
  const wire::Name server = wire::Name::from_text("stub-server.").value();
  const auto bytes_of = [](wire::Bytes bytes) {
    return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
  };
  reply.sections[1].push_back(
      {stub.name, wire::RRType::ns, wire::RRClass::in, kStubTtl, bytes_of(server.wire())});
  for (const IpAddress& address : stub.addresses) {
    reply.sections[2].push_back({server, address.is_v4() ? wire::RRType::a : wire::RRType::aaaa,
                                 wire::RRClass::in, kStubTtl, bytes_of(address.octets())});
  }
  return reply;
}

bool is_delegated_to(const StubZone& stub, const Question& question) {
  if (stub.name.is_root() || !question.name.is_at_or_below(stub.name)) return false;
  return question.name != stub.name || question.type != wire::RRType::ds;
}

}  // namespace

struct ScriptUpstream::Exchange : Pending {
  Exchange(sim::VirtualTime& time, runtime::ReplyFilter& judge, std::function<void()> at_deadline)
      : filter(judge), timer(time.timers(), std::move(at_deadline)) {}

  runtime::ReplyFilter& filter;
  runtime::Timer timer;
  bool is_ended = false;
  runtime::OneShot<Result<Bytes>> done;
};

std::string ScriptUpstream::describe(const Pending& pending) const {
  const Message& query = pending.query.message;
  return fmt::format("{} {}{} {}", pending.server.to_text(),
                     pending.query.transport == Transport::udp ? "udp" : "tcp",
                     query.opt ? "" : " (no EDNS)",
                     query.questions.empty() ? "?" : to_line(query.questions.front()));
}

runtime::Task<Result<ScriptUpstream::Bytes>> ScriptUpstream::exchange(
    const Endpoint& server, Transport transport, std::span<const std::uint8_t> query,
    runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) {
  auto message = decode(query);
  if (!message) co_return Error{Errc::malformed, "the query cannot be read"};
  std::shared_ptr<Exchange> exchange;
  const auto on_deadline = [this, &exchange] {
    if (!exchange->is_dealt_with) unanswered_.push_back(describe(*exchange));
    end(*exchange, Error{Errc::timeout, {}});
  };
  exchange = std::make_shared<Exchange>(time_, filter, on_deadline);
  exchange->server = server.address;
  exchange->query = {std::move(*message), transport};
  exchange->deadline = deadline;
  exchange->timer.arm(deadline);
  exchanges_.push_back(exchange);
  const runtime::Recall::Listener listener(
      recall, [this, &exchange] { end(*exchange, Error{Errc::closed, "recalled"}); });
  answer_stub(*exchange);
  Result<Bytes> result = co_await exchange->done.wait();
  if (!result && exchange->note.empty()) exchange->note = to_string(result.error());
  log_.push_back(describe(*exchange) + ": " + exchange->note);
  std::erase(exchanges_, exchange);
  co_return result;
}

/// Whether the root is asked for what lies in another stub zone: whoever is the root here knows it.
bool ScriptUpstream::answer_stub(Exchange& exchange) {
  const auto& questions = exchange.query.message.questions;
  const bool is_root = std::ranges::any_of(stubs_, [&](const StubZone& stub) {
    return stub.name.is_root() &&
           std::ranges::find(stub.addresses, exchange.server) != stub.addresses.end();
  });
  if (!is_root || questions.size() != 1) return false;
  for (const StubZone& stub : stubs_) {
    if (!is_delegated_to(stub, questions.front())) continue;
    answer(exchange, encode(referral(stub, exchange.query.message)), "a stub zone");
    return true;
  }
  return false;
}

std::vector<ScriptUpstream::Pending*> ScriptUpstream::pending() const {
  std::vector<Pending*> found;
  for (const auto& exchange : std::views::reverse(exchanges_)) {
    if (!exchange->is_ended) found.push_back(exchange.get());
  }
  return found;
}

void ScriptUpstream::end(Exchange& exchange, Result<Bytes> result) {
  if (exchange.is_ended) return;
  exchange.is_ended = true;
  // Not from inside a timer or the player: the waiter goes on at once and destroys the exchange.
  const auto at = std::ranges::find(exchanges_, &exchange, &std::shared_ptr<Exchange>::get);
  boost::asio::post(time_.io(), [kept = *at, result = std::move(result)]() mutable {
    kept->done.complete(std::move(result));
  });
}

void ScriptUpstream::answer(Pending& pending, const Bytes& message, std::string note) {
  auto& exchange = static_cast<Exchange&>(pending);
  exchange.is_dealt_with = true;
  exchange.note = std::move(note);
  switch (exchange.filter.judge(message)) {
    case runtime::ReplyVerdict::take: return end(exchange, message);
    case runtime::ReplyVerdict::give_up:
      exchange.note += " (taken for a forgery)";
      return end(exchange, Error{Errc::spoof_suspected, {}});
    case runtime::ReplyVerdict::ignore:
      exchange.note += " (ignored)";
      // Over TCP there is one message; the server closes behind it.
      if (exchange.query.transport == Transport::tcp) end(exchange, Error{Errc::closed, {}});
      return;
  }
}

void ScriptUpstream::fail(Pending& pending, Errc how, std::string note) {
  pending.is_dealt_with = true;
  pending.note = std::move(note);
  end(static_cast<Exchange&>(pending), Error{how, {}});
}

void ScriptUpstream::keep_silent(Pending& pending, std::string note) {
  pending.is_dealt_with = true;
  pending.note = std::move(note);
}

}  // namespace siskin::scenarios
