/// Faults of CNAME and DNAME.
#include <string>

#include "sim/base_world.hpp"
#include "sim/lies.hpp"
#include "sim/sim_resolver.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRset;
using siskin::wire::RRType;
using siskin::wire::Section;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kZone = "192.0.2.10";
constexpr const char* kOther = "192.0.2.11";

Name name(const char* text) {
  return Name::from_text(text).value();
}

std::vector<RRset> sets(const char* text) {
  return siskin::text::parse_zone(text).value();
}

const World& build(World& world, const std::string& zone_text, const std::string& other_text) {
  add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\n",
           "other NS ns.other\nns.other A 192.0.2.11\n");
  world.add_zone("zone.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n" + zone_text);
  world.add_zone("other.test.", "$TTL 300\n@ NS ns\nns A 192.0.2.11\n" + other_text);
  world.add_server(kZone, {"zone.example."});
  world.add_server(kOther, {"other.test."});
  return world;
}

/// zone.example and other.test, far apart.
struct Scene {
  explicit Scene(const std::string& zone_text, const std::string& other_text = "")
      : resolver(build(world, zone_text, other_text)) {}

  World world;
  SimResolver resolver;
};

/// Takes out the CNAMEs that go with a DNAME.
void only_dname(const Query&, Reply& reply) {
  if (reply.answer.empty() || reply.answer.front().type != RRType::dname) return;
  reply.answer.resize(1);
}

const char* const kZoneSoa =
    "; zone.example. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n";
const char* const kOtherSoa =
    "; other.test. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n";

}  // namespace

TEST_CASE("fault B35: a whole answer is taken, whatever servers it names", "[sim][fault]") {
  Scene scene("www CNAME zone.example.\n@ A 192.0.2.80\n");
  scene.world.server(kZone).vices.hooks = {
      lies::adds(Section::authority, sets("zone.example. 300 NS dead1.test.\n"
                                          "zone.example. 300 NS dead2.test.\n")
                                         .front())};
  CHECK(scene.resolver.answer("www.zone.example.", RRType::a) ==
        "NOERROR\nwww.zone.example. 300 IN CNAME zone.example.\n"
        "zone.example. 300 IN A 192.0.2.80\n");
  CHECK(scene.resolver.exchanges(kZone) == 1);
  CHECK(scene.resolver.exchanges() == 3);
  // Nor do those servers replace the delegation.
  CHECK(scene.resolver.answer("zone.example.", RRType::txt) == "NOERROR\n" + std::string(kZoneSoa));
  CHECK(scene.resolver.exchanges(kZone) == 1);
  CHECK(scene.resolver.exchanges() == 1);
}

TEST_CASE("fault B37: of two CNAMEs at one owner the first is followed and shown", "[sim][fault]") {
  Scene scene("w CNAME a.other.test.\nw CNAME b.other.test.\n", "a A 192.0.2.80\nb A 192.0.2.81\n");
  const std::string expected =
      "NOERROR\nw.zone.example. 300 IN CNAME a.other.test.\na.other.test. 300 IN A 192.0.2.80\n";
  CHECK(scene.resolver.answer("w.zone.example.", RRType::a) == expected);
  CHECK(scene.resolver.exchanges(kZone) == 1);
  CHECK(scene.resolver.exchanges(kOther) == 1);
  CHECK(scene.resolver.answer("w.zone.example.", RRType::a) == expected);
  CHECK(scene.resolver.exchanges() == 0);
}

TEST_CASE("fault B39: a DNAME that comes without its CNAME", "[sim][fault]") {
  Scene scene("d DNAME other.test.\n", "foo A 192.0.2.80\n");
  scene.world.server(kZone).vices.hooks = {only_dname};
  const std::string expected =
      "NOERROR\nd.zone.example. 300 IN DNAME other.test.\n"
      "foo.d.zone.example. 300 IN CNAME foo.other.test.\nfoo.other.test. 300 IN A 192.0.2.80\n";
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) == expected);
  CHECK(scene.resolver.exchanges(kOther) == 1);
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) == expected);
  CHECK(scene.resolver.exchanges() == 0);
  // The DNAME serves the next name as well.
  CHECK(scene.resolver.answer("bar.d.zone.example.", RRType::a) ==
        "NXDOMAIN\nd.zone.example. 300 IN DNAME other.test.\n"
        "bar.d.zone.example. 300 IN CNAME bar.other.test.\n" +
            std::string(kOtherSoa));
  CHECK(scene.resolver.exchanges(kZone) == 0);
}

namespace {

/// d.zone.example DNAME other.test., with a CNAME that it does not make.
void forge_synthesis(World& world) {
  world.server(kZone).vices.hooks = {lies::answers(
      name("foo.d.zone.example."), sets("d.zone.example. 300 DNAME other.test.\n"
                                        "foo.d.zone.example. 300 CNAME evil.other.test.\n"))};
}

}  // namespace

TEST_CASE("fault B41: a CNAME that differs from what the DNAME makes is not taken",
          "[sim][fault]") {
  Scene scene("", "foo A 192.0.2.80\nevil A 203.0.113.66\n");
  forge_synthesis(scene.world);
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) ==
        "NOERROR\nd.zone.example. 300 IN DNAME other.test.\n"
        "foo.d.zone.example. 300 IN CNAME foo.other.test.\nfoo.other.test. 300 IN A 192.0.2.80\n");
}

TEST_CASE("fault B41: the same, asked for the CNAME itself", "[sim][fault]") {
  Scene scene("");
  forge_synthesis(scene.world);
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::cname) ==
        "NOERROR\nd.zone.example. 300 IN DNAME other.test.\n"
        "foo.d.zone.example. 300 IN CNAME foo.other.test.\n");
}

TEST_CASE("fault B43: the synthesised CNAME has the DNAME's TTL, counted down", "[sim][fault]") {
  Scene scene("d 600 DNAME other.test.\n", "foo 900 A 192.0.2.80\n");
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) ==
        "NOERROR\nd.zone.example. 600 IN DNAME other.test.\n"
        "foo.d.zone.example. 600 IN CNAME foo.other.test.\nfoo.other.test. 900 IN A 192.0.2.80\n");
  scene.resolver.advance(seconds(100));
  CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) ==
        "NOERROR\nd.zone.example. 500 IN DNAME other.test.\n"
        "foo.d.zone.example. 500 IN CNAME foo.other.test.\nfoo.other.test. 800 IN A 192.0.2.80\n");
  CHECK(scene.resolver.exchanges() == 0);
  // Another name below the DNAME: its CNAME is made from the cached DNAME.
  CHECK(scene.resolver.answer("bar.d.zone.example.", RRType::a) ==
        "NXDOMAIN\nd.zone.example. 500 IN DNAME other.test.\n"
        "bar.d.zone.example. 500 IN CNAME bar.other.test.\n" +
            std::string(kOtherSoa));
  CHECK(scene.resolver.exchanges(kZone) == 0);
}

TEST_CASE("fault B43: asked for the CNAME itself, a cached DNAME makes it, and it is not followed",
          "[sim][fault]") {
  Scene scene("d 600 DNAME other.test.\n", "foo 900 A 192.0.2.80\n");
  CHECK(scene.resolver.ask("foo.d.zone.example.", RRType::a).rcode == Rcode::noerror);
  for (const char* label : {"foo", "bar"}) {
    const std::string owner = std::string(label) + ".d.zone.example.";
    CHECK(scene.resolver.answer(owner, RRType::cname) ==
          "NOERROR\nd.zone.example. 600 IN DNAME other.test.\n" + owner + " 600 IN CNAME " + label +
              ".other.test.\n");
    CHECK(scene.resolver.exchanges() == 0);
  }
}

TEST_CASE("fault B43: a DNAME of TTL 0 is not used again", "[sim][fault]") {
  Scene scene("d 0 DNAME other.test.\n", "foo 900 A 192.0.2.80\n");
  for (int i = 0; i < 2; ++i) {
    CHECK(scene.resolver.answer("foo.d.zone.example.", RRType::a) ==
          "NOERROR\nd.zone.example. 0 IN DNAME other.test.\n"
          "foo.d.zone.example. 0 IN CNAME foo.other.test.\nfoo.other.test. " +
              std::to_string(900 - 2 * i) + " IN A 192.0.2.80\n");
    CHECK(scene.resolver.exchanges(kZone) >= 1);
    scene.resolver.advance(seconds(2));
  }
}

TEST_CASE("fault B45: a chain that ends in NXDOMAIN", "[sim][fault]") {
  Scene scene("near CNAME gone\nfar CNAME gone.other.test.\n");
  const auto check = [&scene](const std::string& alias, const std::string& target,
                              const std::string& soa) {
    CAPTURE(alias);
    const std::string cname = alias + " 300 IN CNAME " + target + "\n";
    CHECK(scene.resolver.answer(alias, RRType::a) == "NXDOMAIN\n" + cname + soa);
    CHECK(scene.resolver.exchanges() > 0);
    CHECK(scene.resolver.answer(alias, RRType::cname) == "NOERROR\n" + cname);
    CHECK(scene.resolver.exchanges() == 0);
    CHECK(scene.resolver.answer(alias, RRType::a) == "NXDOMAIN\n" + cname + soa);
    CHECK(scene.resolver.exchanges() == 0);
    CHECK(scene.resolver.answer(alias, RRType::aaaa) == "NXDOMAIN\n" + cname + soa);
    CHECK(scene.resolver.exchanges() == 0);
  };
  check("near.zone.example.", "gone.zone.example.", kZoneSoa);
  check("far.zone.example.", "gone.other.test.", kOtherSoa);
}

TEST_CASE("fault B47: the failure of a target is not handed on to the alias", "[sim][fault]") {
  Scene scene("a CNAME b.other.test.\n", "b A 192.0.2.80\n");
  Vices failing;
  failing.lameness = Lameness::servfail;
  scene.world.server(kOther).behave(seconds(0), seconds(2), failing);
  SimResolver& resolver = scene.resolver;

  CHECK(resolver.ask("b.other.test.", RRType::a).rcode == Rcode::servfail);
  const auto failed_at = resolver.time().elapsed();
  // Until the failure is forgotten, SERVFAIL without asking again; each time the alias is asked.
  while (resolver.time().elapsed() < failed_at + seconds(4)) {
    const auto outcome = resolver.ask("a.zone.example.", RRType::a);
    CHECK(outcome.rcode == Rcode::servfail);
    CHECK(outcome.answer.empty());
    CHECK(resolver.exchanges(kOther) == 0);
    resolver.advance(milliseconds(500));
  }
  resolver.advance(failed_at + seconds(6) - resolver.time().elapsed());
  const auto outcome = resolver.ask("a.zone.example.", RRType::a);
  CAPTURE(to_text(outcome));
  REQUIRE(outcome.rcode == Rcode::noerror);
  REQUIRE(outcome.answer.size() == 2);
  CHECK(outcome.answer[0].owner == name("a.zone.example."));
  CHECK(outcome.answer[1].owner == name("b.other.test."));
  CHECK(resolver.exchanges(kOther) == 1);
}

TEST_CASE("fault B49: an alias at the apex of an unsigned zone", "[sim][fault]") {
  Scene scene("", "pages A 192.0.2.80\n");
  scene.world.server(kZone).vices.hooks = {
      lies::answers(name("zone.example."), sets("zone.example. 300 CNAME pages.other.test.\n"))};
  SimResolver& resolver = scene.resolver;
  SECTION("an address follows it") {
    CHECK(resolver.answer("zone.example.", RRType::a) ==
          "NOERROR\nzone.example. 300 IN CNAME pages.other.test.\n"
          "pages.other.test. 300 IN A 192.0.2.80\n");
    CHECK(resolver.exchanges(kZone) == 1);
    CHECK(resolver.took() < seconds(1));
  }
  SECTION("a DS is the parent's") {
    CHECK(resolver.answer("zone.example.", RRType::ds) ==
          "NOERROR\n; example. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
    CHECK(resolver.exchanges(kZone) == 0);
  }
  SECTION("a DNSKEY follows it as well") {
    CHECK(resolver.answer("zone.example.", RRType::dnskey) ==
          "NOERROR\nzone.example. 300 IN CNAME pages.other.test.\n" + std::string(kOtherSoa));
  }
}

TEST_CASE("fault B49: a DS is the parent's, even when the child's alias is known", "[sim][fault]") {
  Scene scene("", "pages A 192.0.2.80\n");
  scene.world.server(kZone).vices.hooks = {
      lies::answers(name("zone.example."), sets("zone.example. 900 CNAME pages.other.test.\n"))};
  SimResolver& resolver = scene.resolver;
  CHECK(resolver.ask("zone.example.", RRType::a).rcode == Rcode::noerror);
  CHECK(resolver.answer("zone.example.", RRType::ds) ==
        "NOERROR\n; example. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
  CHECK(resolver.exchanges(kZone) == 0);
}
