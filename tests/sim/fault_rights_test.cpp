/// Faults by servers that say what they have no right to say.
#include "sim/base_world.hpp"
#include "sim/lies.hpp"
#include "sim/sim_resolver.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::IpAddress;
using siskin::wire::Ede;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRset;
using siskin::wire::RRType;
using siskin::wire::Section;

namespace {

constexpr const char* kBank = "192.0.2.10";
constexpr const char* kAtk = "192.0.2.66";

Name name(const char* text) {
  return Name::from_text(text).value();
}

std::vector<RRset> sets(const char* text) {
  return siskin::text::parse_zone(text).value();
}

/// bank.example, and atk.example whose server is the attacker's.
const World& build(World& world, const std::string& atk_text) {
  add_base(world,
           "bank NS ns.bank\nns.bank A 192.0.2.10\n"
           "atk  NS ns.atk\nns.atk  A 192.0.2.66\n");
  world.add_zone("bank.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\nwww A 192.0.2.80\n");
  world.add_zone("atk.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.66\n" + atk_text);
  world.add_server(kBank, {"bank.example."});
  world.add_server(kAtk, {"atk.example."});
  world.add_server(kEvil, {});
  world.server(kEvil).vices.hooks = {lies::always(IpAddress::from_text(kEvil).value())};
  return world;
}

struct Scene {
  explicit Scene(const std::string& atk_text = "") : resolver(build(world, atk_text)) {}

  void lie(Hook hook) { world.server(kAtk).vices.hooks.push_back(std::move(hook)); }

  void check_bank() {
    CHECK(resolver.answer("www.bank.example.", RRType::a) ==
          "NOERROR\nwww.bank.example. 300 IN A 192.0.2.80\n");
    CHECK(resolver.exchanges(kBank) == 1);
    CHECK(resolver.upstream().count(kEvil) == 0);
  }

  World world;
  SimResolver resolver;
};

}  // namespace

TEST_CASE("fault A13: a foreign record in additional is neither shown nor kept", "[sim][fault]") {
  Scene scene("mx MX 10 www.bank.example.\n");
  scene.lie(lies::adds(Section::additional, sets("www.bank.example. A 203.0.113.66").front()));
  CHECK(scene.resolver.answer("mx.atk.example.", RRType::mx) ==
        "NOERROR\nmx.atk.example. 300 IN MX 10 www.bank.example.\n");
  CHECK(scene.resolver.exchanges(kAtk) == 1);
  scene.check_bank();
}

TEST_CASE("fault A15: the poisoned tail of a chain is dropped, its target asked for",
          "[sim][fault]") {
  Scene scene;
  SECTION("CNAME") {
    scene.lie(
        lies::answers(name("a.atk.example."), sets("a.atk.example. 300 CNAME www.bank.example.\n"
                                                   "www.bank.example. 300 A 203.0.113.66\n")));
    CHECK(scene.resolver.answer("a.atk.example.", RRType::a) ==
          "NOERROR\na.atk.example. 300 IN CNAME www.bank.example.\n"
          "www.bank.example. 300 IN A 192.0.2.80\n");
  }
  SECTION("DNAME and CNAME") {
    scene.lie(lies::answers(name("www.d.atk.example."),
                            sets("d.atk.example. 300 DNAME bank.example.\n"
                                 "www.d.atk.example. 300 CNAME www.bank.example.\n"
                                 "www.bank.example. 300 A 203.0.113.66\n")));
    CHECK(scene.resolver.answer("www.d.atk.example.", RRType::a) ==
          "NOERROR\nd.atk.example. 300 IN DNAME bank.example.\n"
          "www.d.atk.example. 300 IN CNAME www.bank.example.\n"
          "www.bank.example. 300 IN A 192.0.2.80\n");
  }
  CHECK(scene.resolver.exchanges(kBank) == 1);
  CHECK(scene.resolver.exchanges(kAtk) <= 2);  // one for the minimised name
  scene.resolver.advance(std::chrono::seconds(301));
  scene.check_bank();
}

TEST_CASE("fault A17: glue from another branch is not used, the name is looked up",
          "[sim][fault]") {
  World world;
  // The attacker's address for ns.bar. comes with the referral to site.example.
  add_base(world,
           "site NS ns.site\nsite NS ns.foo\nsite NS ns.bar.\n"
           "ns.site A 192.0.2.20\nfoo NS ns.foo\nns.foo A 192.0.2.21\n",
           "", "bar. NS ns.bar.\nns.bar. A 192.0.2.22\n");
  world.add_zone("bar.", "$TTL 300\n@ NS ns\nns A 192.0.2.22\n");
  world.add_zone("site.example.",
                 "$TTL 300\n@ NS ns\n@ NS ns.foo.example.\n@ NS ns.bar.\nns A 192.0.2.20\n"
                 "ns AAAA 2001:db8::20\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.20", {"site.example."});
  world.add_server("192.0.2.21", {"site.example."});
  world.add_server("192.0.2.22", {"site.example.", "bar."});
  world.add_server(kEvil, {});
  world.server(kEvil).vices.hooks = {lies::always(IpAddress::from_text(kEvil).value())};
  world.server(kExample).vices.hooks = {
      lies::adds(Section::additional, sets("ns.bar. 3600 A 203.0.113.66").front())};
  SimResolver resolver(world);

  SECTION("both servers with proper glue refuse: ns.bar. is looked up in bar.") {
    world.server("192.0.2.20").vices.lameness = Lameness::refused;
    world.server("192.0.2.21").vices.lameness = Lameness::refused;
    CHECK(resolver.answer("www.site.example.", RRType::a) ==
          "NOERROR\nwww.site.example. 300 IN A 192.0.2.80\n");
    CHECK(resolver.exchanges("192.0.2.20") == 1);
    CHECK(resolver.exchanges("192.0.2.21") == 1);
    CHECK(resolver.exchanges("192.0.2.22") == 2);  // ns.bar. A, then the question
  }
  SECTION("a direct question for a server's address is answered by the child, not from glue") {
    CHECK(resolver.ask("www.site.example.", RRType::a).rcode == Rcode::noerror);
    CHECK(resolver.answer("ns.site.example.", RRType::a) ==
          "NOERROR\nns.site.example. 300 IN A 192.0.2.20\n");
    CHECK(resolver.exchanges() == 1);
    CHECK(resolver.exchanges(kExample) == 0);
    CHECK(resolver.answer("ns.bar.", RRType::a) == "NOERROR\nns.bar. 300 IN A 192.0.2.22\n");
  }
  CHECK(resolver.upstream().count(kEvil) == 0);
}

TEST_CASE("fault A19: upward and sideways referrals are lame, each server asked once",
          "[sim][fault]") {
  const char* const targets[] = {".", "example.", "other.example.", "lame.example."};
  for (const char* target : targets) {
    CAPTURE(target);
    World world;
    add_base(world,
             "lame NS ns1.lame\nlame NS ns2.lame\nns1.lame A 192.0.2.31\nns2.lame A 192.0.2.32\n"
             "good NS ns.good\nns.good A 192.0.2.33\n");
    world.add_zone("good.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.33\nwww A 192.0.2.80\n");
    world.add_server("192.0.2.33", {"good.example."});
    world.add_server(kEvil, {});
    for (const char* server : {"192.0.2.31", "192.0.2.32"}) {
      Vices& vices = world.add_server(server, {}).vices;
      vices.lameness = Lameness::referral;
      vices.false_referral = {name(target), name("ns.evil.example."),
                              IpAddress::from_text(kEvil).value()};
    }
    SimResolver resolver(world);
    const auto outcome = resolver.ask("www.lame.example.", RRType::a);
    CHECK(outcome.rcode == Rcode::servfail);
    REQUIRE(outcome.error);
    CHECK((outcome.error->code == Ede::no_reachable_authority ||
           outcome.error->code == Ede::network_error));
    CHECK(resolver.exchanges("192.0.2.31") == 1);
    CHECK(resolver.exchanges("192.0.2.32") == 1);
    CHECK(resolver.exchanges(kRoot) == 1);
    CHECK(resolver.exchanges(kExample) == 1);
    CHECK(resolver.exchanges() == 4);
    CHECK(resolver.answer("www.good.example.", RRType::a) ==
          "NOERROR\nwww.good.example. 300 IN A 192.0.2.80\n");
    CHECK(resolver.exchanges(kRoot) == 0);
    CHECK(resolver.answer(".", RRType::ns) == "NOERROR\n. 86400 IN NS ns.root.\n");
    CHECK(resolver.upstream().count(kEvil) == 0);
  }
}

TEST_CASE("fault A21: a DNAME outside the zone is dropped, the CNAME followed", "[sim][fault]") {
  Scene scene;
  scene.lie(
      lies::answers(name("x.atk.example."), sets("example. 300 DNAME evil.test.\n"
                                                 "x.atk.example. 300 CNAME x.atk.evil.test.\n")));
  // The CNAME's target is not there, as the true test. says.
  CHECK(scene.resolver.answer("x.atk.example.", RRType::a) ==
        "NXDOMAIN\nx.atk.example. 300 IN CNAME x.atk.evil.test.\n"
        "; test. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
  CHECK(scene.resolver.exchanges(kAtk) == 1);
  scene.check_bank();
  CHECK(scene.resolver.answer("y.atk.example.", RRType::a) ==
        "NXDOMAIN\n; atk.example. 300 IN SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n");
}
