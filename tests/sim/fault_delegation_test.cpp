/// Faults of delegations and of choosing servers.
#include <string>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Ede;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::seconds;

namespace {

bool is_unreachable(const siskin::resolve::Outcome& outcome) {
  return outcome.rcode == Rcode::servfail && outcome.error &&
         (outcome.error->code == Ede::no_reachable_authority ||
          outcome.error->code == Ede::network_error);
}

}  // namespace

TEST_CASE("fault B13: glue and child's address expire before the parent's NS", "[sim][fault]") {
  World world;
  add_base(world, "foo NS ns.host\nhost NS ns.host\nns.host A 192.0.2.10\n");
  world.add_zone("host.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  world.add_zone("foo.example.",
                 "$TTL 60\n@ 3600 NS ns.host.example.\na A 192.0.2.80\nb A 192.0.2.81\n");
  world.add_server("192.0.2.10", {"host.example.", "foo.example."});
  SimResolver resolver(world);
  CHECK(resolver.answer("a.foo.example.", RRType::a) ==
        "NOERROR\na.foo.example. 60 IN A 192.0.2.80\n");
  CHECK(resolver.answer("ns.host.example.", RRType::a) ==
        "NOERROR\nns.host.example. 300 IN A 192.0.2.10\n");
  resolver.advance(seconds(301));
  CHECK(resolver.answer("b.foo.example.", RRType::a) ==
        "NOERROR\nb.foo.example. 60 IN A 192.0.2.81\n");
  CHECK(resolver.exchanges("192.0.2.10") <= 2);
  CHECK(resolver.exchanges() <= 3);
}

TEST_CASE("fault B13: the server's address came from its own zone and has expired",
          "[sim][fault]") {
  World world;
  // foo.example is delegated without glue: the address is host.example's to give, for 300 s.
  add_base(world, "foo NS ns.host.test.\n", "host NS ns.host\nns.host A 192.0.2.10\n");
  world.add_zone("host.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n");
  world.add_zone("foo.example.",
                 "$TTL 60\n@ 3600 NS ns.host.test.\na A 192.0.2.80\nb A 192.0.2.81\n");
  world.add_server("192.0.2.10", {"host.test.", "foo.example."});
  SimResolver resolver(world);
  CHECK(resolver.answer("a.foo.example.", RRType::a) ==
        "NOERROR\na.foo.example. 60 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges(kRoot) == 2);
  resolver.advance(seconds(301));
  CHECK(resolver.answer("b.foo.example.", RRType::a) ==
        "NOERROR\nb.foo.example. 60 IN A 192.0.2.81\n");
  CHECK(resolver.exchanges("192.0.2.10") == 2);  // ns.host.test. A, and the question
  CHECK(resolver.exchanges() == 2);
}

TEST_CASE("fault B15: a zone that serves its own server name, without glue", "[sim][fault]") {
  for (const char* ns : {"self", "ns.self"}) {
    CAPTURE(ns);
    World world;
    add_base(world, std::string("self NS ") + ns + "\n");
    SimResolver resolver(world);
    const auto outcome = resolver.ask("www.self.example.", RRType::a);
    CAPTURE(to_text(outcome), resolver.log());
    CHECK(is_unreachable(outcome));
    CHECK(resolver.exchanges() <= 5);
    CHECK(resolver.took() < seconds(1));
    CHECK(is_unreachable(resolver.ask("self.example.", RRType::a)));
    CHECK(resolver.exchanges() <= 5);
  }
}

TEST_CASE("fault B17: a server name that does not exist says nothing about the zone's names",
          "[sim][fault]") {
  World world;
  add_base(world, "shop NS ns1.nosuchtld.\n");
  SimResolver resolver(world);
  const auto outcome = resolver.ask("www.shop.example.", RRType::a);
  CAPTURE(to_text(outcome), resolver.log());
  CHECK(is_unreachable(outcome));
  CHECK(outcome.answer.empty());
  CHECK(outcome.authority.empty());
  CHECK(resolver.exchanges(kRoot) <= 3);  // example., and ns1.nosuchtld. A and AAAA
  CHECK(resolver.exchanges() <= 5);
}

TEST_CASE("fault B19: an odd octet in one server name does not hurt the other", "[sim][fault]") {
  World world;
  add_base(world,
           "odd NS ns-1.dns.example.:.\nodd NS ns-2.dns\n"
           "dns NS ns-2.dns\nns-2.dns A 192.0.2.10\n");
  world.add_zone("odd.example.",
                 "$TTL 300\n@ NS ns-1.dns.example.:.\n@ NS ns-2.dns.example.\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.10", {"odd.example."});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SimResolver::Settings settings;
    settings.seed = seed;
    SimResolver resolver(world, settings);
    CHECK(resolver.answer("www.odd.example.", RRType::a) ==
          "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
    CHECK(resolver.answer("odd.example.", RRType::ns) ==
          "NOERROR\nodd.example. 300 IN NS ns-1.dns.example.:.\n"
          "odd.example. 300 IN NS ns-2.dns.example.\n");
  }
}

TEST_CASE("fault B19: only the odd name works, if it is one that exists", "[sim][fault]") {
  World world;
  add_base(world, "odd NS ns:1.odd\nns:1.odd A 192.0.2.10\n");
  world.add_zone("odd.example.", "$TTL 300\n@ NS ns:1\nns:1 A 192.0.2.10\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.10", {"odd.example."});
  SimResolver resolver(world);
  CHECK(resolver.answer("www.odd.example.", RRType::a) ==
        "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.answer("ns:1.odd.example.", RRType::a) ==
        "NOERROR\nns:1.odd.example. 300 IN A 192.0.2.10\n");
}

TEST_CASE("fault B21: servers with IPv6 glue only count for nothing when IPv6 is off",
          "[sim][fault]") {
  World world;
  add_base(world,
           "v NS ns1.v\nv NS ns2.other\nns1.v AAAA 2001:db8::1\n"
           "other NS ns.other\nns.other A 192.0.2.10\n");
  world.add_zone("other.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\nns2 A 192.0.2.11\n");
  world.add_zone("v.example.",
                 "$TTL 300\n@ NS ns1\n@ NS ns2.other.example.\n"
                 "ns1 AAAA 2001:db8::1\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.10", {"other.example."});
  world.add_server("192.0.2.11", {"v.example."});
  world.add_server("2001:db8::1", {"v.example."});
  SimResolver::Settings settings;
  settings.resolve.ipv6 = false;
  SimResolver resolver(world, settings);
  CHECK(resolver.answer("www.v.example.", RRType::a) ==
        "NOERROR\nwww.v.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges("2001:db8::1") == 0);
  CAPTURE(resolver.log());
  CHECK(resolver.exchanges("192.0.2.10") == 1);
  // The question, and perhaps whether ns1.v.example has an A after all.
  CHECK(resolver.exchanges("192.0.2.11") <= 2);
  CHECK(resolver.took() < seconds(1));

  SimResolver both(world);
  CHECK(both.answer("www.v.example.", RRType::a) ==
        "NOERROR\nwww.v.example. 300 IN A 192.0.2.80\n");
}

TEST_CASE("fault B23: without IPv4 the IPv6 address of a server is looked for, whatever the glue",
          "[sim][fault]") {
  World world;
  world.add_zone(".", R"(
@               NS   ns.root.
ns.root.        AAAA 2001:db8::1
example.        NS   ns.tld.example.
ns.tld.example. AAAA 2001:db8::2
)");
  world.add_zone("example.", R"(
@        NS   ns.tld
ns.tld   AAAA 2001:db8::2
m        NS   ns1.host
n        NS   ns2.host
ns1.host A    192.0.2.10
ns2.host A    192.0.2.11
host     NS   ns.host
ns.host  AAAA 2001:db8::3
)");
  world.add_zone("host.example.", R"(
@   NS   ns
ns  AAAA 2001:db8::3
ns1 AAAA 2001:db8::4
ns1 A    192.0.2.10
ns2 A    192.0.2.11
)");
  world.add_zone("m.example.", "$TTL 300\n@ NS ns1.host.example.\nwww A 192.0.2.80\n");
  world.add_zone("n.example.", "$TTL 300\n@ NS ns2.host.example.\nwww A 192.0.2.80\n");
  world.place_servers();
  SimResolver::Settings settings;
  settings.resolve.ipv4 = false;
  SimResolver resolver(world, settings);
  CHECK(resolver.answer("www.m.example.", RRType::a) ==
        "NOERROR\nwww.m.example. 300 IN A 192.0.2.80\n");
  CAPTURE(resolver.log());
  CHECK(resolver.exchanges("2001:db8::4") == 1);
  CHECK(resolver.exchanges() <= 6);
  const auto outcome = resolver.ask("www.n.example.", RRType::a);
  CHECK(to_text(outcome) == "SERVFAIL\n; EDE 22\n");
  CHECK(resolver.exchanges("192.0.2.11") == 0);
}
