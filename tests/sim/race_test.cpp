/// Zones some of whose servers are dead, slow or lossy: what that costs in time and packets.
#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <string>
#include <vector>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Duration;
using siskin::resolve::Outcome;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::uint64_t kSeeds = 40;
constexpr const char* kAnswer = "NOERROR\nwww.zone.example. 300 IN A 192.0.2.80\n";

using Addresses = std::vector<std::string>;

/// `zone`, delegated from example. to one server an address.
void add_zone_at(World& world, const std::string& zone, const Addresses& addresses) {
  std::string servers;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const bool is_v6 = addresses[i].find(':') != std::string::npos;
    servers += fmt::format("{0} NS s{1}.{0}\ns{1}.{0} {2} {3}\n", zone + ".example.", i,
                           is_v6 ? "AAAA" : "A", addresses[i]);
  }
  world.add_zone(zone + ".example.", "$TTL 300\n" + servers + "* A 192.0.2.80\n");
  for (const std::string& address : addresses) {
    world.add_server(address, {zone + ".example."});
  }
}

std::string delegation(const std::string& zone, const Addresses& addresses) {
  std::string text;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const bool is_v6 = addresses[i].find(':') != std::string::npos;
    text += fmt::format("{0} NS s{1}.{0}\ns{1}.{0} {2} {3}\n", zone, i, is_v6 ? "AAAA" : "A",
                        addresses[i]);
  }
  return text;
}

const World& build(World& world, const Addresses& addresses) {
  add_base(world, delegation("zone", addresses));
  add_zone_at(world, "zone", addresses);
  return world;
}

SimResolver::Settings seeded(std::uint64_t seed) {
  SimResolver::Settings settings;
  settings.seed = seed;
  return settings;
}

/// zone.example at these addresses, its parents asked already.
struct Scene {
  Scene(std::uint64_t seed, const Addresses& addresses)
      : resolver(build(world, addresses), seeded(seed)) {
    CHECK(resolver.ask("ns.tld.example.", RRType::a).rcode == Rcode::noerror);
  }

  Vices& vices(const std::string& address) { return world.server(address).vices; }

  std::string ask(const std::string& name = "www.zone.example.") {
    std::string text = resolver.answer(name, RRType::a);
    CHECK(resolver.upstream().pending() == 0);
    CHECK(resolver.time().settle(Duration{}));  // no timer is left
    return text;
  }

  /// What the last question cost beyond its referral, if it had to get that.
  std::size_t packets() const { return resolver.exchanges() - resolver.exchanges(kExample); }
  Duration took() const {
    return resolver.took() - milliseconds(10) * resolver.exchanges(kExample);
  }

  World world;
  SimResolver resolver;
};

const Addresses kTwo = {"192.0.2.10", "192.0.2.11"};
const Addresses kSix = {"192.0.2.10", "192.0.2.11", "192.0.2.12",
                        "192.0.2.13", "192.0.2.14", "192.0.2.15"};

}  // namespace

TEST_CASE("sim/race: while answers come in time, a question is one packet", "[sim]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kSix);
    CHECK(scene.ask() == kAnswer);
    CHECK(scene.packets() == 1);
    for (int i = 0; i < 20; ++i) {
      scene.ask(fmt::format("w{}.zone.example.", i));
      CHECK(scene.packets() == 1);
      CHECK(scene.took() == milliseconds(10));
    }
  }
}

TEST_CASE("sim/race: a dead server of two costs its patience once", "[sim]") {
  unsigned raced = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kTwo);
    scene.vices("192.0.2.10").is_dead = true;
    CHECK(scene.ask() == kAnswer);
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.resolver.exchanges("192.0.2.11") == 1);
    const std::size_t wasted = scene.resolver.exchanges("192.0.2.10");
    CHECK(wasted <= 1);
    CHECK(scene.took() == milliseconds(wasted == 1 ? 160 : 10));
    if (wasted == 0) continue;
    ++raced;
    CHECK(scene.resolver.log().find("closed after 160.000ms") != std::string::npos);
    // It had its time, so others are not sent there.
    for (int i = 0; i < 20; ++i) {
      scene.ask(fmt::format("w{}.zone.example.", i));
      CHECK(scene.packets() == 1);
      CHECK(scene.took() == milliseconds(10));
    }
  }
  CHECK(raced > kSeeds / 4);
}

TEST_CASE("sim/race: with five of six servers dead the answer comes within a second", "[sim]") {
  Duration slowest{};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kSix);
    for (std::size_t i = 0; i < 5; ++i) scene.vices(kSix[i]).is_dead = true;
    CHECK(scene.ask() == kAnswer);
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.packets() <= 6);
    for (const std::string& address : kSix) CHECK(scene.resolver.exchanges(address) <= 1);
    CHECK(scene.took() <= milliseconds(960));
    slowest = std::max(slowest, scene.took());
  }
  CHECK(slowest > milliseconds(800));  // some have it as bad as can be
}

TEST_CASE("sim/race: where all are dead, the work stays within its bounds", "[sim]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kSix);
    for (const std::string& address : kSix) scene.vices(address).is_dead = true;
    CHECK(scene.ask() == "SERVFAIL\n; EDE 22\n");
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.packets() <= 16);
    CHECK(scene.took() <= milliseconds(8001));
  }
}

TEST_CASE("sim/race: both slow but alive: one answer, and no race from then on", "[sim]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kTwo);
    for (const std::string& address : kTwo) scene.vices(address).slowness = milliseconds(250);
    CHECK(scene.ask() == kAnswer);
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.packets() == 2);
    CHECK(scene.took() == milliseconds(260));
    for (int i = 0; i < 5; ++i) {
      // The other had no time in the race, so it counts as unknown and has its turn.
      scene.ask(fmt::format("w{}.zone.example.", i));
      CHECK(scene.packets() <= 2);
      CHECK(scene.took() <= milliseconds(410));
    }
    scene.ask("last.zone.example.");
    CHECK(scene.packets() == 1);
    CHECK(scene.took() == milliseconds(260));
  }
}

TEST_CASE("sim/race: with 30 % loss answers still come, for two packets or so", "[sim]") {
  constexpr unsigned kQuestions = 50;
  std::size_t packets = 0;
  unsigned failures = 0;
  Duration time{};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kTwo);
    scene.world.link.loss = 0.3;
    for (unsigned i = 0; i < kQuestions; ++i) {
      const std::string text = scene.ask(fmt::format("w{}.zone.example.", i));
      CAPTURE(seed, i, text, scene.resolver.log());
      if (text != fmt::format("NOERROR\nw{}.zone.example. 300 IN A 192.0.2.80\n", i)) {
        CHECK(text == "SERVFAIL\n; EDE 22\n");
        ++failures;
      }
      CHECK(scene.packets() <= 16);
      packets += scene.packets();
      time += scene.took();
      scene.resolver.advance(seconds(1));  // a zone found silent is left alone for so long
    }
  }
  CAPTURE(packets, failures, time / milliseconds(1));
  CHECK(failures < 40);  // of 2000; one server leads to the zone, and the silent die
  CHECK(packets < 5 * kSeeds * kQuestions / 2);  // at best 1 / 0.49 each
  CHECK(time < kSeeds * kQuestions * milliseconds(350));
}

TEST_CASE("sim/race: a server lame at once has its place taken at once", "[sim]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, {"192.0.2.10", "192.0.2.11", "192.0.2.12"});
    scene.vices("192.0.2.10").is_dead = true;
    scene.vices("192.0.2.11").lameness = Lameness::refused;
    CHECK(scene.ask() == kAnswer);
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.packets() <= 3);
    CHECK(scene.took() <= milliseconds(170));
  }
}

TEST_CASE("sim/race: a long answer over TCP is no lateness", "[sim]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Scene scene(seed, kTwo);
    for (const std::string& address : kTwo) {
      scene.vices(address).truncates_always = true;
      scene.vices(address).slowness = milliseconds(90);
    }
    CHECK(scene.ask() == kAnswer);
    CAPTURE(seed, scene.resolver.log());
    CHECK(scene.packets() == 2);  // UDP, TCP
    CHECK(scene.resolver.exchanges("192.0.2.10") % 2 == 0);
  }
}

TEST_CASE("sim/race: of a dead family three servers are asked, then none", "[sim]") {
  World world;
  std::string parent;
  constexpr int kZones = 30;
  for (int i = 0; i < kZones; ++i) {
    const Addresses addresses = {fmt::format("192.0.2.{}", 100 + i),
                                 fmt::format("2001:db8::{}", i)};
    parent += delegation(fmt::format("z{}", i), addresses);
  }
  parent += delegation("only", {"2001:db8::99"});
  add_base(world, parent);
  for (int i = 0; i < kZones; ++i) {
    add_zone_at(world, fmt::format("z{}", i),
                {fmt::format("192.0.2.{}", 100 + i), fmt::format("2001:db8::{}", i)});
    world.server(fmt::format("2001:db8::{}", i)).vices.is_dead = true;
  }
  add_zone_at(world, "only", {"2001:db8::99"});
  SimResolver resolver(world);
  CHECK(resolver.ask("ns.tld.example.", RRType::a).rcode == Rcode::noerror);

  const auto ask_all = [&](const std::string& host) {
    unsigned late = 0;
    for (int i = 0; i < kZones; ++i) {
      const Outcome outcome = resolver.ask(fmt::format("{}.z{}.example.", host, i), RRType::a);
      CHECK(outcome.rcode == Rcode::noerror);
      const Duration took = resolver.took() - milliseconds(10) * resolver.exchanges(kExample);
      CHECK(took <= milliseconds(160));
      late += took > milliseconds(10);
    }
    return late;
  };
  CHECK(ask_all("one") == 3);
  CHECK(ask_all("two") == 0);
  // After its rest one may try again.
  resolver.advance(seconds(31));
  const unsigned late = ask_all("three");
  CHECK(late <= 1);
  // One answer of the family, of a zone that has no other, and it is as good as before.
  CHECK(resolver.ask("www.only.example.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.took() == milliseconds(20));
}

TEST_CASE("sim/race: a resolver stopped in the middle of a race begins nothing more", "[sim]") {
  Scene scene(1, kTwo);
  for (const std::string& address : kTwo) scene.vices(address).is_dead = true;
  std::optional<Outcome> outcome;
  const siskin::resolve::Question question{
      siskin::wire::Name::from_text("www.zone.example.").value(), RRType::a};
  boost::asio::co_spawn(scene.resolver.time().io().get_executor(),
                        scene.resolver.resolver().resolve(question),
                        [&](std::exception_ptr, Outcome result) { outcome = std::move(result); });
  scene.resolver.advance(milliseconds(210));
  REQUIRE(scene.resolver.upstream().pending() == 2);
  const std::size_t begun = scene.resolver.upstream().count();
  scene.resolver.resolver().stop();
  scene.resolver.advance(milliseconds(350));
  REQUIRE(outcome);
  CHECK(outcome->rcode == Rcode::servfail);
  CHECK(scene.resolver.upstream().count() == begun);
  CHECK(scene.resolver.upstream().pending() == 0);
  CHECK(scene.resolver.time().settle(Duration{}));
}
