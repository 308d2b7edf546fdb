#include "bench/cache_hits.hpp"
#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

std::string host(std::string_view kind, int i) {
  return std::string(kind) + std::to_string(i) + ".example.";
}

bool keep(Cache& cache, const std::string& owner, std::uint32_t ttl, Instant now) {
  return cache.store(name(owner), RRType::a,
                     positive(ttl, set_of(owner, RRType::a, {address(1), address(2)})), now);
}

bool has(const Cache& cache, const std::string& owner, Instant now) {
  return cache.find(name(owner), RRType::a, now).has_value();
}

Cache::Options options(std::size_t bytes_max, unsigned shards) {
  Cache::Options options;
  options.bytes_max = bytes_max;
  options.shards = shards;
  options.hash_key = {8, 9};
  return options;
}

TEST_CASE("cache/eviction: memory stays within its bound under churn, index included", "[cache]") {
  for (const std::size_t bytes_max : {40'000U, 300'000U, 1'200'000U}) {
    Cache cache(options(bytes_max, 2));
    for (int i = 0; i < 40'000; ++i) {
      REQUIRE(keep(cache, host("h", i), static_cast<std::uint32_t>(600 + i % 900), at(i / 100)));
      REQUIRE(cache.usage().bytes <= bytes_max);
    }
    const Cache::Usage usage = cache.usage();
    const Cache::Usage counted = cache.recount();
    CHECK(usage.entries == counted.entries);
    CHECK(usage.bytes == counted.bytes);
    CHECK(usage.bytes > bytes_max * 9 / 10);
    CHECK(usage.evictions > 0);
  }
}

TEST_CASE("cache/eviction: a smaller bound holds at once, a bigger one is used", "[cache]") {
  Cache cache(options(1'000'000, 2));
  const auto fill = [&cache] {
    for (int i = 0; i < 20'000; ++i) REQUIRE(keep(cache, host("h", i), 600, at(0)));
  };
  fill();
  cache.set_bytes_max(300'000);
  CHECK(cache.usage().bytes <= 300'000);
  CHECK(cache.recount().bytes > 250'000);
  fill();
  CHECK(cache.usage().bytes <= 300'000);
  cache.set_bytes_max(800'000);
  fill();
  CHECK(cache.recount().bytes > 750'000);
  cache.set_bytes_max(0);
  CHECK(cache.usage().entries == 0);
  CHECK_FALSE(keep(cache, "h.example.", 600, at(0)));
}

TEST_CASE("cache/eviction: a flood of one-time names does not wash out the hot set", "[cache]") {
  Cache cache(options(500'000, 2));
  constexpr int kHot = 1000;
  for (int i = 0; i < kHot; ++i) REQUIRE(keep(cache, host("hot", i), 86400, at(0)));
  int once = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < kHot; ++i) has(cache, host("hot", i), at(1));
    for (int i = 0; i < 5'000; ++i) REQUIRE(keep(cache, host("once", once++), 86400, at(1)));
  }
  int kept = 0;
  for (int i = 0; i < kHot; ++i) kept += has(cache, host("hot", i), at(1)) ? 1 : 0;
  CHECK(kept >= kHot * 99 / 100);
  CHECK(cache.usage().evictions > 40'000);
}

TEST_CASE("cache/eviction: a renewed entry keeps its rank", "[cache]") {
  Cache cache(options(200'000, 1));
  for (int i = 0; i < 100; ++i) REQUIRE(keep(cache, host("hot", i), 86400, at(0)));
  for (int use = 0; use < 3; ++use) {
    for (int i = 0; i < 100; ++i) has(cache, host("hot", i), at(0));
  }
  for (int i = 0; i < 100; ++i) REQUIRE(keep(cache, host("hot", i), 86400, at(0)));
  for (int i = 0; i < 5000; ++i) REQUIRE(keep(cache, host("once", i), 86400, at(0)));
  int kept = 0;
  for (int i = 0; i < 100; ++i) kept += has(cache, host("hot", i), at(0)) ? 1 : 0;
  CHECK(kept == 100);
}

TEST_CASE("cache/eviction: what is dead goes before anything live", "[cache]") {
  Cache cache(options(1'000'000, 1));
  int i = 0;
  for (; cache.usage().evictions == 0; ++i) {
    REQUIRE(keep(cache, host("h", i), i % 2 == 0 ? 20 : 80'000, at(0)));
  }
  const int stored = i;
  const auto before = cache.usage().evictions;
  // One epoch after the short ones have died, a third of the cache is renewed.
  for (int n = 0; n < stored / 3; ++n) REQUIRE(keep(cache, host("new", n), 80'000, at(60)));
  CHECK(cache.usage().evictions == before);
  int live = 0;
  for (int n = 1; n < stored; n += 2) live += has(cache, host("h", n), at(60)) ? 1 : 0;
  CHECK(live >= stored / 2 - static_cast<int>(before));
}

TEST_CASE("cache/eviction: dead entries go as others come, long before the cache is full",
          "[cache]") {
  Cache cache(options(50'000'000, 1));
  for (int i = 0; i < 10'000; ++i) REQUIRE(keep(cache, host("short", i), 30, at(0)));
  const std::size_t full = cache.usage().bytes;
  for (int i = 0; i < 6000; ++i) REQUIRE(keep(cache, host("long", i), 80'000, at(70 + i / 100)));
  // The hand goes over slots, which move a little as pages shrink: a few may wait for its next
  // turn.
  CHECK(cache.usage().entries < 6050);
  CHECK(cache.usage().bytes < full);
  CHECK(cache.usage().evictions == 0);
}

TEST_CASE("cache/eviction: big entries make room for themselves and give it back", "[cache]") {
  Cache cache(options(1'000'000, 1));
  const auto opaque = RRType{65280};
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 8000; ++i) REQUIRE(keep(cache, host("small", i), 80'000, at(0)));
    const auto small = cache.usage();
    for (int i = 0; i < 100; ++i) {
      const std::string owner = host("big", i);
      REQUIRE(cache.store(name(owner), opaque,
                          positive(80'000, set_of(owner, opaque, {Octets(60'000)})), at(0)));
      REQUIRE(cache.usage().bytes <= 1'000'000);
    }
    CHECK(cache.usage().entries < small.entries / 10);
    cache.recount();
  }
}

TEST_CASE("cache/eviction: on Zipf streams it beats true LRU of as many entries", "[cache]") {
  for (const double once : {0.0, 0.25}) {
    const auto stream = bench::make_stream({1.0, 20'000, once}, 100'000);
    Cache cache(options(20'000, 1));
    const auto ask = [&cache](std::uint32_t number) {
      const std::string owner = std::to_string(1'000'000 + number) + ".";
      return has(cache, owner, at(0)) || !keep(cache, owner, 86400, at(0));
    };
    int ours = 0;
    for (const std::uint32_t number : stream) ours += ask(number) ? 1 : 0;
    bench::TrueLru lru(cache.usage().entries);
    int theirs = 0;
    for (const std::uint32_t number : stream) theirs += lru.ask(number) ? 1 : 0;
    INFO(ours << " hits, LRU " << theirs << ", entries " << cache.usage().entries);
    CHECK(ours > theirs + 4'000);
  }
}

TEST_CASE("cache/eviction: what was popular once gives way to what is asked for now", "[cache]") {
  Cache cache(options(100'000, 1));
  const auto ask = [&cache](const std::string& owner) {
    const bool hit = has(cache, owner, at(0));
    if (!hit) REQUIRE(keep(cache, owner, 86400, at(0)));
    return hit;
  };
  // Fill the cache with names asked again and again, then walk round a third as many new ones.
  int old = 0;
  for (; cache.usage().evictions == 0; ++old) ask(host("old", old));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < old; ++i) ask(host("old", i));
  }
  const int fresh = old / 3;
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < fresh; ++i) ask(host("new", i));
  }
  int hits = 0;
  for (int i = 0; i < fresh; ++i) hits += ask(host("new", i)) ? 1 : 0;
  CHECK(hits == fresh);
}

}  // namespace
}  // namespace siskin::cache::test
