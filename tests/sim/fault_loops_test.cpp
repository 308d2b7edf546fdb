/// Faults by things that lead in circles.
#include <algorithm>
#include <string>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kZone = "192.0.2.10";
constexpr const char* kOther = "192.0.2.11";

/// With zone.example and other.test.
const World& build(World& world, const std::string& zone_text, const std::string& other_text) {
  add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\n",
           "other NS ns.other\nns.other A 192.0.2.11\n");
  world.add_zone("zone.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n" + zone_text);
  world.add_zone("other.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.11\n" + other_text);
  world.add_server(kZone, {"zone.example."});
  world.add_server(kOther, {"other.test."});
  return world;
}

/// Both zones asked once already, so that only the aliases cost something.
struct Scene {
  explicit Scene(const std::string& zone_text, const std::string& other_text = "")
      : resolver(build(world, zone_text, other_text)) {
    CHECK(resolver.ask("ns.zone.example.", RRType::a).rcode == Rcode::noerror);
    CHECK(resolver.ask("ns.other.test.", RRType::a).rcode == Rcode::noerror);
  }

  void check_loop(const std::string& name) {
    CAPTURE(name);
    const auto outcome = resolver.ask(name, RRType::a);
    CAPTURE(to_text(outcome), resolver.log());
    CHECK(outcome.rcode == Rcode::servfail);
    CHECK(outcome.answer.empty());
    CHECK(outcome.error.has_value());
    CHECK(resolver.exchanges() <= 4);
    const auto again = resolver.ask(name, RRType::a);
    CHECK(again.rcode == Rcode::servfail);
    CHECK(again.answer.empty());
    CHECK(resolver.exchanges() == 0);
  }

  World world;
  SimResolver resolver;
};

}  // namespace

TEST_CASE(
    "fault A53: two zones that only point at each other fail fast and stay failed for a while",
    "[sim][fault]") {
  World world;
  add_base(world, "one NS ns.two\ntwo NS ns.one\n");
  SimResolver resolver(world);
  const auto outcome = resolver.ask("www.one.example.", RRType::a);
  CAPTURE(resolver.log());
  CHECK(to_text(outcome) == "SERVFAIL\n; EDE 22\n");
  CHECK(resolver.took() < seconds(1));
  CHECK(resolver.exchanges() <= 10);
  CHECK(resolver.exchanges(kRoot) == 1);
  CHECK(resolver.exchanges(kExample) == resolver.exchanges() - 1);

  // Within the failure's TTL nobody is asked; the next second is the earliest, five minutes the
  // latest for another try.
  const auto again = resolver.ask("www.one.example.", RRType::a);
  CHECK(again.rcode == Rcode::servfail);
  CHECK(again.error.has_value());
  CHECK(resolver.exchanges() == 0);
  resolver.advance(milliseconds(900));
  CHECK(resolver.ask("www.one.example.", RRType::a).rcode == Rcode::servfail);
  CHECK(resolver.exchanges() == 0);

  // For a minute, three types each second: tries are rare, and none costs more than the first.
  std::size_t tries = 0;
  for (int second = 0; second < 60; ++second) {
    for (const RRType type : {RRType::a, RRType::aaaa, RRType::mx}) {
      CHECK(resolver.ask("www.one.example.", type).rcode == Rcode::servfail);
      tries += resolver.exchanges() > 0;
      CAPTURE(resolver.log());
      CHECK(resolver.exchanges() <= 10);
    }
    resolver.advance(seconds(1));
  }
  CHECK(tries <= 3 * 60 / 2);
}

TEST_CASE("fault A57: a name that is its own alias", "[sim][fault]") {
  Scene("a CNAME a\n").check_loop("a.zone.example.");
}

TEST_CASE("fault A57: two names that are each other's alias", "[sim][fault]") {
  Scene scene("a CNAME b\nb CNAME a\n");
  scene.check_loop("a.zone.example.");
  scene.check_loop("b.zone.example.");
}

TEST_CASE("fault A57: a DNAME that points at itself", "[sim][fault]") {
  Scene("d DNAME d\n").check_loop("x.d.zone.example.");
}

TEST_CASE("fault A57: a loop across zones", "[sim][fault]") {
  Scene("a CNAME b.other.test.\n", "b CNAME a.zone.example.\n").check_loop("a.zone.example.");
}

TEST_CASE("fault A57: a DNAME that lengthens the name ends at the limit of aliases",
          "[sim][fault]") {
  Scene scene("d DNAME x.d\n");
  const auto outcome = scene.resolver.ask("a.d.zone.example.", RRType::a);
  CAPTURE(scene.resolver.log());
  CHECK(outcome.rcode == Rcode::servfail);
  CHECK(outcome.answer.empty());
  CHECK(scene.resolver.exchanges() <= 4);
}

TEST_CASE("fault A57: a DNAME that makes the name too long ends in YXDOMAIN", "[sim][fault]") {
  const std::string label(60, 'x');
  Scene scene("d DNAME " + label + ".d\n");
  const auto outcome = scene.resolver.ask("a.d.zone.example.", RRType::a);
  CAPTURE(to_text(outcome), scene.resolver.log());
  CHECK(outcome.rcode == Rcode::yxdomain);
  REQUIRE_FALSE(outcome.answer.empty());  // RFC 6672 §2.2: the DNAME is shown
  CHECK(outcome.answer.front().type == RRType::dname);
  CHECK(std::ranges::count(outcome.answer, RRType::dname, &siskin::wire::RRset::type) == 1);
  CHECK(scene.resolver.exchanges() <= 4);
}
