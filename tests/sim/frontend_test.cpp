/// Whole client queries, bytes to bytes, through serve, cache and resolve.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/base_world.hpp"
#include "sim/oracle.hpp"
#include "sim/random_world.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/text/print.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::resolve::Outcome;
using siskin::resolve::Question;
using siskin::runtime::Transport;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

void build(World& world) {
  std::string text =
      "$TTL 300\n@ NS ns\nns A 192.0.2.10\nwww A 192.0.2.80\nfar CNAME big.zone.test.\n";
  add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\nslow NS ns.slow\nns.slow A 192.0.2.12\n",
           "zone NS ns.zone\nns.zone A 192.0.2.11\n");
  world.add_zone("zone.example.", text + "d DNAME zone.test.\n");
  std::string big = "$TTL 60\n@ NS ns\nns A 192.0.2.11\nwww A 192.0.2.81\n";
  for (int i = 0; i < 20; ++i) {
    big += "big TXT \"" + std::string(100, static_cast<char>('a' + i)) + "\"\n";
  }
  world.add_zone("zone.test.", big);
  world.place_servers();
  world.add_server("192.0.2.12", {}).vices.is_dead = true;
}

Question question(const char* name, RRType type) {
  return {Name::from_text(name).value(), type};
}

}  // namespace

TEST_CASE("sim/frontend: from the cache the same is said as at first", "[sim]") {
  World world;
  build(world);
  SimFrontend frontend(world);
  const Question questions[] = {
      question("www.zone.example.", RRType::a),    question("www.zone.example.", RRType::aaaa),
      question("nope.zone.example.", RRType::a),   question("www.d.zone.example.", RRType::a),
      question("nope.d.zone.example.", RRType::a), question("zone.example.", RRType::ns),
      question("far.zone.example.", RRType::a),
  };
  for (const Question& q : questions) {
    CAPTURE(q.name.to_text(), to_string(q.type));
    const std::string first = to_text(outcome_of(frontend.ask(q), q, 4711));
    const std::size_t exchanges = frontend.resolver().upstream().count();
    CHECK(to_text(outcome_of(frontend.ask(q), q, 4711)) == first);
    CHECK(frontend.resolver().upstream().count() == exchanges);
  }
  CHECK(frontend.was_hit(frontend.send(questions[0])));
  CHECK(frontend.answer("www.d.zone.example.", RRType::a) ==
        "NOERROR\nd.zone.example. 300 IN DNAME zone.test.\n"
        "www.d.zone.example. 300 IN CNAME www.zone.test.\nwww.zone.test. 60 IN A 192.0.2.81\n");
}

TEST_CASE("sim/frontend: many askers of one question are one fetch", "[sim]") {
  World world;
  build(world);
  SimFrontend frontend(world);
  std::vector<SimFrontend::Ticket> tickets;
  for (std::uint16_t id = 1; id <= 50; ++id) {
    ClientQuery query;
    query.id = id;
    tickets.push_back(
        frontend.send(id % 2 == 0 ? "www.zone.example." : "WWW.zone.example.", RRType::a, query));
  }
  frontend.resolver().advance(siskin::Duration{});
  CHECK(frontend.fetches().in_flight() == 1);
  CHECK(frontend.frontend().pending() == 50);
  CHECK(frontend.resolver().time().settle(seconds(10)));
  CHECK(frontend.resolver().upstream().count() == 3);  // root, example., zone.example
  CHECK(frontend.frontend().pending() == 0);
  CHECK(frontend.fetches().in_flight() == 0);
  const Question asked = question("www.zone.example.", RRType::a);
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    REQUIRE(frontend.replies(tickets[i]).size() == 1);
    const auto outcome =
        outcome_of(frontend.replies(tickets[i]).front(), asked, static_cast<std::uint16_t>(i + 1));
    CHECK(to_text(outcome) == "NOERROR\nwww.zone.example. 300 IN A 192.0.2.80\n");
  }
}

TEST_CASE("sim/frontend: what does not fit is truncated over UDP and whole over TCP", "[sim]") {
  World world;
  build(world);
  SimFrontend frontend(world);
  const Question big = question("far.zone.example.", RRType::txt);
  for (int i = 0; i < 2; ++i) {
    const auto udp = frontend.ask(big);
    CHECK(udp.size() <= 1232);
    CHECK((udp[2] & 0x02) != 0);
    ClientQuery query;
    query.transport = Transport::tcp;
    const auto tcp = frontend.ask(big, query);
    CHECK((tcp[2] & 0x02) == 0);
    const Outcome outcome = outcome_of(tcp, big, 4711);
    REQUIRE(outcome.answer.size() == 2);
    CHECK(outcome.answer[0].owner == big.name);
    CHECK(outcome.answer[1].records.count() == 20);
  }
}

TEST_CASE("sim/frontend: a dead zone ends in SERVFAIL with the reason, within the time allowed",
          "[sim]") {
  World world;
  build(world);
  SimFrontend frontend(world);
  const auto before = frontend.resolver().time().elapsed();
  CHECK(frontend.answer("www.slow.example.", RRType::a) == "SERVFAIL\n; EDE 22\n");
  CHECK(frontend.resolver().time().elapsed() - before <= milliseconds(8001));
  const auto ticket = frontend.send("www.slow.example.", RRType::a);
  CHECK(frontend.was_hit(ticket));
}

TEST_CASE("sim/frontend: questions in flight end with SERVFAIL when the process stops", "[sim]") {
  World world;
  build(world);
  SimFrontend frontend(world);
  const auto ticket = frontend.send("www.slow.example.", RRType::a);
  frontend.resolver().advance(milliseconds(500));
  CHECK(frontend.replies(ticket).empty());
  frontend.frontend().fail_pending();
  REQUIRE(frontend.replies(ticket).size() == 1);
  CHECK(to_text(outcome_of(frontend.replies(ticket).front(),
                           question("www.slow.example.", RRType::a), 4711)) ==
        "SERVFAIL\n; EDE 14\n");
  frontend.resolver().resolver().stop();
  CHECK(frontend.resolver().time().settle(seconds(10)));
  CHECK(frontend.replies(ticket).size() == 1);
}

TEST_CASE("sim/frontend: in random worlds each query has one reply, equal to the zone data",
          "[sim]") {
  for (std::uint64_t seed = 1001; seed <= 1100; ++seed) {
    const RandomWorld random_world(seed, {});
    const Oracle oracle(random_world.world());
    SimResolver::Settings settings;
    settings.seed = seed;
    SimFrontend frontend(random_world.world(), settings);
    ClientQuery query;
    query.transport = Transport::tcp;  // no reply is cut
    // All at once, then all again, mostly from the cache.
    for (int turn = 0; turn < 2; ++turn) {
      std::vector<SimFrontend::Ticket> tickets;
      for (const Question& q : random_world.questions()) tickets.push_back(frontend.send(q, query));
      frontend.resolver().time().settle(seconds(20));
      for (std::size_t i = 0; i < tickets.size(); ++i) {
        const Question& q = random_world.questions()[i];
        CAPTURE(seed, turn, q.name.to_text(), to_string(q.type));
        REQUIRE(frontend.replies(tickets[i]).size() == 1);
        const Outcome outcome = outcome_of(frontend.replies(tickets[i]).front(), q, query.id);
        CAPTURE(to_text(outcome));
        CHECK(Oracle::disagreement(oracle.expect(q.name, q.type), outcome, false) == "");
      }
    }
    CHECK(frontend.frontend().pending() == 0);
    CHECK(frontend.fetches().in_flight() == 0);
    CHECK_FALSE(frontend.resolver().time().timers().next());
  }
}
