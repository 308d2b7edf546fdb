/// Faults of what parents and children say about a zone's servers.
#include <fmt/format.h>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr const char* kOld = "192.0.2.10";
constexpr const char* kNew = "192.0.2.11";
constexpr const char* kBad = "192.0.2.12";

/// The parent's server, whose zone is another from `at` on.
void change(World& world, siskin::Duration at, const Zone& before) {
  Server& parent = world.server(kExample);
  Vices vices;
  vices.hooks = {[&before](const Query& query, Reply& reply) {
    const Lookup found = before.look_up(query.name, query.type);
    if (found.finding != Finding::referral) return;
    reply.rcode = Rcode::noerror;
    reply.flags &= static_cast<std::uint16_t>(~0x0400U);  // AA
    reply.answer.clear();
    reply.authority = {*found.set};
    reply.additional.clear();
    for (const auto rdata : found.set->records) {
      // Names without compression in the zone's text.
      const Name server = Name::from_wire(rdata).value();
      if (const auto* glue = before.find(server, RRType::a)) reply.additional.push_back(*glue);
    }
  }};
  parent.behave(seconds(0), at, std::move(vices));
}

}  // namespace

TEST_CASE("fault A25: a zone that its parent has removed ends with the parent's TTL",
          "[sim][fault]") {
  World world;
  add_base(world, "");
  const Zone before("example.", "$TTL 60\n@ NS ns.tld\ngone NS ns.gone\nns.gone A 192.0.2.10\n");
  change(world, seconds(30), before);
  // The child goes on: long TTLs, and other server names each time.
  world.add_zone("gone.example.",
                 "$TTL 86400\n@ NS ns\n@ NS ns.else\nns A 192.0.2.10\nns.else A 192.0.2.10\n"
                 "www 5 A 192.0.2.80\n");
  world.add_server(kOld, {"gone.example."}).vices.adds_zone_servers = true;
  SimResolver resolver(world);
  int asked = 0;
  for (; resolver.time().elapsed() < seconds(59); resolver.advance(seconds(20))) {
    CHECK(resolver.ask("gone.example.", RRType::ns).rcode == Rcode::noerror);
    CHECK(resolver.ask(fmt::format("www.gone.example.", asked++), RRType::a).rcode ==
          Rcode::noerror);
  }
  CHECK(asked == 3);
  CHECK(resolver.ask("www.gone.example.", RRType::a).rcode == Rcode::nxdomain);
  CHECK(resolver.exchanges(kExample) >= 1);
  CHECK(resolver.exchanges(kOld) == 0);
  CHECK(resolver.ask("other.gone.example.", RRType::a).rcode == Rcode::nxdomain);
}

TEST_CASE("fault B9: the parent's NS in a child's answer is no zone cut", "[sim][fault]") {
  World world;
  add_base(world, "deep.sub CNAME t\nt A 192.0.2.80\nsub TXT \"here\"\n");
  world.server(kExample).vices.hooks = {[&world](const Query&, Reply& reply) {
    const Zone& zone = *world.find_zone(Name::from_text("example.").value());
    const auto* ns = zone.find(zone.origin(), RRType::ns);
    reply.authority.insert(reply.authority.begin(), *ns);
  }};
  SimResolver resolver(world);
  const auto outcome = resolver.ask("sub.example.", RRType::ns);
  CHECK(outcome.rcode == Rcode::noerror);
  CHECK(outcome.answer.empty());
  CHECK(resolver.answer("deep.sub.example.", RRType::a) ==
        "NOERROR\ndeep.sub.example. 3600 IN CNAME t.example.\nt.example. 3600 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges(kExample) <= 2);
  CHECK(resolver.exchanges() == resolver.exchanges(kExample));
}

TEST_CASE("fault B11: a lame child met while a part of the name is shown", "[sim][fault]") {
  World world;
  add_base(world, "org NS ns.org\nns.org A 192.0.2.10\n");
  world.add_zone("org.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\nh.dept A 192.0.2.80\n");
  // It refers to the lame server for the part, and answers the whole name.
  world.add_server(kOld, {"org.example."}).vices.hooks = {[](const Query& query, Reply& reply) {
    if (query.name.label_count() != 3) return;
    reply.rcode = Rcode::servfail;
    reply.answer.clear();
    reply.authority.clear();
  }};
  SimResolver resolver(world);
  CHECK(resolver.answer("h.dept.org.example.", RRType::a) ==
        "NOERROR\nh.dept.org.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges(kOld) == 2);
  CHECK(resolver.exchanges() == 4);
}

TEST_CASE("fault B25: when the servers of old are gone the parent is asked for new ones",
          "[sim][fault]") {
  for (const Lameness how : {Lameness::none, Lameness::refused}) {
    World world;
    add_base(world, "zone 172800 NS a.zone\na.zone A 192.0.2.11\n");
    const Zone before("example.",
                      "$TTL 172800\n@ NS ns.tld\nzone NS a.zone\na.zone A 192.0.2.10\n");
    change(world, hours(1), before);
    world.add_zone("zone.example.", "$TTL 30\n@ NS a\na A 192.0.2.11\nwww A 192.0.2.80\n");
    world.add_server(kNew, {"zone.example."});
    Vices gone;
    gone.is_dead = how == Lameness::none;
    gone.lameness = how;
    world.add_server(kOld, {"zone.example."}).behave(hours(1), hours(100), gone);
    SimResolver resolver(world);
    CHECK(resolver.ask("www.zone.example.", RRType::a).rcode == Rcode::noerror);
    CHECK(resolver.exchanges(kOld) == 1);
    resolver.advance(hours(2));
    CHECK(resolver.answer("www.zone.example.", RRType::a) ==
          "NOERROR\nwww.zone.example. 30 IN A 192.0.2.80\n");
    CHECK(resolver.exchanges(kNew) == 1);
    CHECK(resolver.exchanges(kExample) == 1);
    CHECK(resolver.exchanges(kOld) <= 6);
    resolver.advance(minutes(1));
    CHECK(resolver.ask("www.zone.example.", RRType::a).rcode == Rcode::noerror);
    CHECK(resolver.exchanges() == 1);
  }
}

TEST_CASE("fault B25: the only server that the parent names now is lame: the parent is asked once",
          "[sim][fault]") {
  World world;
  add_base(world, "zone NS e.zone\ne.zone A 192.0.2.12\n");
  world.add_zone("zone.example.", "$TTL 30\n@ NS e\ne A 192.0.2.12\nwww A 192.0.2.80\n");
  Server& server = world.add_server(kBad, {"zone.example."});
  Vices lame;
  lame.lameness = Lameness::refused;
  server.behave(minutes(1), hours(1), lame);
  SimResolver resolver(world);
  CHECK(resolver.ask("www.zone.example.", RRType::a).rcode == Rcode::noerror);
  resolver.advance(minutes(2));
  CHECK(resolver.ask("www.zone.example.", RRType::a).rcode == Rcode::servfail);
  CHECK(resolver.exchanges(kExample) == 1);
  CHECK(resolver.exchanges(kBad) == 2);
}

TEST_CASE("fault B27: a delegation is kept for its own TTL, whatever the child says",
          "[sim][fault]") {
  World world;
  add_base(world, "");
  world.add_zone("net.",
                 "$TTL 172800\n@ NS ns\nns A 192.0.2.4\nzone NS a.zone\na.zone A 192.0.2.10\n");
  world.add_zone("more.", "$TTL 172800\n@ NS ns.net.\n");
  world.add_server("192.0.2.4", {"net."});
  world.server(kRoot).vices.hooks = {[](const Query& query, Reply& reply) {
    if (!query.name.is_at_or_below(Name::from_text("net.").value())) return;
    const Zone root(".", "$TTL 172800\nnet. NS ns.net.\nns.net. A 192.0.2.4\n");
    reply.rcode = Rcode::noerror;
    reply.flags &= static_cast<std::uint16_t>(~0x0400U);
    reply.authority = {*root.find(Name::from_text("net.").value(), RRType::ns)};
    reply.additional = {*root.find(Name::from_text("ns.net.").value(), RRType::a)};
  }};
  world.add_zone(
      "zone.net.",
      "@ 30 NS a\n@ 30 NS b\na 30 A 192.0.2.10\nb 30 A 192.0.2.11\nwww 60 A 192.0.2.80\n");
  world.add_server(kOld, {"zone.net."}).vices.adds_zone_servers = true;
  world.add_server(kNew, {"zone.net."});
  SimResolver resolver(world);
  CHECK(resolver.ask("www.zone.net.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.exchanges() == 3);
  int minutes_passed = 0;
  // A day is the longest that a delegation is kept (max_ttl).
  for (; minutes_passed < 23 * 59; ++minutes_passed) {
    resolver.advance(seconds(61));
    CHECK(resolver.ask("www.zone.net.", RRType::a).rcode == Rcode::noerror);
    REQUIRE(resolver.exchanges() == 1);
    REQUIRE(resolver.exchanges(kOld) == 1);
  }
  for (; resolver.time().elapsed() <= hours(24); ++minutes_passed) resolver.advance(seconds(61));
  CHECK(resolver.ask("www.zone.net.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.exchanges("192.0.2.4") == 1);
}
