/// Faults that make one client query into many packets.
#include <fmt/format.h>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::seconds;

TEST_CASE("fault A51: a referral to 1,500 names of a victim costs it 20 packets at most",
          "[sim][fault]") {
  World world;
  add_base(world, "atk NS ns.atk\nns.atk A 192.0.2.10\n", "vic NS ns.vic\nns.vic A 192.0.2.11\n");
  std::string attack = "$TTL 300\n@ NS ns\nns A 192.0.2.10\n";
  for (int r = 1; r <= 10; ++r) {
    for (int i = 1; i <= 1500; ++i) attack += fmt::format("r{} NS n{}x{}.vic.test.\n", r, r, i);
  }
  world.add_zone("atk.example.", attack);
  world.add_zone("vic.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.11\n");
  world.add_server("192.0.2.10", {"atk.example."});
  world.add_server("192.0.2.11", {"vic.test."});
  SimResolver resolver(world);
  for (int r = 1; r <= 10; ++r) {
    const auto outcome = resolver.ask(fmt::format("www.r{}.atk.example.", r), RRType::a);
    CAPTURE(r, resolver.log());
    CHECK(to_text(outcome) == "SERVFAIL\n; EDE 22\n");
    CHECK(outcome.error->text.find("limit reached: look-ups of server names") != std::string::npos);
    // Ten names, whose denial holds for both families.
    CHECK(resolver.exchanges("192.0.2.11") == 10);
    CHECK(resolver.took() < seconds(2));
    // The same again costs nothing.
    CHECK(resolver.ask(fmt::format("www.r{}.atk.example.", r), RRType::a).rcode == Rcode::servfail);
    CHECK(resolver.exchanges() == 0);
  }
}

TEST_CASE("fault A55: aliases times name servers times aliases: one budget for all of it",
          "[sim][fault]") {
  World world;
  std::string delegations;
  for (int z = 0; z < 10; ++z) {
    for (int n = 0; n < 20; ++n) delegations += fmt::format("z{0} NS n{1}.h{0}.test.\n", z, n);
  }
  std::string hosts;
  for (int z = 0; z < 10; ++z) hosts += fmt::format("h{0} NS ns.h{0}\nns.h{0} A 192.0.2.20\n", z);
  add_base(world, delegations, hosts);
  Server& all = world.add_server("192.0.2.20", {});
  for (int z = 0; z < 10; ++z) {
    // The name of each server is an alias of the next, and the last leads on into the next zone;
    // the very last is where it is.
    std::string text = "$TTL 300\n@ NS ns\nns A 192.0.2.20\n";
    for (int n = 0; n < 20; ++n) {
      text += n < 19 ? fmt::format("n{} CNAME n{}\n", n, n + 1)
                     : fmt::format("n19 CNAME n0.h{}.test.\n", (z + 1) % 10);
    }
    all.serve(world.add_zone(fmt::format("h{}.test.", z), text));
    all.serve(world.add_zone(fmt::format("z{}.example.", z),
                             fmt::format("$TTL 300\n@ NS n0.h{0}.test.\n"
                                         "a.b.c.d CNAME a.b.c.d.z{1}.example.\n",
                                         z, z + 1)));
  }
  // One link a reply.
  all.vices.hooks = {[](const Query&, Reply& reply) {
    if (reply.answer.size() > 1) reply.answer.resize(1);
  }};
  SimResolver resolver(world);
  const auto outcome = resolver.ask("a.b.c.d.z0.example.", RRType::a);
  CAPTURE(resolver.log());
  CHECK(outcome.rcode == Rcode::servfail);
  CHECK(resolver.exchanges() <= 100);
  CHECK(outcome.exchanges == resolver.exchanges());
  CHECK(resolver.took() <= seconds(8));
  CHECK(resolver.ask("a.b.c.d.z0.example.", RRType::a).rcode == Rcode::servfail);
  CHECK(resolver.exchanges() == 0);
}

TEST_CASE("fault A59: a name of 127 labels takes ten steps at most, not one a label",
          "[sim][fault]") {
  World world;
  add_base(world, "deep NS ns.deep\nns.deep A 192.0.2.10\n");
  world.add_zone("deep.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  // It says "no data" to everything.
  world.add_server("192.0.2.10", {"deep.example."}).vices.hooks = {[](const Query&, Reply& reply) {
    reply.rcode = Rcode::noerror;
    reply.answer.clear();
    reply.authority.clear();
  }};
  std::string labels;
  for (int i = 0; i < 120; ++i) labels += "a.";
  for (const RRType type : {RRType::ds, RRType::ns, RRType::a}) {
    SimResolver resolver(world);
    const auto outcome = resolver.ask(labels + "deep.example.", type);
    CAPTURE(resolver.log());
    CHECK(outcome.answer.empty());
    CHECK(resolver.exchanges("192.0.2.10") <= 10);
    CHECK(resolver.exchanges() <= 12);
    CHECK(resolver.took() < seconds(1));
  }
}

TEST_CASE("fault A59: the same where nothing is said at all ends with the budget", "[sim][fault]") {
  World world;
  add_base(world, "deep NS ns.deep\nns.deep A 192.0.2.10\n");
  world.add_zone("deep.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  world.add_server("192.0.2.10", {"deep.example."}).vices.lameness = Lameness::empty;
  std::string labels;
  for (int i = 0; i < 120; ++i) labels += "a.";
  SimResolver resolver(world);
  CHECK(resolver.ask(labels + "deep.example.", RRType::ds).rcode == Rcode::servfail);
  CAPTURE(resolver.log());
  CHECK(resolver.exchanges("192.0.2.10") <= 3);
}
