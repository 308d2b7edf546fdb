#include "serve/hints.hpp"

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::serve::Hints;
using siskin::wire::RRType;

namespace {

Octets asking(const std::string& name, RRType type = RRType::a) {
  QuerySpec spec;
  spec.name = name;
  spec.type = type;
  return query(spec);
}

}  // namespace

TEST_CASE("serve/hints: what was expected is answered as if it was not", "[serve]") {
  World world;
  world.keep(a_set("www.example.", 300, {"192.0.2.1"}));
  world.keep(cname_set("alias.example.", 300, "www.example."));
  const std::vector<Octets> queries{asking("www.example."), asking("alias.example."),
                                    asking("WWW.example."), Octets(7), asking("www.example.")};
  const std::vector<std::span<const std::uint8_t>> batch(queries.begin(), queries.end());
  world.frontends[0]->expect(batch);
  for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 1U}) {
    CAPTURE(i);
    const auto outcome = world.handle(queries[i]);
    if (i == 3) {
      CHECK(outcome.done == World::Done::dropped);
      continue;
    }
    REQUIRE(outcome.done == World::Done::replied);
    const std::string owner = i == 2 ? "WWW.example." : "www.example.";
    CHECK(world.last_reply().answer.back() == owner + " 300 IN A 192.0.2.1");
  }
}

TEST_CASE("serve/hints: each is for the query that lies there, once, in order", "[serve]") {
  World world;
  const std::vector<Octets> queries{asking("a.example."), Octets(12), asking("b.example."),
                                    asking("c.example.", RRType::aaaa)};
  const std::vector<siskin::wire::Bytes> batch(queries.begin(), queries.end());
  Hints hints;
  hints.make(world.cache, batch);
  const Octets elsewhere = queries[0];
  CHECK(hints.take(queries[0]).has_value());
  CHECK_FALSE(hints.take(queries[1]).has_value());  // no question
  CHECK(hints.take(queries[3]).has_value());
  CHECK_FALSE(hints.take(queries[2]).has_value());  // passed already
  hints.make(world.cache, batch);
  CHECK_FALSE(hints.take(elsewhere).has_value());
  hints.make(world.cache, batch);
  hints.make(world.cache, {});
  CHECK_FALSE(hints.take(queries[0]).has_value());
}

TEST_CASE("serve/hints: a batch too large has hints for its beginning", "[serve]") {
  World world;
  const std::vector<Octets> queries(Hints::kQueriesMax + 3, asking("a.example."));
  const std::vector<siskin::wire::Bytes> batch(queries.begin(), queries.end());
  Hints hints;
  hints.make(world.cache, batch);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    CHECK(hints.take(queries[i]).has_value() == (i < Hints::kQueriesMax));
  }
}
