#include "serve/hit.hpp"

#include <algorithm>
#include <set>

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::cache::Kind;
using siskin::cache::kNameSlot;
using siskin::serve::kAliasesMax;
using siskin::wire::Ede;
using siskin::wire::ExtendedError;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::seconds;

namespace {

constexpr auto kPending = World::Done::pending;

QuerySpec asking(const std::string& name, RRType type = RRType::a) {
  QuerySpec spec;
  spec.name = name;
  spec.type = type;
  spec.opts = {OptSpec{}};
  return spec;
}

/// n0.example. to n<links>.example., each an alias of the next.
void keep_chain(World& world, unsigned links) {
  for (unsigned i = 0; i < links; ++i) {
    const std::string next = "n" + std::to_string(i + 1) + ".example.";
    world.keep(cname_set("n" + std::to_string(i) + ".example.", 300, next));
  }
}

}  // namespace

TEST_CASE("serve/hit: TTLs are counted down to the second and then nothing is known", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  CHECK(world.ask({}).answer == Lines{"www.example. 300 IN A 192.0.2.1"});
  world.clock.advance(seconds(100));
  CHECK(world.ask({}).answer == Lines{"www.example. 200 IN A 192.0.2.1"});
  world.clock.advance(seconds(199));
  CHECK(world.ask({}).answer == Lines{"www.example. 1 IN A 192.0.2.1"});
  world.clock.advance(seconds(1));
  CHECK(world.handle(query({})).done == kPending);
}

TEST_CASE("serve/hit: no data and no name come with the zone's SOA", "[serve]") {
  World world;
  world.keep_negative("www.example.", RRType::aaaa, Kind::nodata, soa_set("example.", 60));
  world.keep_negative("no.example.", kNameSlot, Kind::nxdomain, soa_set("example.", 60));
  world.clock.advance(seconds(20));
  const Reply nodata = world.ask(asking("www.example.", RRType::aaaa));
  CHECK(nodata.rcode == Rcode::noerror);
  CHECK(nodata.answer.empty());
  CHECK(nodata.authority == Lines{"example. 40 IN SOA (22)"});
  for (const RRType type : {RRType::a, RRType::txt, RRType::cname, RRType{65280}}) {
    const Reply nxdomain = world.ask(asking("No.example.", type));
    CHECK(nxdomain.rcode == Rcode::nxdomain);
    CHECK(nxdomain.authority == Lines{"example. 40 IN SOA (22)"});
    CHECK_FALSE(nxdomain.error());
  }
}

TEST_CASE("serve/hit: aliases are followed, each with its own TTL", "[serve]") {
  World world;
  world.keep(cname_set("www.example.", 300, "web.other.example."));
  world.clock.advance(seconds(10));
  world.keep(cname_set("web.other.example.", 100, "host.example."));
  world.clock.advance(seconds(10));
  world.keep(a_set("host.example.", 50, {"192.0.2.1"}));
  const Lines expected = {"wwW.example. 280 IN CNAME web.other.example.",
                          "web.other.example. 90 IN CNAME host.example.",
                          "host.example. 50 IN A 192.0.2.1"};
  CHECK(world.ask(asking("wwW.example.")).answer == expected);
  CHECK(world.ask(asking("wwW.example.")).rcode == Rcode::noerror);
}

TEST_CASE("serve/hit: who asks for a CNAME gets it alone", "[serve]") {
  World world;
  world.keep(cname_set("www.example.", 300, "host.example."));
  world.keep(a_set("host.example.", 300, {"192.0.2.1"}));
  CHECK(world.ask(asking("www.example.", RRType::cname)).answer ==
        Lines{"www.example. 300 IN CNAME host.example."});
}

TEST_CASE("serve/hit: an alias comes with the DNAME that made it", "[serve]") {
  World world;
  siskin::wire::RRset dname = cname_set("old.example.", 300, "new.example.");
  dname.type = RRType::dname;
  siskin::cache::Value value;
  value.ttl = 300;
  value.answer = {dname, cname_set("www.old.example.", 300, "www.new.example.")};
  REQUIRE(world.cache.store(name("www.old.example."), RRType::cname, value, world.clock.now()));
  world.keep(a_set("www.new.example.", 60, {"192.0.2.1"}));
  CHECK(world.ask(asking("www.old.example.")).answer ==
        Lines{"old.example. 300 IN DNAME new.example.",
              "www.old.example. 300 IN CNAME www.new.example.",
              "www.new.example. 60 IN A 192.0.2.1"});
}

TEST_CASE("serve/hit: fault B45: a chain that ends in no name is NXDOMAIN with its aliases",
          "[serve]") {
  World world;
  world.keep(cname_set("a.example.", 300, "gone.other.example."));
  world.keep_negative("gone.other.example.", kNameSlot, Kind::nxdomain,
                      soa_set("other.example.", 60));
  const Reply reply = world.ask(asking("a.example."));
  CHECK(reply.rcode == Rcode::nxdomain);
  CHECK(reply.answer == Lines{"a.example. 300 IN CNAME gone.other.example."});
  CHECK(reply.authority == Lines{"other.example. 60 IN SOA (22)"});
  const Reply alias = world.ask(asking("a.example.", RRType::cname));
  CHECK(alias.rcode == Rcode::noerror);
  CHECK(alias.answer == Lines{"a.example. 300 IN CNAME gone.other.example."});
  CHECK(alias.authority.empty());
}

TEST_CASE("serve/hit: a chain that ends in no data is NOERROR with its aliases", "[serve]") {
  World world;
  world.keep(cname_set("a.example.", 300, "b.example."));
  world.keep_negative("b.example.", RRType::a, Kind::nodata, soa_set("example.", 60));
  const Reply reply = world.ask(asking("a.example."));
  CHECK(reply.rcode == Rcode::noerror);
  CHECK(reply.answer == Lines{"a.example. 300 IN CNAME b.example."});
  CHECK(reply.authority == Lines{"example. 60 IN SOA (22)"});
}

TEST_CASE("serve/hit: a chain without its end is a miss", "[serve]") {
  World world;
  keep_chain(world, 3);
  CHECK(world.handle(query(asking("n0.example."))).done == kPending);
  world.run();
  REQUIRE(world.questions_asked() == 1);
  CHECK(world.asked().asked[0].name.to_text() == "n0.example.");

  QuerySpec without_recursion = asking("n0.example.");
  without_recursion.flags = 0;
  const Reply refused = world.ask(without_recursion);
  CHECK(refused.rcode == Rcode::refused);
  CHECK(refused.answer.empty());
}

TEST_CASE("serve/hit: a remembered failure is SERVFAIL with its first reason", "[serve]") {
  World world;
  const ExtendedError why{Ede::no_reachable_authority, "192.0.2.9 does not answer"};
  world.keep_failure("b.example.", RRType::a, why);
  world.keep(cname_set("a.example.", 300, "b.example."));
  for (const char* asked : {"a.example.", "b.example."}) {
    const Reply reply = world.ask(asking(asked));
    CHECK(reply.rcode == Rcode::servfail);
    CHECK(reply.answer.empty());
    CHECK(reply.error() == why);
  }
  QuerySpec plain = asking("b.example.");
  plain.opts.clear();
  CHECK(world.ask(plain).rcode == Rcode::servfail);
  CHECK_FALSE(world.ask(plain).opt);
  world.clock.advance(seconds(5));
  CHECK(world.handle(query(asking("b.example."))).done == kPending);
}

TEST_CASE("serve/hit: a failure to find an alias does not hide that the name is not there",
          "[serve]") {
  World world;
  world.keep_failure("no.example.", RRType::cname, {Ede::network_error, "once"});
  world.keep_negative("no.example.", kNameSlot, Kind::nxdomain, soa_set("example.", 60));
  CHECK(world.ask(asking("no.example.")).rcode == Rcode::nxdomain);
}

TEST_CASE("serve/hit: that there is no alias is no answer to another type", "[serve]") {
  World world;
  world.keep_negative("www.example.", RRType::cname, Kind::nodata, soa_set("example.", 60));
  CHECK(world.handle(query({})).done == kPending);
}

TEST_CASE("serve/hit: eleven aliases are followed, a twelfth is too many", "[serve]") {
  World world;
  keep_chain(world, kAliasesMax);
  world.keep(a_set("n11.example.", 300, {"192.0.2.1"}));
  CHECK(world.ask(asking("n0.example.")).answer.size() == kAliasesMax + 1);

  world.keep(cname_set("first.example.", 300, "n0.example."));
  const Reply reply = world.ask(asking("first.example."));
  CHECK(reply.rcode == Rcode::servfail);
  CHECK(reply.answer.empty());
  CHECK(reply.error() == ExtendedError{Ede::other, "more than 11 aliases, or a loop of them"});
}

TEST_CASE("serve/hit: an alias loop is SERVFAIL without records", "[serve]") {
  World world;
  world.keep(cname_set("self.example.", 300, "self.example."));
  world.keep(cname_set("a.example.", 300, "b.example."));
  world.keep(cname_set("b.example.", 300, "A.example."));
  for (const char* asked : {"self.example.", "a.example.", "b.example."}) {
    const Reply reply = world.ask(asking(asked));
    CHECK(reply.rcode == Rcode::servfail);
    CHECK(reply.answer.empty());
    CHECK(reply.error()->code == Ede::other);
  }
  CHECK(world.questions_asked() == 0);
}

TEST_CASE("serve/hit: what does not fit over UDP is left out by whole sets, aliases stay",
          "[serve]") {
  World world;
  world.keep(cname_set("www.example.", 300, "big.example."));
  world.keep(txt_set("big.example.", 300, 20, 100));
  const Reply reply = world.ask(asking("www.example.", RRType::txt));
  CHECK(reply.truncated());
  CHECK(reply.answer == Lines{"www.example. 300 IN CNAME big.example."});
  CHECK(reply.size <= 1232);
  const Reply whole = world.ask_tcp(asking("www.example.", RRType::txt));
  CHECK_FALSE(whole.truncated());
  CHECK(whole.answer.size() == 21);
}

TEST_CASE("serve/hit: fault A75: what does not fit over TCP is SERVFAIL", "[serve]") {
  World world;
  Lines addresses;
  for (int i = 0; i < 5000; ++i) {
    addresses.push_back("10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250));
  }
  world.keep(a_set("www.example.", 300, addresses));
  const Reply reply = world.ask_tcp(asking("www.example."));
  CHECK(reply.rcode == Rcode::servfail);
  CHECK_FALSE(reply.truncated());
  CHECK(reply.answer.empty());
  CHECK(reply.error() == ExtendedError{Ede::other, "the answer is over 65535 octets"});
  CHECK(world.ask(asking("www.example.")).truncated());
}

TEST_CASE("serve/hit: each record of a set comes first in its turn, also for A and AAAA in turn",
          "[serve]") {
  World world;
  const Lines addresses = {"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"};
  world.keep(a_set("www.example.", 300, addresses));
  world.keep_negative("www.example.", RRType::aaaa, Kind::nodata, soa_set("example.", 60));
  std::set<std::string> first;
  for (int i = 0; i < 64; ++i) {
    Reply reply = world.ask({});
    first.insert(reply.answer.at(0));
    std::ranges::sort(reply.answer);
    REQUIRE(reply.answer.size() == 4);
    CHECK(reply.answer[0] == "www.example. 300 IN A 192.0.2.1");
    CHECK(reply.answer[3] == "www.example. 300 IN A 192.0.2.4");
    world.ask(asking("www.example.", RRType::aaaa));
  }
  CHECK(first.size() == 4);
}
