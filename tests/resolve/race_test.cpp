// Runners of one race, each step of the network by hand.
#include "resolve/race.hpp"

#include <list>

#include "resolve/core_rig.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::milliseconds;
using Received = Result<std::vector<std::uint8_t>>;

constexpr std::uint16_t kAa = 0x0400;
constexpr std::uint16_t kTc = 0x0200;
const IpAddress kFirst = IpAddress::v4(192, 0, 2, 1);
const IpAddress kSecond = IpAddress::v4(192, 0, 2, 2);

/// Exchanges that end when the test says so.
class HeldUpstream final : public runtime::Upstream {
 public:
  struct Held {
    Seen seen;
    runtime::OneShot<Received> done;
  };

  std::list<Held*> held;  ///< under way, in order

  runtime::Task<Received> exchange(const Endpoint& server, runtime::Transport transport,
                                   std::span<const std::uint8_t> query,
                                   runtime::ReplyFilter& /*filter*/, Instant deadline,
                                   runtime::Recall& recall) override {
    Held mine{{server, transport, {query.begin(), query.end()}, {}, deadline}, {}};
    const runtime::Recall::Listener listener(
        recall, [&mine] { mine.done.complete(Error{Errc::closed, {}}); });
    held.push_back(&mine);
    Received received = co_await mine.done.wait();
    held.remove(&mine);
    co_return received;
  }
};

struct RaceRig {
  RaceRig() { race.emplace(core, asker, io.get_executor(), query, asked); }

  /// What next() gives, as far as it has come: "192.0.2.1", "late" or "".
  void listen() {
    boost::asio::co_spawn(io, race->next(),
                          [&](std::exception_ptr, std::optional<Race::Finish> finish) {
                            heard = finish ? finish->server.to_text() : "late";
                            if (finish) last = std::move(finish->attempt);
                          });
    settle();
  }

  void end() {
    boost::asio::co_spawn(io, race->end(), [&](std::exception_ptr) { heard = "end"; });
    settle();
  }

  void start(const IpAddress& server) {
    race->start(server);
    settle();
  }

  void answer(std::ptrdiff_t which, std::uint16_t flags = kAa) {
    HeldUpstream::Held& held = **std::next(upstream.held.begin(), which);
    held.done.complete(reply_to(held.seen, flags, record("c00c", RRType::a, "c0000201")));
    settle();
  }

  void pass(Duration time) {
    clock.advance(time);
    timers.run_expired(clock.now());
    settle();
  }

  void settle() {
    io.restart();
    while (io.poll() > 0) io.restart();
  }

  bool expects(const IpAddress& server, Duration rtt) {
    return core.servers.expected(server, milliseconds(77)) == rtt;
  }

  boost::asio::io_context io{1};
  cache::Cache cache{cache::Cache::Options{}};
  ManualClock clock;
  HeldUpstream upstream;
  SeededRandom random;
  runtime::TimerQueue timers;
  Core core{{cache, upstream, clock, random, timers}, Options{}, AddressPolicy({}), {}};
  ServerAsker asker{core};
  wire::Name qname = name("www.example.");
  wire::Name zone = name("example.");
  Query query{core.options, clock.now()};
  Asked asked{qname, RRType::a, zone};
  std::optional<Race> race;
  std::string heard;
  Attempt last;
};

}  // namespace

TEST_CASE("resolve/race: an answer in time ends it without a timer left", "[resolve]") {
  RaceRig rig;
  CHECK(rig.race->is_empty());
  rig.start(kFirst);
  CHECK_FALSE(rig.race->is_empty());
  CHECK(rig.race->has_room());
  rig.listen();
  CHECK(rig.timers.next() == rig.clock.now() + milliseconds(150));
  rig.pass(milliseconds(149));
  CHECK(rig.heard.empty());
  rig.answer(0);
  CHECK(rig.heard == "192.0.2.1");
  CHECK(rig.last.end == Attempt::End::reply);
  CHECK(rig.last.reply.kind == ReplyKind::answer);
  CHECK(rig.race->is_empty());
  CHECK_FALSE(rig.timers.next().has_value());
  CHECK(rig.query.budget.exchanges_spent() == 1);
  CHECK(rig.expects(kFirst, milliseconds(149)));
}

TEST_CASE("resolve/race: lateness is told once for each that is begun", "[resolve]") {
  RaceRig rig;
  rig.start(kFirst);
  rig.listen();
  rig.pass(milliseconds(150));
  CHECK(rig.heard == "late");
  CHECK_FALSE(rig.timers.next().has_value());
  rig.start(kSecond);
  CHECK_FALSE(rig.race->has_room());
  rig.heard.clear();
  rig.listen();
  rig.pass(milliseconds(149));
  CHECK(rig.heard.empty());
  rig.pass(milliseconds(1));
  CHECK(rig.heard == "late");
  rig.answer(1);
  rig.listen();
  CHECK(rig.heard == "192.0.2.2");
  rig.end();
  CHECK(rig.heard == "end");
  CHECK(rig.query.budget.exchanges_spent() == 2);
}

TEST_CASE("resolve/race: who is left at the end is recalled and nothing stays", "[resolve]") {
  RaceRig rig;
  rig.start(kFirst);
  rig.pass(milliseconds(150));
  rig.start(kSecond);
  rig.pass(milliseconds(149));
  rig.end();
  CHECK(rig.heard == "end");
  CHECK(rig.race->is_empty());
  CHECK(rig.upstream.held.empty());
  CHECK_FALSE(rig.timers.next().has_value());
  // The first had its time, the second not.
  CHECK(rig.expects(kFirst, milliseconds(800)));
  CHECK(rig.expects(kSecond, milliseconds(77)));
  rig.race.reset();
  rig.settle();
}

TEST_CASE("resolve/race: what comes as the race ends is measured and forgotten", "[resolve]") {
  RaceRig rig;
  rig.start(kFirst);
  rig.start(kSecond);
  rig.pass(milliseconds(40));
  rig.answer(0);
  rig.answer(0);
  rig.end();
  CHECK(rig.heard == "end");
  CHECK(rig.expects(kFirst, milliseconds(40)));
  CHECK(rig.expects(kSecond, milliseconds(40)));
}

TEST_CASE("resolve/race: over TCP a server has twice the time and has shown that it lives",
          "[resolve]") {
  RaceRig rig;
  rig.start(kFirst);
  rig.pass(milliseconds(100));
  rig.answer(0, kAa | kTc);
  // Measured now: (100 + 50) * 1.5, twice.
  CHECK(rig.timers.next() == rig.clock.now() + milliseconds(450));
  rig.pass(milliseconds(449));
  rig.listen();
  CHECK(rig.heard.empty());
  rig.pass(milliseconds(1));
  CHECK(rig.heard == "late");
  rig.end();
  CHECK(rig.expects(kFirst, milliseconds(100)));
}

TEST_CASE("resolve/race: nobody who is recalled is asked in another way", "[resolve]") {
  RaceRig rig;
  Leash leash;
  leash.recall.give();
  std::optional<Attempt> attempt;
  boost::asio::co_spawn(rig.io, rig.asker.ask(rig.query, kFirst, rig.asked, leash),
                        [&](std::exception_ptr, Attempt ended) { attempt = std::move(ended); });
  rig.settle();
  REQUIRE(attempt);
  CHECK(attempt->end == Attempt::End::recalled);
  CHECK(rig.query.budget.exchanges_spent() == 0);
  CHECK(rig.upstream.held.empty());
}

}  // namespace siskin::resolve::test
