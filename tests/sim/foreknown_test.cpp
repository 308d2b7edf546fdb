/// Answers from proofs (RFC 8198), against zones with NSEC3 that the simulator signs.
#include <algorithm>

#include "sim/random.hpp"
#include "sim/signed_world.hpp"
#include "siskin/dnssec/known_denials.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using dnssec::KnownDenials;
using wire::Name;
using wire::RRset;
using wire::RRType;
using Kind = KnownDenials::Synthesis::Kind;

constexpr std::uint32_t kNow = 1000;

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

/// Of up to three labels out of few, so that names meet.
std::string random_label(SimRandom& random) {
  std::string text;
  for (unsigned labels = random.between(1, 3); labels > 0; --labels) {
    text += std::string(1, "abc*"[random.below(4)]) + ".";
  }
  return text + "example.";
}

struct RandomZone {
  RandomZone(SimRandom& random, bool opt_out) {
    std::string text;
    for (int i = 0; i < 6; ++i) text += random_label(random) + " 300 A 192.0.2.1\n";
    text += "cut.example. 300 NS ns.test.\ntree.example. 300 DNAME test.\n";
    const SignOptions options{.nsec3 = true, .opt_out = opt_out};
    signed_text = sign("example.", text, options);
  }

  std::string signed_text;
};

/// Whether the zone contradicts what was made.
std::string contradiction(const Zone& zone, const Name& asked,
                          const KnownDenials::Synthesis& made) {
  const Lookup truth = zone.look_up(asked, RRType::a);
  Name encloser = asked;
  while (!zone.exists(encloser)) encloser = encloser.parent();
  const std::uint8_t star = '*';
  switch (made.kind) {
    case Kind::nxdomain: return truth.finding == Finding::nxdomain ? "" : "it exists";
    case Kind::nodata: return truth.finding == Finding::nodata ? "" : "it is not without data";
    case Kind::expand: break;
  }
  if (zone.exists(asked)) return "it exists, and no wildcard stands in";
  const bool is_hidden = truth.finding == Finding::referral || truth.finding == Finding::dname;
  if (is_hidden) return "it is below a cut or a DNAME";
  return made.wildcard == encloser.with_label({&star, 1}).value() ? "" : "another wildcard";
}

TEST_CASE("sim/foreknown: what NSEC3 records prove never contradicts the zone", "[sim]") {
  const bool opt_out = GENERATE(false, true);
  SimRandom random(7);
  std::size_t denied = 0;
  std::size_t expanded = 0;
  for (int round = 0; round < 150; ++round) {
    const RandomZone random_zone(random, opt_out);
    const Zone zone("example.", random_zone.signed_text);
    KnownDenials known(1U << 20);
    for (const RRset& set : text::parse_zone(random_zone.signed_text).value()) {
      const bool is_left_out = set.type == RRType::nsec3 && random.below(4) == 0;
      if (!is_left_out) known.add(name("example."), set, kNow);
    }
    for (int i = 0; i < 40; ++i) {
      std::string text = random_label(random);
      if (random.below(5) == 0) text = "a.cut.example.";
      if (random.below(5) == 0) text = "a.tree.example.";
      const Name asked = name(text);
      dnssec::Work work({});
      const auto made = known.synthesise(asked, RRType::a, kNow, work);
      CHECK(work.hashes() <= 16);
      if (!made) continue;
      (made->kind == Kind::expand ? expanded : denied) += 1;
      CAPTURE(round, text, static_cast<int>(made->kind));
      CHECK(contradiction(zone, asked, *made) == "");
    }
  }
  CHECK(denied > (opt_out ? 50U : 500U));
  CHECK((opt_out || expanded > 50));
}

TEST_CASE("sim/foreknown: deep names below NSEC3 are answered however often they are asked",
          "[sim]") {
  const bool opt_out = GENERATE(false, true);
  const SignedWorld world({.nsec3 = true, .opt_out = opt_out});
  SimResolver resolver(world.world, validating());
  const std::string secure = opt_out ? "NXDOMAIN" : "NXDOMAIN secure";
  for (int turn = 0; turn < 6; ++turn) {
    std::string deep = "good.example.";
    for (int labels = 0; labels < 31; ++labels) deep.insert(0, "0.");
    deep.insert(0, std::to_string(turn) + ".");
    CAPTURE(turn, opt_out);
    const auto outcome = resolver.ask(deep, RRType::ptr);
    CHECK(outcome.rcode == wire::Rcode::nxdomain);
    CHECK(outcome.is_secure == !opt_out);
    CHECK(outcome.hashes <= 3 + 40);
    if (!opt_out && turn > 0) CHECK(resolver.exchanges() == 0);
  }
}

TEST_CASE("sim/foreknown: a wildcard that is known answers, one that is not is asked for",
          "[sim]") {
  const bool nsec3 = GENERATE(false, true);
  const SignedWorld world({.nsec3 = nsec3});
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "a.wild.example.", RRType::txt) == "NOERROR secure");
  const auto outcome = resolver.ask("b.wild.example.", RRType::txt);
  CHECK(outcome.rcode == wire::Rcode::noerror);
  CHECK(outcome.is_secure);
  REQUIRE(outcome.answer.size() == 1);
  CHECK(outcome.answer.front().owner == name("b.wild.example."));
  CHECK(!outcome.answer.front().signatures.empty());
  CHECK(!outcome.authority.empty());
  // The span that covered the first name covers the second one with NSEC, and by luck of hashes
  // here.
  // One span of NSEC covers both names; of NSEC3 it may.
  const bool is_foretold = outcome.error && outcome.error->code == wire::Ede::synthesised;
  CHECK((resolver.exchanges() == 0) == is_foretold);
  CHECK((is_foretold || nsec3));
  resolver.cache().remove(name("*.wild.example."), RRType::txt);
  CHECK(resolver.ask("c.wild.example.", RRType::txt).is_secure);
  CHECK(resolver.exchanges() > 0);
}

}  // namespace
}  // namespace siskin::sim
