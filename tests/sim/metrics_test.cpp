/// What a resolution adds to the counters.
#include "sim/signed_world.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using namespace std::chrono_literals;
using siskin::resolve::Outcome;
using siskin::stats::Metric;
using siskin::wire::Rcode;
using siskin::wire::RRType;

namespace {

/// A query that one limit ends.
struct Limited {
  Metric limit;
  const char* name;
  void (*set)(siskin::resolve::Options&);
};

using Options = siskin::resolve::Options;

constexpr Limited kLimited[] = {
    {Metric::limit_time, "www.good.example.", [](Options& o) { o.limits.time = 15ms; }},
    {Metric::limit_exchanges, "www.good.example.", [](Options& o) { o.limits.exchanges = 2; }},
    {Metric::limit_aliases, "alias.example.", [](Options& o) { o.limits.aliases = 0; }},
    {Metric::limit_server_lookups, "www.far.example.",
     [](Options& o) { o.limits.server_lookups = 0; }},
    {Metric::limit_signatures, "www.good.example.",
     [](Options& o) { o.validation.work.signatures = 2; }},
    {Metric::limit_hashes, "www.good.example.", [](Options& o) { o.validation.work.hashes = 2; }},
};

}  // namespace

TEST_CASE("sim/metrics: the end of a query's budget is counted, under the words of its EDE",
          "[sim]") {
  for (const Limited& limited : kLimited) {
    const auto words = siskin::stats::limit_words(limited.limit);
    CAPTURE(words);
    // A server whose address no referral tells.
    SignedWorld world({}, "far NS www.good\n");
    auto settings = validating();
    limited.set(settings.resolve);
    SimResolver resolver(world.world, settings);
    const Outcome outcome = resolver.ask(limited.name, RRType::a);
    CHECK(outcome.rcode == Rcode::servfail);
    REQUIRE(outcome.error);
    CAPTURE(outcome.error->text);
    CHECK(outcome.error->text.find("limit reached: " + std::string(words)) != std::string::npos);
    for (const Limited& other : kLimited) {
      CHECK(resolver.counted(other.limit) == (other.limit == limited.limit ? 1 : 0));
    }
    CHECK(resolver.counted(Metric::resolutions) == 1);
    CHECK(resolver.counted(Metric::resolutions_failed) == 1);
    CHECK(resolver.counted(Metric::exchanges) == resolver.upstream().count());
  }
}

TEST_CASE("sim/metrics: what resolutions took adds up", "[sim]") {
  SignedWorld world;
  SimResolver resolver(world.world, validating());
  const Outcome first = resolver.ask("www.good.example.", RRType::a);
  const Outcome second = resolver.ask("www.plain.example.", RRType::a);
  const Outcome third = resolver.ask("www.stripped.example.", RRType::a);
  CHECK(first.is_secure);
  CHECK(third.rcode == Rcode::servfail);
  CHECK(resolver.counted(Metric::resolutions) == 3);
  CHECK(resolver.counted(Metric::resolutions_secure) == 1);
  CHECK(resolver.counted(Metric::resolutions_failed) == 1);
  CHECK(resolver.counted(Metric::resolutions_bogus) == 1);
  CHECK(resolver.counted(Metric::exchanges) == resolver.upstream().count());
  CHECK(resolver.counted(Metric::signatures) ==
        first.signatures + second.signatures + third.signatures);
  CHECK(resolver.counted(Metric::signatures) > 0);
  CHECK(resolver.counted(Metric::hashes) == first.hashes + second.hashes + third.hashes);
}
