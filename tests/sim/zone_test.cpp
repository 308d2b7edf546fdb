#include "sim/zone.hpp"

#include <stdexcept>

#include "sim/outcome_text.hpp"
#include "support/catch.hpp"

using siskin::sim::Finding;
using siskin::sim::Lookup;
using siskin::sim::Zone;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

const char* const kZone = R"(
$TTL 300
@          NS    ns1
ns1        A     192.0.2.1
www        A     192.0.2.80
           AAAA  2001:db8::80
alias      CNAME www
deep.er.ent A    192.0.2.81
d          DNAME target.test.
d          TXT   "at the owner itself"
*.w        TXT   "wild"
*.wc       CNAME www
host.w     A     192.0.2.82
child      NS    ns.child
           DS    1 8 2 0000000000000000000000000000000000000000000000000000000000000000
ns.child   A     192.0.2.2
)";

Lookup look_up(const char* name, RRType type) {
  static const Zone zone("example.", kZone);
  return zone.look_up(*Name::from_text(name), type);
}

std::string set_text(const Lookup& lookup) {
  return lookup.set ? siskin::sim::to_text(*lookup.set) : "";
}

}  // namespace

TEST_CASE("sim/zone: every kind of name is found for what it is", "[sim]") {
  struct Row {
    const char* name;
    RRType type;
    Finding finding;
    const char* set;
  };
  const Row rows[] = {
      {"www.example.", RRType::a, Finding::answer, "www.example. 300 IN A 192.0.2.80\n"},
      {"WWW.example.", RRType::aaaa, Finding::answer, "www.example. 300 IN AAAA 2001:db8::80\n"},
      {"www.example.", RRType::mx, Finding::nodata, ""},
      {"example.", RRType::ns, Finding::answer, "example. 300 IN NS ns1.example.\n"},
      {"example.", RRType::a, Finding::nodata, ""},
      {"nope.example.", RRType::a, Finding::nxdomain, ""},
      {"x.www.example.", RRType::a, Finding::nxdomain, ""},
      {"ent.example.", RRType::a, Finding::nodata, ""},
      {"er.ent.example.", RRType::a, Finding::nodata, ""},
      {"x.ent.example.", RRType::a, Finding::nxdomain, ""},
      {"alias.example.", RRType::a, Finding::alias, "alias.example. 300 IN CNAME www.example.\n"},
      {"alias.example.", RRType::cname, Finding::answer,
       "alias.example. 300 IN CNAME www.example.\n"},
      {"d.example.", RRType::txt, Finding::answer,
       "d.example. 300 IN TXT \"at the owner itself\"\n"},
      {"d.example.", RRType::a, Finding::nodata, ""},
      {"x.y.d.example.", RRType::a, Finding::dname, "d.example. 300 IN DNAME target.test.\n"},
      {"any.thing.w.example.", RRType::txt, Finding::answer,
       "any.thing.w.example. 300 IN TXT \"wild\"\n"},
      {"any.w.example.", RRType::a, Finding::nodata, ""},
      {"x.wc.example.", RRType::a, Finding::alias, "x.wc.example. 300 IN CNAME www.example.\n"},
      {"host.w.example.", RRType::txt, Finding::nodata, ""},
      {"x.host.w.example.", RRType::txt, Finding::nxdomain, ""},
      {"w.example.", RRType::txt, Finding::nodata, ""},
      {"child.example.", RRType::ns, Finding::referral,
       "child.example. 300 IN NS ns.child.example.\n"},
      {"ns.child.example.", RRType::a, Finding::referral,
       "child.example. 300 IN NS ns.child.example.\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name, to_string(row.type));
    const Lookup found = look_up(row.name, row.type);
    CHECK(found.finding == row.finding);
    CHECK(set_text(found) == row.set);
  }
  CHECK(look_up("child.example.", RRType::ds).finding == Finding::answer);
}

TEST_CASE("sim/zone: negative answers carry the SOA with its MINIMUM as TTL", "[sim]") {
  const Zone given("example.", "@ 3600 SOA a. b. 7 1 1 1 60\n");
  CHECK(siskin::sim::to_text(given.negative_soa()) == "example. 60 IN SOA a. b. 7 1 1 1 60\n");
  const Zone added("example.", "");
  CHECK(siskin::sim::to_text(added.negative_soa()) ==
        "example. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
}

TEST_CASE("sim/zone: a test's mistakes are not passed over", "[sim]") {
  CHECK_THROWS_AS(Zone("example.", "www A 192.0.2\n"), std::invalid_argument);
  CHECK_THROWS_AS(Zone("example.", "www.test. A 192.0.2.1\n"), std::invalid_argument);
  CHECK_THROWS_AS(Zone("exa..mple.", ""), std::invalid_argument);
}
