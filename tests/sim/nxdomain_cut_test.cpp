/// NXDOMAIN of a name for all names below it (RFC 8020).
#include <fmt/format.h>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::seconds;

namespace {

/// bl.example is a block list whose server denies what only has names below it (fault B3).
void build(World& world) {
  add_base(world, "bl NS ns.bl\nns.bl A 192.0.2.10\nhonest NS ns.honest\nns.honest A 192.0.2.11\n");
  world.add_zone("bl.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n4.3.2.1 A 127.0.0.2\n");
  world.add_zone("honest.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.11\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.10", {"bl.example."}).vices.denies_non_terminals = true;
  world.add_server("192.0.2.11", {"honest.example."});
}

SimResolver::Settings believing() {
  SimResolver::Settings settings;
  settings.resolve.nxdomain_cut = true;
  return settings;
}

}  // namespace

TEST_CASE("sim/nxdomain_cut: a thousand names below a top-level name that does not exist cost one",
          "[sim]") {
  World world;
  build(world);
  SimResolver resolver(world);
  for (int i = 0; i < 1000; ++i) {
    const auto outcome = resolver.ask(fmt::format("a.r{}.nowhere.", i), RRType::a);
    CHECK(outcome.rcode == Rcode::nxdomain);
    REQUIRE(outcome.authority.size() == 1);
    CHECK(outcome.authority.front().owner.is_root());
  }
  CHECK(resolver.upstream().count() == 1);
  // For as long as the root says, not as long as it is asked for.
  resolver.advance(seconds(299));
  CHECK(resolver.ask("late.nowhere.", RRType::mx).rcode == Rcode::nxdomain);
  CHECK(resolver.exchanges() == 0);
  resolver.advance(seconds(2));
  CHECK(resolver.ask("later.nowhere.", RRType::mx).rcode == Rcode::nxdomain);
  CHECK(resolver.exchanges() == 1);
}

TEST_CASE("sim/nxdomain_cut: deeper it counts only where the operator says so", "[sim]") {
  World world;
  build(world);
  SimResolver doubting(world);
  SimResolver trusting(world, believing());
  for (int i = 0; i < 100; ++i) {
    const std::string name = fmt::format("r{}.no.honest.example.", i);
    CHECK(doubting.ask(name, RRType::a).rcode == Rcode::nxdomain);
    CHECK(trusting.ask(name, RRType::a).rcode == Rcode::nxdomain);
  }
  CHECK(trusting.upstream().count() == 3);                // root, example., honest.example.
  CHECK(doubting.upstream().count() == 3 + 2 * 100 - 1);  // "no" and the whole name, each time
}

TEST_CASE("sim/nxdomain_cut: an alias to a name below one that does not exist", "[sim]") {
  World world;
  add_base(world, "a CNAME b.c.nowhere.\n");
  SimResolver resolver(world);
  CHECK(resolver.ask("x.nowhere.", RRType::a).rcode == Rcode::nxdomain);
  CHECK(resolver.answer("a.example.", RRType::a) ==
        "NXDOMAIN\na.example. 3600 IN CNAME b.c.nowhere.\n"
        "; . 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
  CHECK(resolver.exchanges() == 2);
}

TEST_CASE("fault B3: a name that a server denies may have names below it all the same",
          "[sim][fault]") {
  World world;
  build(world);
  SimResolver resolver(world);
  CHECK(resolver.ask("9.9.9.1.bl.example.", RRType::a).rcode == Rcode::nxdomain);
  CHECK(resolver.ask("1.bl.example.", RRType::a).rcode == Rcode::nxdomain);
  CHECK(resolver.answer("4.3.2.1.bl.example.", RRType::a) ==
        "NOERROR\n4.3.2.1.bl.example. 300 IN A 127.0.0.2\n");
  CHECK(resolver.exchanges() == 2);  // "1", and the whole name
}

TEST_CASE("fault B3: a TLD's server that denies its own zone denies nothing below it",
          "[sim][fault]") {
  World world;
  build(world);
  world.server(kExample).vices.hooks = {[](const Query& query, Reply& reply) {
    if (query.name.label_count() == 1) reply.rcode = Rcode::nxdomain;
  }};
  SimResolver resolver(world);
  CHECK(resolver.ask("example.", RRType::mx).rcode == Rcode::nxdomain);
  CHECK(resolver.answer("www.honest.example.", RRType::a) ==
        "NOERROR\nwww.honest.example. 300 IN A 192.0.2.80\n");
}
