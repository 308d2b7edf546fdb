/// Forgers who hide a zone's DS, so that the zone counts as unsigned and anything can be said of
/// it.
#include <algorithm>

#include "sim/signed_world.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/header.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

RRset set_of(std::string_view line) {
  return text::parse_zone(std::string(line) + "\n").value().front();
}

/// The zone's own server tells a lie that is not signed.  The parent's leaves the DS out of
/// referrals, and says `denial` when asked for it.
void hide_ds(SignedWorld& world, const std::vector<RRset>& denial) {
  world.world.server(kExample).vices.hooks.push_back([denial](const Query& query, Reply& reply) {
    const Name good = name("good.example.");
    if (!query.name.is_at_or_below(good)) return;
    std::erase_if(reply.authority, [](const RRset& set) { return set.type != RRType::ns; });
    if (query.name != good || query.type != RRType::ds) return;
    reply.answer.clear();
    reply.authority = denial;
  });
  world.world.server(kGood).vices.hooks.push_back([](const Query& query, Reply& reply) {
    if (query.type != RRType::a) return;
    reply.answer = {set_of("www.good.example. 3600 A 203.0.113.66")};
    reply.authority.clear();
  });
}

const RRset& held(SignedWorld& world, std::string_view zone, std::string_view owner, RRType type) {
  return *world.world.find_zone(name(zone))->find(name(owner), type);
}

struct Told {
  std::string verdict;
  std::size_t exchanges = 0;
};

Told of_www(SignedWorld& world) {
  SimResolver resolver(world.world, validating());
  Told told;
  told.verdict = verdict(resolver, "www.good.example.", RRType::a);
  told.exchanges = resolver.exchanges();
  return told;
}

void check_refused(SignedWorld& world, const std::vector<RRset>& denial, std::string_view code) {
  hide_ds(world, denial);
  const Told told = of_www(world);
  CAPTURE(told.verdict, told.exchanges);
  CHECK(told.verdict.starts_with("SERVFAIL EDE " + std::string(code) + " "));
  CHECK(told.exchanges == 8);
}

TEST_CASE("fault A33: a DS is not denied by a signed SOA alone, nor by proofs of other names",
          "[sim][fault]") {
  SECTION("nothing at all") {
    SignedWorld world;
    check_refused(world, {}, "10");
  }
  SECTION("the SOA with its signature") {
    SignedWorld world;
    check_refused(world, {held(world, "example.", "example.", RRType::soa)}, "12");
  }
  SECTION("the NSEC of another name") {
    SignedWorld world;
    check_refused(world,
                  {held(world, "example.", "example.", RRType::soa),
                   held(world, "example.", "plain.example.", RRType::nsec)},
                  "12");
  }
  SECTION("the NSEC that tells of the DS") {
    SignedWorld world;
    check_refused(world,
                  {held(world, "example.", "example.", RRType::soa),
                   held(world, "example.", "good.example.", RRType::nsec)},
                  "12");
  }
  SECTION("what the zone itself says of its apex") {
    SignedWorld world;
    check_refused(world, {held(world, "good.example.", "good.example.", RRType::nsec)}, "6");
  }
  SECTION("the right words, signed by a key that is not the zone's") {
    SignedWorld world;
    RRset nsec = set_of("good.example. 300 NSEC plain.example. NS RRSIG NSEC");
    sign_set(nsec, "example.", {.key = 7});
    check_refused(world, {nsec}, "9");
  }
  SECTION("NSEC3 of another name") {
    SignedWorld world({.nsec3 = true});
    const auto sets = world.world.find_zone(name("example."))->sets_of(RRType::nsec3);
    const RRset& soa = held(world, "example.", "example.", RRType::soa);
    check_refused(world, {soa, *sets.front()}, "12");
  }
}

}  // namespace
}  // namespace siskin::sim
