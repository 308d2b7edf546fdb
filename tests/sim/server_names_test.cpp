/// Server names whose addresses have to be looked up in zones that do not answer.
#include <fmt/format.h>

#include <string>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kAnswer = "NOERROR\nwww.shop.example. 300 IN A 192.0.2.80\n";
constexpr const char* kShop = "192.0.2.10";

/// shop.example. with servers of these names, all at kShop if at all.
void add_shop(World& world, const std::string& ns, const std::string& test_text) {
  add_base(world, ns, test_text);
  world.add_zone("shop.example.", "$TTL 300\n@ NS ns.host.test.\nwww A 192.0.2.80\n");
  world.add_server(kShop, {"shop.example."});
}

}  // namespace

TEST_CASE("sim/server_names: a name in a dead zone leaves time for the others", "[sim]") {
  constexpr int kNames = 3;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    World world;
    std::string ns;
    std::string test_text = "live NS ns.live\nns.live A 192.0.2.30\n";
    for (int i = 0; i < kNames; ++i) {
      ns += fmt::format("shop NS ns.dead{}.test.\n", i);
      test_text += fmt::format("dead{0} NS ns.dead{0}\nns.dead{0} A 192.0.2.{1}\n", i, 20 + i);
    }
    add_shop(world, ns + "shop NS ns.live.test.\n", test_text);
    for (int i = 0; i < kNames; ++i) {
      world.add_zone(fmt::format("dead{}.test.", i), "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
      world.add_server(fmt::format("192.0.2.{}", 20 + i), {fmt::format("dead{}.test.", i)})
          .vices.is_dead = true;
    }
    world.add_zone("live.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
    world.add_server("192.0.2.30", {"live.test."});
    SimResolver::Settings settings;
    settings.seed = seed;
    SimResolver resolver(world, settings);
    CHECK(resolver.answer("www.shop.example.", RRType::a) == kAnswer);
    // Three referrals, a second a dead zone, the living one's referral and address, the answer.
    CHECK(resolver.took() == seconds(kNames) + milliseconds(50));
    CHECK(resolver.exchanges() == 15);
    CHECK(resolver.answer("ns.dead0.test.", RRType::a).starts_with("SERVFAIL"));
    CHECK(resolver.exchanges() > 0);  // what was cut short is no failure to remember
  }
}

TEST_CASE("sim/server_names: the way to a name's zone is taken when that zone is silent about it",
          "[sim]") {
  World world;
  add_shop(world, "shop NS ns.host.test.\n", "host NS ns.host\nns.host A 192.0.2.10\n");
  world.add_zone("host.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  Server& server = world.server(kShop);
  server.serve(*world.find_zone(siskin::wire::Name::from_text("host.test.").value()));
  server.vices.hooks = {[](const Query& query, Reply& reply) {
    if (query.name == siskin::wire::Name::from_text("ns.host.test.").value())
      reply.is_silent = true;
  }};
  SimResolver resolver(world);
  CHECK(resolver.answer("www.shop.example.", RRType::a) == kAnswer);
  CHECK(resolver.took() == seconds(1) + milliseconds(30));
  CHECK(resolver.exchanges() == 7);
}

TEST_CASE("sim/server_names: a name whose zone is slow gets the time that the others left",
          "[sim]") {
  World world;
  add_shop(world, "shop NS ns.slow.test.\nshop NS ns.none.test.\n",
           "slow NS ns.slow\nns.slow A 192.0.2.30\n");
  world.add_zone("slow.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  world.add_server("192.0.2.30", {"slow.test."}).vices.slowness = milliseconds(1500);
  SimResolver resolver(world);
  CHECK(resolver.answer("www.shop.example.", RRType::a) == kAnswer);
  CHECK(resolver.took() == milliseconds(3360));
  CHECK(resolver.exchanges() == 11);
}
