/// Faults met by asking for parts of a name, and by servers that err among good ones.
#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Rcode;
using siskin::wire::RRType;

TEST_CASE("fault B1: the whole name is asked with its own type at once", "[sim][fault]") {
  World world;
  add_base(world, "tok NS ns.tok\nns.tok A 192.0.2.10\n");
  world.add_zone("tok.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n* TXT \"v\"\n");
  world.add_server("192.0.2.10", {"tok.example."}).vices.hooks = {
      [](const Query& query, Reply& reply) {
        if (query.type == RRType::a) reply.rcode = Rcode::nxdomain;
      }};
  SimResolver resolver(world);
  CHECK(resolver.answer("x.tok.example.", RRType::txt) ==
        "NOERROR\nx.tok.example. 300 IN TXT \"v\"\n");
  CHECK(resolver.exchanges("192.0.2.10") == 1);
  CHECK(resolver.exchanges() == 3);
}

TEST_CASE("fault B5: NXDOMAIN for a label inside an alias's target is not the end",
          "[sim][fault]") {
  World world;
  add_base(world,
           "b.co NS ns.b.co\nns.b.co A 192.0.2.10\ncloud NS ns.cloud\nns.cloud A 192.0.2.11\n");
  world.add_zone("b.co.example.",
                 "$TTL 300\n@ NS ns\nns A 192.0.2.10\nwww CNAME a.prod.eu.dyn.cloud.example.\n");
  world.add_zone("cloud.example.",
                 "$TTL 300\n@ NS ns\nns A 192.0.2.11\na.prod.eu.dyn A 192.0.2.80\n");
  world.add_server("192.0.2.10", {"b.co.example."});
  world.add_server("192.0.2.11", {"cloud.example."}).vices.denies_non_terminals = true;
  SimResolver resolver(world);
  CHECK(resolver.answer("www.b.co.example.", RRType::a) ==
        "NOERROR\nwww.b.co.example. 300 IN CNAME a.prod.eu.dyn.cloud.example.\n"
        "a.prod.eu.dyn.cloud.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges("192.0.2.11") == 2);  // one label, then the whole name
}

TEST_CASE("fault B7: an alias to a name below itself", "[sim][fault]") {
  World world;
  add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\n");
  world.add_zone("zone.example.",
                 "$TTL 300\n@ NS ns\nns A 192.0.2.10\na.b CNAME x.a.b\nx.a.b A 192.0.2.80\n");
  // Alone in its reply, so that the target has to be asked for.
  world.add_server("192.0.2.10", {"zone.example."}).vices.hooks = {[](const Query&, Reply& reply) {
    if (reply.answer.size() > 1) reply.answer.resize(1);
  }};
  SimResolver resolver(world);
  CHECK(resolver.answer("a.b.zone.example.", RRType::a) ==
        "NOERROR\na.b.zone.example. 300 IN CNAME x.a.b.zone.example.\n"
        "x.a.b.zone.example. 300 IN A 192.0.2.80\n");
  // b, a.b and x.a.b: that an alias is at a.b says that b and a.b exist.
  CHECK(resolver.exchanges("192.0.2.10") == 3);
}

TEST_CASE("fault B31: three bad servers beside a good one", "[sim][fault]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    World world;
    add_base(
        world,
        "four NS a.four\nfour NS b.four\nfour NS c.four\nfour NS d.four\n"
        "a.four A 192.0.2.10\nb.four A 192.0.2.11\nc.four A 192.0.2.12\nd.four A 192.0.2.13\n");
    world.add_zone("four.example.",
                   "$TTL 300\n@ NS a\n@ NS b\n@ NS c\n@ NS d\na A 192.0.2.10\nb A 192.0.2.11\n"
                   "c A 192.0.2.12\nd A 192.0.2.13\nwww A 192.0.2.80\n");
    for (const char* bad : {"192.0.2.10", "192.0.2.11", "192.0.2.12", "192.0.2.13"}) {
      world.add_server(bad, {"four.example."});
    }
    world.server("192.0.2.10").vices.hooks = {
        [](const Query&, Reply& reply) { reply.rcode = Rcode::formerr; }};
    world.server("192.0.2.11").vices.lameness = Lameness::refused;
    world.server("192.0.2.12").vices.lameness = Lameness::servfail;
    SimResolver::Settings settings;
    settings.seed = seed;
    SimResolver resolver(world, settings);
    CAPTURE(seed);
    CHECK(resolver.answer("www.four.example.", RRType::a) ==
          "NOERROR\nwww.four.example. 300 IN A 192.0.2.80\n");
    // FORMERR may be about options, or about EDNS (fault B79).
    CHECK(resolver.exchanges("192.0.2.10") <= 3);
    CHECK(resolver.exchanges("192.0.2.11") <= 1);
    CHECK(resolver.exchanges("192.0.2.12") <= 1);
    CHECK(resolver.exchanges("192.0.2.13") == 1);
  }
}
