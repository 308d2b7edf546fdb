/// Resolving with a copy of the root zone in place of the root servers (RFC 8806).
#include "sim/base_world.hpp"
#include "sim/root_servers.hpp"
#include "sim/signed_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::resolve::RootZone;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

constexpr std::string_view kWww = "NOERROR\nwww.example. 3600 IN A 192.0.2.80\n";

const World& build(World& world) {
  add_base(world, "www A 192.0.2.80\n", "www A 192.0.2.81\n");
  return world;
}

/// In which each TLD has the servers that the world has.
std::shared_ptr<const RootZone> copy_of() {
  std::string text(siskin::resolve::test::kSmallRoot);
  const std::string_view other = "example.     86400 IN NS    ns.tld.test.\n";
  text.erase(text.find(other), other.size());
  return std::make_shared<const RootZone>(siskin::resolve::test::root_zone(text));
}

SimResolver::Settings primed() {
  SimResolver::Settings settings;
  settings.resolve.priming = true;
  settings.resolve.ipv6 = false;  // the world has no server at the copy's IPv6 address
  return settings;
}

}  // namespace

TEST_CASE("sim/root_copy: with a copy no packet goes to the root", "[sim]") {
  World world;
  SimResolver resolver(build(world), primed());
  resolver.resolver().use_root_zone(copy_of());
  CHECK(resolver.answer("www.example.", RRType::a) == kWww);
  CHECK(resolver.exchanges() == 1);
  CHECK(resolver.answer("www.test.", RRType::a) == "NOERROR\nwww.test. 3600 IN A 192.0.2.81\n");
  CHECK(resolver.exchanges() == 1);
  CHECK(resolver.answer(".", RRType::ns) == "NOERROR\n. 86400 IN NS ns.root.\n");
  CHECK(resolver.exchanges() == 0);
  CHECK(resolver.upstream().count(kRoot) == 0);
}

TEST_CASE("sim/root_copy: a name below no TLD is denied without a packet", "[sim]") {
  World world;
  SimResolver resolver(build(world), primed());
  resolver.resolver().use_root_zone(copy_of());
  const auto outcome = resolver.ask("www.nothing.", RRType::aaaa);
  CHECK(outcome.rcode == siskin::wire::Rcode::nxdomain);
  CHECK(resolver.upstream().count() == 0);
  REQUIRE(outcome.authority.size() == 3);
  CHECK(outcome.authority[0].type == RRType::soa);
  CHECK(outcome.authority[0].signatures.count() == 1);
  CHECK(outcome.authority[1].type == RRType::nsec);
  CHECK(outcome.authority[1].owner == Name::from_text("example.").value());
  CHECK(outcome.authority[2].type == RRType::nsec);
  CHECK(outcome.authority[2].owner.is_root());
}

TEST_CASE("sim/root_copy: a TLD's DS and the lack of one come from the copy", "[sim]") {
  World world;
  SimResolver resolver(build(world));
  resolver.resolver().use_root_zone(copy_of());
  CHECK(resolver.ask("example.", RRType::ds).answer.size() == 1);
  const auto none = resolver.ask("test.", RRType::ds);
  CHECK(none.rcode == siskin::wire::Rcode::noerror);
  CHECK(none.answer.empty());
  CHECK(none.authority.size() == 2);  // SOA, NSEC
  CHECK(resolver.upstream().count() == 0);
}

TEST_CASE("sim/root_copy: without a copy, and without it again, the root servers are asked",
          "[sim]") {
  World world;
  SimResolver resolver(build(world));
  CHECK(resolver.answer("www.example.", RRType::a) == kWww);
  CHECK(resolver.exchanges(kRoot) == 1);
  resolver.resolver().use_root_zone(copy_of());
  resolver.ask("a.nothing.", RRType::a);
  CHECK(resolver.exchanges(kRoot) == 0);
  resolver.resolver().use_root_zone(nullptr);
  resolver.ask("b.nowhere.", RRType::a);
  CHECK(resolver.exchanges(kRoot) > 0);
}

TEST_CASE("sim/root_copy: what the copy cannot tell is asked of a root server", "[sim]") {
  World world;
  SimResolver resolver(build(world));
  resolver.resolver().use_root_zone(copy_of());
  resolver.ask(".", RRType::rrsig);
  CHECK(resolver.exchanges(kRoot) == 1);
}

TEST_CASE("sim/root_copy: answers are those that root servers lead to", "[sim]") {
  World world;
  SimResolver with(build(world));
  SimResolver without(world);
  with.resolver().use_root_zone(copy_of());
  for (const char* name : {"www.example.", "example.", "no.example.", "www.test.", "ns.root."}) {
    for (const RRType type : {RRType::a, RRType::ns, RRType::soa, RRType::txt}) {
      CAPTURE(name, type);
      CHECK(with.answer(name, type).substr(0, 8) == without.answer(name, type).substr(0, 8));
      CHECK(with.exchanges() <= without.exchanges());
    }
  }
  CHECK(with.upstream().count(kRoot) == 0);
}

TEST_CASE("sim/root_copy: a copy that does not validate is left for the root servers", "[sim]") {
  SignedWorld signed_world;
  SignOptions expired;
  expired.inception = 1'700'000'000;
  expired.expiration = 1'710'000'000;
  const std::string records = SignedWorld::root_zone(expired);
  SimResolver resolver(signed_world.world, validating());
  resolver.resolver().use_root_zone(
      std::make_shared<const RootZone>(siskin::resolve::test::root_zone(records)));
  CHECK(verdict(resolver, "www.example.", RRType::a) == "NOERROR secure");
  // The root's keys after the copy's, its DS of example. after the copy's; from then on no copy.
  CHECK(resolver.exchanges(kRoot) == 2);
  CHECK(verdict(resolver, "nothing.", RRType::a) == "NXDOMAIN secure");
  CHECK(resolver.exchanges(kRoot) == 1);

  resolver.resolver().use_root_zone(
      std::make_shared<const RootZone>(siskin::resolve::test::root_zone(SignedWorld::root_zone())));
  CHECK(verdict(resolver, ".", RRType::soa) == "NOERROR secure");
  CHECK(resolver.exchanges() == 0);
}
