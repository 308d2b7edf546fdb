/// What the fuzz target does with one input; a test runs the same body on good and odd input.
/// A broken promise ends the process (SISKIN_CHECK), and memory errors are the sanitizers' part.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <vector>

#include "siskin/base/check.hpp"
#include "siskin/serve/frontend.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::serve::fuzz {

class StoppedClock final : public runtime::Clock {
 public:
  Instant now() const noexcept override { return Instant(std::chrono::seconds(1000)); }
};

class NoRandom final : public runtime::Random {
 public:
  void fill(std::span<std::uint8_t> out) noexcept override { std::ranges::fill(out, 0); }
};

/// Gives one address to every name, and says that there is nothing else.
class OneAddress final : public Questioner {
 public:
  runtime::Task<resolve::Outcome> resolve(resolve::Question question) override {
    resolve::Outcome outcome;
    outcome.rcode = wire::Rcode::noerror;
    if (question.type == wire::RRType::a) {
      wire::RRset set{question.name, question.type, 60, {}, {}};
      set.records.add(IpAddress::v4(192, 0, 2, 1).octets());
      outcome.answer.push_back(set);
    }
    co_return outcome;
  }
};

class OneCore final : public Crew {
 public:
  unsigned size() const noexcept override { return 1; }
  void post(unsigned, std::function<void()> work) override { work(); }
  Fetches& fetches(unsigned) noexcept override { return *own; }

  Fetches* own = nullptr;
};

/// Reads a reply to its last octet.
inline void check_reply(wire::Bytes message, wire::Bytes reply) {
  wire::Reader reader(reply);
  SISKIN_CHECK(message.size() >= wire::kHeaderSize && reply.size() >= wire::kHeaderSize);
  SISKIN_CHECK(std::ranges::equal(reply.first(2), message.first(2)));
  SISKIN_CHECK((reply[2] & 0x80) != 0 && (reply[2] & 0x79) == (message[2] & 0x79));
  reader.skip(4);
  const std::size_t questions = reader.u16();
  std::size_t records = reader.u16();
  records += reader.u16();
  records += reader.u16();
  SISKIN_CHECK(questions <= 1);
  if (questions == 1) {
    reader.skip_name();
    reader.skip(4);
    const std::size_t size = reader.position() - wire::kHeaderSize;
    SISKIN_CHECK(std::ranges::equal(reply.subspan(wire::kHeaderSize, size),
                                    message.subspan(wire::kHeaderSize, size)));
  }
  for (; records > 0; --records) {
    reader.name();
    reader.skip(8);
    reader.skip(reader.u16());
  }
  SISKIN_CHECK(!reader.failed() && reader.remaining() == 0);
}

class CheckingSink final : public runtime::ReplySink {
 public:
  explicit CheckingSink(wire::Bytes message) : message_(message) {}
  void send(const runtime::ReplyTicket&, std::span<const std::uint8_t> reply) override {
    check_reply(message_, reply);
    ++sent;
  }
  void abandon(const runtime::ReplyTicket&) override { SISKIN_CHECK(false); }

  std::size_t sent = 0;

 private:
  wire::Bytes message_;
};

/// One frontend that knows a few names: "a." and its alias "b.", and that "c." does not exist.
class Target {
 public:
  Target() {
    crew_.own = &fetches_;
    const wire::Name a = *wire::Name::from_text("a");
    const wire::Name b = *wire::Name::from_text("b");
    keep(a, wire::RRType::a, IpAddress::v4(192, 0, 2, 1).octets());
    keep(b, wire::RRType::cname, a.wire());
    cache::Value nothing;
    nothing.kind = cache::Kind::nxdomain;
    nothing.ttl = 60;
    cache_.store(*wire::Name::from_text("c"), cache::kNameSlot, nothing, clock_.now());
  }

  /// Promise: one reply to what is not dropped, readable to its end, within the client's limits.
  void check(wire::Bytes message, runtime::Transport transport) {
    using Done = runtime::QueryHandler::Done;
    CheckingSink sink(message);
    std::vector<std::uint8_t> buffer(transport == runtime::Transport::udp ? 4096 : 65535);
    const auto outcome = frontend_.handle(message, transport, {}, sink, buffer);
    io_.restart();
    io_.poll();
    SISKIN_CHECK(sink.sent == (outcome.done == Done::pending ? 1 : 0));
    SISKIN_CHECK(frontend_.pending() == 0 && fetches_.in_flight() == 0);
    if (outcome.done != Done::replied) return;
    SISKIN_CHECK(transport == runtime::Transport::tcp ||
                 outcome.reply_size <= wire::kUdpSizeDefault);
    check_reply(message, {buffer.data(), outcome.reply_size});
  }

 private:
  static cache::Cache::Options cache_options() {
    cache::Cache::Options options;
    options.shards = 1;
    options.bytes_max = 1U << 20;
    return options;
  }

  static Frontend::Options options() {
    Frontend::Options options;
    options.version = "siskin";
    options.identity = "fuzz";
    return options;
  }

  void keep(const wire::Name& owner, wire::RRType type, wire::Bytes rdata) {
    cache::Value value;
    value.ttl = 60;
    value.answer.push_back({owner, type, 60, {}, {}});
    value.answer[0].records.add(rdata);
    SISKIN_CHECK(cache_.store(owner, type, value, clock_.now()));
  }

  boost::asio::io_context io_;
  StoppedClock clock_;
  NoRandom random_;
  cache::Cache cache_{cache_options()};
  policy::ClientSubnets subnets_{{24, 56, {Network()}}};
  policy::AccessList access_{{Network::of(IpAddress::v4(0, 0, 0, 0), 0)}};
  OneAddress questioner_;
  Fetches fetches_{questioner_, io_.get_executor(), {}};
  OneCore crew_;
  Frontend frontend_{{cache_, access_, clock_, random_, crew_, 0, {}, &subnets_}, options()};
};

}  // namespace siskin::serve::fuzz
