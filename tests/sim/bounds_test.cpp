/// Limits a zone and a server in flight, and zones whose servers are all silent.
#include <fmt/format.h>

#include "sim/base_world.hpp"
#include "sim/crowd.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Duration;
using siskin::resolve::Outcome;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kVictim1 = "192.0.2.50";
constexpr const char* kVictim2 = "192.0.2.51";
constexpr int kOthers = 20;

/// victim.example with two servers, and twenty zones o0.test, o1.test, ... with one each.
void build(World& world) {
  std::string others;
  for (int i = 0; i < kOthers; ++i) {
    others += fmt::format("o{0} NS ns.o{0}\nns.o{0} A 192.0.2.{1}\n", i, 100 + i);
  }
  add_base(world,
           "victim NS a.victim\nvictim NS b.victim\na.victim A 192.0.2.50\nb.victim A 192.0.2.51\n"
           "twin NS a.victim\n",
           others);
  world.add_zone("victim.example.",
                 "$TTL 300\n@ NS a\n@ NS b\na A 192.0.2.50\nb A 192.0.2.51\n* A 192.0.2.80\n");
  world.add_zone("twin.example.", "$TTL 300\n@ NS a.victim.example.\n* A 192.0.2.81\n");
  world.add_server(kVictim1, {"victim.example.", "twin.example."});
  world.add_server(kVictim2, {"victim.example."});
  for (int i = 0; i < kOthers; ++i) {
    const std::string zone = fmt::format("o{}.test.", i);
    const std::string address = fmt::format("192.0.2.{}", 100 + i);
    world.add_zone(zone, fmt::format("$TTL 300\n@ NS ns\nns A {}\n* A 192.0.2.80\n", address));
    world.add_server(address, {zone});
  }
}

Vices dead() {
  Vices vices;
  vices.is_dead = true;
  return vices;
}

SimResolver::Settings limited(std::uint32_t per_zone, std::uint32_t per_server) {
  SimResolver::Settings settings;
  settings.resolve.queries_per_zone = per_zone;
  settings.resolve.queries_per_server = per_server;
  return settings;
}

/// A second of water torture: 1,000 names of the victim, and 100 of the other zones.
void torture(SimResolver& resolver, Crowd& attackers, Crowd& others, int second) {
  for (int tick = 0; tick < 100; ++tick) {
    for (int i = 0; i < 10; ++i) {
      attackers.ask(fmt::format("r{}x{}x{}.victim.example.", second, tick, i));
    }
    others.ask(fmt::format("w{}x{}.o{}.test.", second, tick, tick % kOthers));
    resolver.advance(milliseconds(10));
  }
}

/// All zones' delegations known.
void warm(SimResolver& resolver) {
  CHECK(resolver.ask("warm.victim.example.", RRType::a).rcode == Rcode::noerror);
  for (int i = 0; i < kOthers; ++i) {
    CHECK(resolver.ask(fmt::format("warm.o{}.test.", i), RRType::a).rcode == Rcode::noerror);
  }
}

}  // namespace

TEST_CASE("sim/bounds: water torture of a zone that falls silent costs the others nothing",
          "[sim]") {
  World world;
  build(world);
  // It answers for two seconds, is silent for ten, and is there again.
  for (const char* server : {kVictim1, kVictim2}) {
    world.server(server).behave(seconds(3), seconds(13), dead());
  }
  SimResolver resolver(world, limited(50, 50));
  warm(resolver);
  resolver.advance(seconds(1) - resolver.time().elapsed());
  Crowd attackers(resolver);
  Crowd others(resolver);
  std::size_t sent = resolver.upstream().count();

  for (int second = 0; second < 2; ++second) torture(resolver, attackers, others, second);
  // One exchange each, of both kinds.
  CHECK(resolver.upstream().count() - sent == 2 * 1100);
  CHECK(attackers.failures() == 0);
  CHECK(attackers.pending_max() == 10);  // 1,000 a second times 10 ms

  sent = resolver.upstream().count();
  for (int second = 2; second < 12; ++second) torture(resolver, attackers, others, second);
  const std::size_t silent_cost = resolver.upstream().count() - sent - 1000;
  CAPTURE(silent_cost, attackers.pending_max(), attackers.failures());
  // Before it is known: in flight what was answered in the two seconds before at most.
  CHECK(silent_cost < 3000);
  CHECK(attackers.pending_max() < 2100);

  // Known to be silent: a probe now and then, and the others refused at once.
  CHECK(attackers.pending() <= 50);
  resolver.advance(seconds(3));
  CHECK(attackers.pending() == 0);
  for (int second = 15; second < 20; ++second) torture(resolver, attackers, others, second);
  resolver.advance(seconds(8));
  const std::size_t failed = attackers.failures();
  CHECK(resolver.ask("again.victim.example.", RRType::a).rcode == Rcode::noerror);
  CHECK(failed < 15000);

  CHECK(others.pending() == 0);
  CHECK(others.failures() == 0);
  for (const auto& asker : others.askers()) CHECK(asker.took() == milliseconds(10));
  CHECK(resolver.upstream().pending() == 0);
}

TEST_CASE("sim/bounds: a zone never heard has no more in flight than its limit", "[sim]") {
  World world;
  build(world);
  for (const char* server : {kVictim1, kVictim2}) world.server(server).vices.is_dead = true;
  SimResolver resolver(world, limited(50, 1000));
  CHECK(resolver.ask("ns.tld.example.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.ask("ns.tld.test.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.ask("w.o0.test.", RRType::a).rcode == Rcode::noerror);
  Crowd attackers(resolver);
  Crowd others(resolver);
  // The delegation first, so that the limit alone counts.
  attackers.ask("first.victim.example.");
  resolver.advance(milliseconds(20));
  for (int i = 0; i < 1000; ++i) attackers.ask(fmt::format("r{}.victim.example.", i));
  others.ask("x.o0.test.");
  resolver.advance(milliseconds(10));
  CHECK(attackers.pending() == 50);
  CHECK(attackers.failures() == 951);
  CHECK(attackers.askers().back().reason() ==
        "limit reached: 50 queries in flight to servers of victim.example.");
  CHECK(others.failures() == 0);
  CHECK(others.askers().back().took() == milliseconds(10));
  resolver.advance(seconds(8));
  CHECK(attackers.pending() == 0);
  CHECK(attackers.failures() == 1001);
}

TEST_CASE("sim/bounds: what a limit refuses is not remembered", "[sim]") {
  World world;
  build(world);
  for (const char* server : {kVictim1, kVictim2}) {
    world.server(server).behave(seconds(0), seconds(1), dead());
  }
  SimResolver resolver(world, limited(2, 1000));
  CHECK(resolver.ask("ns.tld.example.", RRType::a).rcode == Rcode::noerror);
  Crowd crowd(resolver);
  crowd.ask("one.victim.example.");
  crowd.ask("two.victim.example.");
  resolver.advance(milliseconds(100));
  const Outcome refused = resolver.ask("three.victim.example.", RRType::a);
  CHECK(refused.rcode == Rcode::servfail);
  REQUIRE(refused.error);
  CHECK(refused.error->code == siskin::wire::Ede::other);
  CHECK(resolver.took() == Duration{});
  CHECK(resolver.exchanges() == 0);
  resolver.advance(seconds(3));
  CHECK(crowd.pending() == 0);
  CHECK(crowd.failures() == 0);
  CHECK(resolver.ask("three.victim.example.", RRType::a).rcode == Rcode::noerror);
}

TEST_CASE("sim/bounds: one server's limit holds across zones, and another server is asked",
          "[sim]") {
  World world;
  build(world);
  world.server(kVictim1).vices.is_dead = true;
  SimResolver resolver(world, limited(1000, 5));
  CHECK(resolver.ask("ns.tld.example.", RRType::a).rcode == Rcode::noerror);
  Crowd crowd(resolver);
  crowd.ask("first.twin.example.");
  resolver.advance(milliseconds(20));
  for (int i = 0; i < 10; ++i) crowd.ask(fmt::format("r{}.twin.example.", i));
  resolver.advance(milliseconds(1));
  CHECK(crowd.pending() == 5);
  CHECK(crowd.failures() == 6);
  CHECK(crowd.askers().back().reason() ==
        "limit reached: 5 queries in flight to 192.0.2.50, a server of twin.example.");
  // victim.example has a server more.
  for (int i = 0; i < 3; ++i) {
    CHECK(resolver.ask(fmt::format("r{}.victim.example.", i), RRType::a).rcode == Rcode::noerror);
    CHECK(resolver.exchanges(kVictim1) == 0);
  }
  resolver.advance(seconds(9));
  CHECK(crowd.pending() == 0);
}

TEST_CASE("sim/bounds: a zone that answers has as much in flight as it answers", "[sim]") {
  World world;
  build(world);
  for (const char* server : {kVictim1, kVictim2}) {
    world.server(server).vices.slowness = milliseconds(270);  // 300 in all, or some 20 more
    world.server(server).link = Link{milliseconds(5), milliseconds(25)};
  }
  SimResolver resolver(world, limited(20, 20));
  CHECK(resolver.ask("warm.victim.example.", RRType::a).rcode == Rcode::noerror);
  for (int i = 0; i < 8; ++i) {
    CHECK(resolver.ask(fmt::format("warm{}.victim.example.", i), RRType::a).rcode ==
          Rcode::noerror);
  }
  Crowd crowd(resolver);
  // From 20 a second, half as many again each second, up to 200.
  double rate = 20;
  for (int second = 0; second < 10; ++second, rate = std::min(rate * 1.5, 200.0)) {
    const int count = static_cast<int>(rate);
    for (int i = 0; i < count; ++i) {
      crowd.ask(fmt::format("r{}x{}.victim.example.", second, i));
      resolver.advance(Duration(seconds(1)) / count);
    }
  }
  CHECK(crowd.pending_max() > 55);
  resolver.advance(seconds(8));
  CHECK(crowd.pending() == 0);
  std::string reasons;
  for (const auto& asker : crowd.askers()) {
    if (asker.failed()) reasons += asker.reason() + "\n";
  }
  CHECK(reasons == "");
}

TEST_CASE("sim/bounds: after one name of a silent zone the next cost little", "[sim]") {
  World world;
  build(world);
  for (const char* server : {kVictim1, kVictim2}) world.server(server).vices.is_dead = true;
  SimResolver resolver(world);
  CHECK(to_text(resolver.ask("one.victim.example.", RRType::a)) == "SERVFAIL\n; EDE 22\n");
  CHECK(resolver.took() <= milliseconds(8001));
  const std::size_t first = resolver.exchanges();
  CAPTURE(resolver.log());
  CHECK(first <= 20);
  const Outcome second = resolver.ask("two.victim.example.", RRType::a);
  CHECK(to_text(second) == "SERVFAIL\n; EDE 22\n");
  CHECK(second.error->text.starts_with("servers of victim.example.: 192.0.2.5"));
  CHECK(second.error->text.find("192.0.2.50 timeout") != std::string::npos);
  CHECK(second.error->text.find("192.0.2.51 timeout") != std::string::npos);
  CHECK(second.error->text.ends_with(" (lately)"));
  CHECK(resolver.took() == Duration{});
  CHECK(resolver.exchanges() == 0);

  // A name each 100 ms for a minute: probes only, of four packets at most, 4 s apart in the end.
  const std::size_t before = resolver.upstream().count();
  Crowd crowd(resolver);
  for (int i = 0; i < 600; ++i) {
    crowd.ask(fmt::format("r{}.victim.example.", i));
    resolver.advance(milliseconds(100));
    CHECK(crowd.pending() <= 1);
  }
  resolver.advance(seconds(8));
  CHECK(crowd.failures() == 600);
  CHECK(resolver.upstream().count() - before <= 4 * 18);
}

TEST_CASE("sim/bounds: a silent zone is there again within five seconds (fault B125)", "[sim]") {
  World world;
  build(world);
  for (const char* server : {kVictim1, kVictim2}) {
    world.server(server).behave(seconds(0), seconds(180), dead());
  }
  SimResolver resolver(world);
  Crowd crowd(resolver);
  int names = 0;
  while (resolver.time().elapsed() < seconds(180)) {
    crowd.ask(fmt::format("r{}.victim.example.", names++));
    resolver.advance(milliseconds(200));
  }
  while (resolver.time().elapsed() < seconds(185)) {
    crowd.ask(fmt::format("r{}.victim.example.", names++));
    resolver.advance(milliseconds(200));
  }
  CHECK(resolver.ask("there.victim.example.", RRType::a).rcode == Rcode::noerror);
  resolver.advance(seconds(8));
  CHECK(crowd.pending() == 0);
}
