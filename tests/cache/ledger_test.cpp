#include "siskin/cache/ledger.hpp"

#include "cache/values.hpp"
#include "siskin/cache/process_memory.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

Cache::Options options() {
  return {.bytes_max = 1U << 20, .shards = 2, .hash_key = {5, 6}};
}

std::uint64_t entries(const Cache& cache, LedgerRow row) {
  return cache.ledger().sum(row).entries;
}

TEST_CASE("cache/ledger: each entry is in the row of its type or kind", "[cache]") {
  Cache cache(options());
  cache.store(name("a.example."), RRType::a,
              positive(60, set_of("a.example.", RRType::a, {address(1)})), at(1));
  cache.store(name("t.example."), RRType::txt,
              positive(60, set_of("t.example.", RRType::txt, {{1, 'x'}})), at(1));
  cache.store(name("u.example."), RRType{65280},
              positive(60, set_of("u.example.", RRType{65280}, {{1}})), at(1));
  cache.store(name("f.example."), RRType::a, failure(5, wire::Ede::other, "why"), at(1));
  Value negative;
  negative.ttl = 60;
  negative.kind = Kind::nxdomain;
  cache.store(name("n.example."), kNameSlot, negative, at(1));
  negative.kind = Kind::nodata;
  cache.store(name("n.example."), RRType::a, negative, at(1));
  const Network subnet = Network::from_text("192.0.2.0/24").value();
  cache.store(name("a.example."), RRType::a,
              positive(60, set_of("a.example.", RRType::a, {address(1)})), at(1), &subnet);

  for (const LedgerRow row : {LedgerRow::txt, LedgerRow::other, LedgerRow::failure,
                              LedgerRow::nxdomain, LedgerRow::nodata, LedgerRow::directory}) {
    CAPTURE(to_text(row));
    CHECK(entries(cache, row) == 1);
  }
  CHECK(entries(cache, LedgerRow::a) == 2);
  CHECK(entries(cache, LedgerRow::delegation) == 0);
  Ledger ledger = cache.ledger();
  CHECK(ledger.at(LedgerRow::a, true).entries == 1);
  CHECK(ledger.total().entries == 8);
  CHECK(ledger.total().bytes == cache.usage().bytes);
  cache.recount();

  cache.clear();
  CHECK(cache.ledger().total().entries == 0);
  CHECK(cache.ledger().total().bytes == cache.usage().bytes);
}

TEST_CASE("cache/ledger: it agrees with the allocator's own account", "[cache]") {
  const auto before = allocator_figures();
  if (!before) return;  // another allocator than jemalloc
  Cache cache({.bytes_max = 64U << 20, .hash_key = {5, 6}});
  for (int i = 0; i < 100'000; ++i) {
    const std::string owner = "host" + std::to_string(i) + ".example.";
    cache.store(name(owner), RRType::a, positive(60, set_of(owner, RRType::a, {address(1)})),
                at(1));
  }
  const auto counted = static_cast<double>(cache.ledger().total().bytes);
  const auto after = allocator_figures();
  const auto handed_out = static_cast<double>(after->allocated - before->allocated);
  CAPTURE(counted, handed_out);
  // What the thread's own cache of free memory holds is the allocator's, not ours.
  CHECK(handed_out - counted < 0.01 * counted);
  CHECK(counted - handed_out < 0.01 * counted);
}

TEST_CASE("cache/ledger: every row has a name of its own", "[cache]") {
  for (std::size_t i = 0; i < kLedgerRows; ++i) {
    CHECK_FALSE(to_text(static_cast<LedgerRow>(i)).empty());
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(to_text(static_cast<LedgerRow>(i)) != to_text(static_cast<LedgerRow>(j)));
    }
  }
}

}  // namespace
}  // namespace siskin::cache::test
