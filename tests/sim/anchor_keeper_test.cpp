/// Trust anchors that change by themselves, in months of virtual time.
#include "siskin/resolve/anchor_keeper.hpp"

#include <fmt/format.h>

#include "sim/signed_world.hpp"
#include "siskin/base/date.hpp"
#include "siskin/dnssec/anchor_state.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::sim;
using namespace std::chrono_literals;
using dnssec::TrustPoint;
using resolve::AnchorKeeper;
using resolve::NegativeAnchor;
using resolve::NegativeAnchorKeeper;
using wire::RRType;

namespace {

constexpr auto kDay = 24h;
constexpr std::int64_t kBegan = 1'800'000'000;

WallTime at(Duration since_beginning) {
  return WallTime{std::chrono::seconds(kBegan)} +
         std::chrono::duration_cast<std::chrono::seconds>(since_beginning);
}

/// Questions of a keeper that reached the servers of a zone.
std::size_t asked(SimResolver& resolver, std::string_view server) {
  return resolver.upstream().count(server, 0);
}

/// The root is followed by a resolver that trusts its first key.
struct Scene {
  Scene() {
    const auto ask = [this](resolve::Question question) {
      return resolver.resolver().resolve(std::move(question));
    };
    keeper.emplace(AnchorKeeper::Context{ask, resolver.verifier(), resolver.time().clock(),
                                         resolver.date(), resolver.time().timers()},
                   std::vector{TrustPoint(anchor_for("."))},
                   [this](std::span<const TrustPoint> points) {
                     ++changes;
                     state = states_of(points.front());
                     resolver.resolver().use_anchors(dnssec::anchors_of(points));
                   });
    keeper->start(resolver.time().io().get_executor());
    resolver.advance(10s);
  }
  ~Scene() {
    keeper->stop();
    resolver.time().settle({});
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  static std::string states_of(const TrustPoint& point) {
    std::string text;
    for (const dnssec::TrackedKey& key : point.keys()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number_of(key.tag()),
                          to_string(key.state));
    }
    return text;
  }

  static int number_of(std::uint16_t tag) {
    for (int number = 0; number < 4; ++number) {
      const auto anchor = anchor_for(".", static_cast<std::uint32_t>(number));
      if (dnssec::Ds::parse(anchor.ds.front())->tag == tag) return number;
    }
    return -1;
  }

  void sign_root(std::uint32_t key, std::vector<ZoneKey> more = {}) {
    SignOptions options;
    options.key = key;
    options.more_keys = std::move(more);
    signed_world.world.change_zone(".", SignedWorld::root_zone(options));
  }

  std::string www() { return verdict(resolver, "www.good.example.", RRType::a); }

  SignedWorld signed_world;
  SimResolver resolver{signed_world.world, validating()};
  std::optional<AnchorKeeper> keeper;
  std::string state;
  unsigned changes = 0;
};

/// A zone with a negative anchor whose end is `until` after the beginning, where it has one.
struct NegativeScene {
  explicit NegativeScene(std::optional<Duration> until, std::string_view zone = "stripped.example.")
      : resolver(signed_world.world, settings(zone)) {
    NegativeAnchor anchor{wire::Name::from_text(zone).value(), std::nullopt};
    if (until) anchor.until = at(*until);
    keeper.emplace(
        NegativeAnchorKeeper::Context{
            [this](wire::Name name) { return resolver.resolver().would_answer(std::move(name)); },
            resolver.time().clock(), resolver.date(), resolver.time().timers()},
        std::vector{anchor}, [this](std::vector<wire::Name> zones) {
          ++changes;
          resolver.resolver().use_negative_anchors(std::move(zones));
        });
    keeper->start(resolver.time().io().get_executor());
  }
  ~NegativeScene() {
    keeper->stop();
    resolver.time().settle({});
  }
  NegativeScene(const NegativeScene&) = delete;
  NegativeScene& operator=(const NegativeScene&) = delete;

  static SimResolver::Settings settings(std::string_view zone) {
    SimResolver::Settings settings = validating();
    settings.resolve.validation.negative_anchors = {wire::Name::from_text(zone).value()};
    return settings;
  }

  std::string www() { return verdict(resolver, "www.stripped.example.", RRType::a); }

  SignedWorld signed_world;
  SimResolver resolver;
  std::optional<NegativeAnchorKeeper> keeper;
  unsigned changes = 0;
};

constexpr std::string_view kInForce = "NOERROR EDE 33 negative trust anchor for stripped.example.";

}  // namespace

TEST_CASE("sim/anchor_keeper: the root's key rolls over while nobody looks", "[sim]") {
  Scene scene;
  CHECK(scene.state == "0 valid");
  CHECK(scene.www() == "NOERROR secure");

  scene.sign_root(0, {{.key = 1}});
  scene.resolver.advance(kDay);
  CHECK(scene.state == "0 valid, 1 pending");
  scene.resolver.advance(31 * kDay);
  CHECK(scene.state == "0 valid, 1 valid");

  scene.sign_root(1, {{.key = 0, .flags = kRevoked, .signs = true}});
  scene.resolver.advance(kDay);
  CHECK(scene.state == "0 revoked, 1 valid");
  CHECK(scene.www() == "NOERROR secure");

  scene.sign_root(1);
  scene.resolver.advance(31 * kDay);
  CHECK(scene.state == "0 removed, 1 valid");
  CHECK(scene.www() == "NOERROR secure");
  CHECK(scene.changes == 5);

  // Whoever has the old key cannot use it any more.
  scene.sign_root(0);
  scene.resolver.advance(2 * kDay);
  CHECK(scene.www() == "SERVFAIL EDE 9 .: no DNSKEY that goes with DS " +
                           std::to_string(dnssec::Ds::parse(anchor_for(".", 1).ds.front())->tag));
  CHECK(scene.changes == 5);
}

TEST_CASE("sim/anchor_keeper: a zone that changes its key at once is not followed", "[sim]") {
  Scene scene;
  scene.sign_root(1);
  scene.resolver.advance(40 * kDay);
  CHECK(scene.state == "0 valid");
  CHECK(scene.www().starts_with("SERVFAIL EDE 9"));
}

TEST_CASE("sim/anchor_keeper: the keys are asked for in half their TTL", "[sim]") {
  Scene scene;
  const std::size_t before = asked(scene.resolver, kRoot);
  CHECK(before == 1);
  scene.resolver.advance(kDay);  // the DNSKEY set's TTL is an hour, so an hour it is
  CHECK(asked(scene.resolver, kRoot) == before + 24);
}

TEST_CASE("sim/anchor_keeper: a root that says nothing is asked again in an hour", "[sim]") {
  Scene scene;
  scene.signed_world.world.server(kRoot).vices.is_dead = true;
  const std::size_t before = asked(scene.resolver, kRoot);
  scene.resolver.advance(3h);
  CHECK(asked(scene.resolver, kRoot) > before);
  scene.signed_world.world.server(kRoot).vices.is_dead = false;
  scene.sign_root(0, {{.key = 1}});
  scene.resolver.advance(1h + 30s);
  CHECK(scene.state == "0 valid, 1 pending");
}

TEST_CASE("sim/anchor_keeper: where all keys are revoked nothing is validated", "[sim]") {
  Scene scene;
  scene.sign_root(1, {{.key = 0, .flags = kRevoked, .signs = true}});
  scene.resolver.advance(1h);
  CHECK(scene.state == "0 revoked");
  CHECK(scene.www() == "NOERROR");
}

TEST_CASE("sim/anchor_keeper: a negative anchor is in force until its end", "[sim]") {
  NegativeScene scene(62min);
  CHECK(scene.www() == kInForce);
  scene.resolver.advance(61min);
  CHECK(scene.changes == 0);
  CHECK(scene.www() == kInForce);
  scene.resolver.advance(61min);  // the answer's TTL too
  CHECK(scene.changes == 1);
  CHECK(scene.www().starts_with("SERVFAIL EDE 9"));
}

TEST_CASE("sim/anchor_keeper: a negative anchor without an end is not looked at", "[sim]") {
  NegativeScene scene(std::nullopt);
  scene.resolver.advance(100 * kDay);
  CHECK(scene.resolver.upstream().count() == 0);
  CHECK(scene.www() == kInForce);
}

TEST_CASE("sim/anchor_keeper: a zone that is in order again needs no negative anchor", "[sim]") {
  NegativeScene scene(30 * kDay);
  scene.resolver.advance(kDay);
  CHECK(scene.changes == 0);
  scene.signed_world.world.change_zone(
      "stripped.example.",
      sign("stripped.example.", "$TTL 3600\n@ NS ns\nns A 192.0.2.6\nwww A 192.0.2.96\n"));
  scene.resolver.advance(11min);
  CHECK(scene.changes == 1);
  CHECK(scene.www() == "NOERROR secure");
}

TEST_CASE("sim/anchor_keeper: looking whether a zone is in order spoils nothing", "[sim]") {
  NegativeScene scene(30 * kDay);
  for (int i = 0; i < 20; ++i) {
    CHECK(scene.www() == kInForce);
    CHECK(verdict(scene.resolver, "stripped.example.", RRType::soa) == kInForce);
    scene.resolver.advance(101s);
  }
  CHECK(scene.changes == 0);
}

TEST_CASE("sim/anchor_keeper: a zone that is not signed needs no negative anchor", "[sim]") {
  NegativeScene scene(30 * kDay, "plain.example.");
  scene.resolver.advance(6min);
  CHECK(scene.changes == 1);
}
