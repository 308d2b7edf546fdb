/// Silence that is no sign of a zone that is down, and silence that is.
#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Duration;
using siskin::wire::Name;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kServer = "192.0.2.10";
constexpr const char* kSilent = "SERVFAIL\n; EDE 22\n";

World& build(World& world) {
  add_base(world, "shop NS ns.shop\nns.shop A 192.0.2.10\n");
  world.add_zone("shop.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n* A 192.0.2.80\n");
  world.add_server(kServer, {"shop.example."});
  return world;
}

std::string address_of(const std::string& name) {
  return "NOERROR\n" + name + " 300 IN A 192.0.2.80\n";
}

}  // namespace

TEST_CASE("sim/silence: a server that drops a type is not silent to the others", "[sim]") {
  World world;
  build(world).server(kServer).vices.hooks = {
      [](const Query& query, Reply& reply) { reply.is_silent = query.type == RRType::https; }};
  SimResolver resolver(world);
  const bool is_known = GENERATE(false, true);
  CAPTURE(is_known);
  if (is_known)
    CHECK(resolver.answer("a.shop.example.", RRType::a) == address_of("a.shop.example."));
  for (const std::string name : {"b.shop.example.", "c.shop.example.", "d.shop.example."}) {
    CAPTURE(name);
    CHECK(resolver.answer(name, RRType::https) == kSilent);
    CHECK(resolver.answer(name, RRType::a) == address_of(name));
    CHECK(resolver.exchanges() == 1);
  }
}

TEST_CASE("sim/silence: a server that drops a name is not silent to the others", "[sim]") {
  World world;
  const Name dropped = Name::from_text("dropped.shop.example.").value();
  build(world).server(kServer).vices.hooks = {
      [&](const Query& query, Reply& reply) { reply.is_silent = query.name == dropped; }};
  SimResolver resolver(world);
  CHECK(resolver.answer("a.shop.example.", RRType::a) == address_of("a.shop.example."));
  CHECK(resolver.answer("dropped.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.answer("dropped.shop.example.", RRType::aaaa) == kSilent);
  CHECK(resolver.answer("b.shop.example.", RRType::a) == address_of("b.shop.example."));
  CHECK(resolver.took() == milliseconds(10));
  CHECK(resolver.exchanges() == 1);
}

TEST_CASE("sim/silence: a zone that was well is down when two names say so", "[sim]") {
  World world;
  Vices dead;
  dead.is_dead = true;
  build(world).server(kServer).behave(seconds(1), seconds(100), dead);
  SimResolver resolver(world);
  CHECK(resolver.answer("a.shop.example.", RRType::a) == address_of("a.shop.example."));
  resolver.advance(seconds(2));
  CHECK(resolver.answer("b.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.exchanges() == 7);
  CHECK(resolver.answer("c.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.exchanges() == 2);  // its server is known to be dead by now
  CHECK(resolver.answer("d.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.took() == Duration{});
  CHECK(resolver.exchanges() == 0);
}

TEST_CASE("sim/silence: a zone that never said a word is down at once", "[sim]") {
  World world;
  build(world).server(kServer).vices.is_dead = true;
  SimResolver resolver(world);
  CHECK(resolver.answer("a.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.answer("b.shop.example.", RRType::a) == kSilent);
  CHECK(resolver.took() == Duration{});
  CHECK(resolver.exchanges() == 0);
}
