#include "siskin/cache/cache.hpp"

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

Cache::Options options() {
  Cache::Options options;
  options.bytes_max = 1U << 20;
  options.shards = 2;
  options.hash_key = {1, 2};
  return options;
}

TEST_CASE("cache: what is stored comes back until its last second is over", "[cache]") {
  Cache cache(options());
  const Value value = positive(300, set_of("www.example.", RRType::a, {address(1), address(2)}));
  REQUIRE(cache.store(name("www.example."), RRType::a, value, at(1000)));

  for (const std::uint32_t passed : {0U, 1U, 150U, 299U}) {
    const auto found = cache.find(name("www.example."), RRType::a, at(1000 + passed));
    REQUIRE(found);
    CHECK(equal(*found, with_ttl(value, 300 - passed)));
  }
  CHECK_FALSE(cache.find(name("www.example."), RRType::a, at(1300)));
  CHECK_FALSE(cache.find(name("www.example."), RRType::aaaa, at(1000)));
  CHECK_FALSE(cache.find(name("ww.example."), RRType::a, at(1000)));
}

TEST_CASE("cache: seconds are whole seconds of the monotonic line", "[cache]") {
  Cache cache(options());
  const Value value = positive(2, set_of("a.", RRType::a, {address(1)}));
  REQUIRE(cache.store(name("a."), RRType::a, value, at(10) + std::chrono::milliseconds(900)));
  CHECK(cache.find(name("a."), RRType::a, at(10) + std::chrono::milliseconds(999))->ttl == 2);
  CHECK(cache.find(name("a."), RRType::a, at(11))->ttl == 1);
  CHECK(cache.find(name("a."), RRType::a, at(11) + std::chrono::milliseconds(999))->ttl == 1);
  CHECK_FALSE(cache.find(name("a."), RRType::a, at(12)));
}

TEST_CASE("cache: memory stays within its bound under churn, index included", "[cache]") {
  Cache cache(options());
  for (int i = 0; i < 40'000; ++i) {
    const std::string host = "host" + std::to_string(i) + ".example.";
    const Value value = positive(300, set_of(host, RRType::a, {address(1), address(2)}));
    REQUIRE(cache.store(name(host), RRType::a, value, at(i / 100)));
    REQUIRE(cache.usage().bytes <= options().bytes_max);
  }
  const Cache::Usage usage = cache.usage();
  const Cache::Usage counted = cache.recount();
  CHECK(usage.entries == counted.entries);
  CHECK(usage.bytes == counted.bytes);
  CHECK(usage.bytes > options().bytes_max * 9 / 10);
  CHECK(usage.entries > 10'000);
  CHECK(usage.evictions > 0);
}

}  // namespace
}  // namespace siskin::cache::test
