#include "sim/oracle.hpp"

#include "sim/outcome_text.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::resolve::Outcome;
using siskin::wire::Ede;
using siskin::wire::ExtendedError;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;

namespace {

void build(World& world) {
  world.add_zone(".", R"(
@ NS a.root.
a.root. A 192.0.2.1
example. NS ns.example.
ns.example. A 192.0.2.2
test. NS ns.nowhere.
void. NS ns.example.
)");
  world.add_zone("example.", R"(
$TTL 300
@ NS ns
ns A 192.0.2.2
www A 192.0.2.80
far CNAME www.sub
loop CNAME pool
pool CNAME loop
d DNAME sub
sub NS ns.sub
ns.sub A 192.0.2.3
glueless NS ns.sub
one NS ns.two
two NS ns.one
six NS ns.six
ns.six AAAA 2001:db8::6
)");
  world.add_zone("sub.example.", "$TTL 60\n@ NS ns\nns A 192.0.2.3\nwww A 192.0.2.81\n");
  world.add_zone("glueless.example.", "@ NS ns.sub.example.\nwww A 192.0.2.82\n");
  world.add_zone("one.example.", "@ NS ns.two.example.\nns A 192.0.2.4\n");
  world.add_zone("two.example.", "@ NS ns.one.example.\nns A 192.0.2.5\n");
  world.add_zone("six.example.", "@ NS ns\nns AAAA 2001:db8::6\nwww A 192.0.2.83\n");
  world.place_servers();
}

/// "unreachable", or the answer.
std::string expected(const World& world, const char* name, RRType type, bool ipv6 = true) {
  const Expectation e = Oracle(world, true, ipv6).expect(*Name::from_text(name), type);
  if (!e.is_within_reach) return "out of reach: " + to_string(e.rcode);
  std::string text = to_string(e.rcode) + '\n';
  for (const auto& set : e.answer) text += to_text(set);
  if (e.soa) text += "; SOA of " + e.soa->owner.to_text() + '\n';
  return text;
}

}  // namespace

TEST_CASE("sim/oracle: answers come from the zone that holds the name", "[sim]") {
  World world;
  build(world);
  CHECK(expected(world, "www.example.", RRType::a) ==
        "NOERROR\nwww.example. 300 IN A 192.0.2.80\n");
  CHECK(expected(world, "sub.example.", RRType::ns) ==
        "NOERROR\nsub.example. 60 IN NS ns.sub.example.\n");
  CHECK(expected(world, "www.example.", RRType::mx) == "NOERROR\n; SOA of example.\n");
  CHECK(expected(world, "no.sub.example.", RRType::a) == "NXDOMAIN\n; SOA of sub.example.\n");
  CHECK(expected(world, "sub.example.", RRType::ds) == "NOERROR\n; SOA of example.\n");
  CHECK(expected(world, "nothing.", RRType::a) == "NXDOMAIN\n; SOA of .\n");
}

TEST_CASE("sim/oracle: aliases lead across zones, loops to SERVFAIL", "[sim]") {
  World world;
  build(world);
  CHECK(
      expected(world, "far.example.", RRType::a) ==
      "NOERROR\nfar.example. 300 IN CNAME www.sub.example.\nwww.sub.example. 60 IN A 192.0.2.81\n");
  CHECK(expected(world, "www.d.example.", RRType::a) ==
        "NOERROR\nd.example. 300 IN DNAME sub.example.\n"
        "www.d.example. 300 IN CNAME www.sub.example.\nwww.sub.example. 60 IN A 192.0.2.81\n");
  CHECK(expected(world, "loop.example.", RRType::a) == "out of reach: SERVFAIL");
}

TEST_CASE("sim/oracle: a zone is within reach as far as delegations and addresses go", "[sim]") {
  World world;
  build(world);
  CHECK(expected(world, "www.glueless.example.", RRType::a) ==
        "NOERROR\nwww.glueless.example. 3600 IN A 192.0.2.82\n");
  CHECK(expected(world, "ns.one.example.", RRType::a) == "out of reach: NOERROR");
  CHECK(expected(world, "www.six.example.", RRType::a) ==
        "NOERROR\nwww.six.example. 3600 IN A 192.0.2.83\n");
  CHECK(expected(world, "www.six.example.", RRType::a, false) == "out of reach: NOERROR");
  CHECK(expected(world, "www.test.", RRType::a) == "out of reach: SERVFAIL");
  CHECK(expected(world, "www.void.", RRType::a) == "out of reach: SERVFAIL");
  world.server("192.0.2.3").vices.is_dead = true;
  CHECK(expected(world, "www.glueless.example.", RRType::a) == "out of reach: NOERROR");
}

TEST_CASE("sim/oracle: disagreement is found in records, owners, TTLs and RCODEs", "[sim]") {
  World world;
  build(world);
  const Expectation e = Oracle(world).expect(*Name::from_text("far.example."), RRType::a);
  const auto differs = [&e](const Outcome& outcome, bool may_fail = false) {
    return !Oracle::disagreement(e, outcome, may_fail).empty();
  };
  const Outcome right{Rcode::noerror, e.answer, {}, {}, 0};
  CHECK_FALSE(differs(right));
  Outcome other = right;
  other.answer[0].ttl = 299;
  other.answer[0].owner = *Name::from_text("FAR.example.");
  CHECK_FALSE(differs(other));
  other.answer[0].ttl = 301;
  CHECK(differs(other));
  other = right;
  other.answer.pop_back();
  CHECK(differs(other));
  other = right;
  other.answer[1].records.add(siskin::IpAddress::v4(203, 0, 113, 66).octets());
  CHECK(differs(other));
  other = right;
  other.rcode = Rcode::nxdomain;
  CHECK(differs(other));
  other = right;
  other.authority.push_back(world.find_zone(Name())->soa());
  CHECK(differs(other));
  other = Outcome{Rcode::servfail, {}, {}, ExtendedError{Ede::other, ""}, 0};
  CHECK(differs(other));
  CHECK_FALSE(differs(other, true));
  other.error.reset();
  CHECK(differs(other, true));
}
