#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

Cache::Options options(std::uint32_t stale_max, std::size_t bytes_max = 1'000'000) {
  Cache::Options options;
  options.bytes_max = bytes_max;
  options.shards = 1;
  options.hash_key = {8, 9};
  options.stale_max = stale_max;
  return options;
}

Value value_of(const std::string& owner, std::uint32_t ttl, int last = 1) {
  return positive(ttl, set_of(owner, RRType::a, {address(static_cast<std::uint8_t>(last))}));
}

Value failure() {
  Value value;
  value.kind = Kind::failure;
  value.ttl = 30;
  return value;
}

std::string host(int i) {
  return "h" + std::to_string(i) + ".example.";
}

TEST_CASE("cache/stale: what has expired is found by those who look for it, for so long",
          "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60), at(0)));
  CHECK(cache.find_stale(key, RRType::a, at(59))->ttl == 1);
  CHECK_FALSE(cache.find_stale(key, RRType::a, at(59))->is_stale);
  CHECK_FALSE(cache.find(key, RRType::a, at(60)).has_value());
  const auto stale = cache.find_stale(key, RRType::a, at(60));
  REQUIRE(stale.has_value());
  CHECK(stale->is_stale);
  CHECK(stale->ttl == 0);
  CHECK(stale->answer.front().records.count() == 1);
  CHECK(cache.find_stale(key, RRType::a, at(1059)).has_value());
  CHECK_FALSE(cache.find_stale(key, RRType::a, at(1060)).has_value());

  Cache without(options(0));
  REQUIRE(without.store(key, RRType::a, value_of("www.example.", 60), at(0)));
  CHECK_FALSE(without.find_stale(key, RRType::a, at(60)).has_value());
}

TEST_CASE("cache/stale: a failure neither replaces what may be of use nor is of use itself",
          "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60), at(0)));
  CHECK_FALSE(cache.store(key, RRType::a, failure(), at(100)));
  CHECK(cache.find_stale(key, RRType::a, at(100))->kind == Kind::positive);
  CHECK(cache.store(key, RRType::a, failure(), at(2000)));
  CHECK(cache.find_stale(key, RRType::a, at(2000))->kind == Kind::failure);
  CHECK_FALSE(cache.find_stale(key, RRType::a, at(2030)).has_value());
}

TEST_CASE("cache/stale: a fresh answer takes the place of the stale one", "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60, 1), at(0)));
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60, 2), at(100)));
  CHECK(cache.find(key, RRType::a, at(100))->answer.front().records.contains(address(2)));
  CHECK(cache.usage().entries == 1);
}

TEST_CASE("cache/stale: what has expired stays while there is room, and goes after its time",
          "[cache]") {
  Cache cache(options(500));
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(cache.store(name(host(i)), RRType::a, value_of(host(i), 60), at(0)));
  }
  const auto count = [&](std::int64_t second) {
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
      if (cache.find_stale(name(host(i)), RRType::a, at(second))) ++found;
    }
    return found;
  };
  const auto store_others = [&](std::int64_t second) {
    for (int i = 0; i < 2000; ++i) {
      REQUIRE(cache.store(name(host(1000 + i % 10)), RRType::a, value_of(host(1000 + i % 10), 60),
                          at(second)));
    }
  };
  store_others(300);
  CHECK(count(300) == 1000);
  CHECK(cache.usage().entries == 1010);
  store_others(700);
  CHECK(cache.usage().entries == 10);
  CHECK(cache.recount().bytes == cache.usage().bytes);
}

TEST_CASE("cache/stale: room is made by what has expired before what is in use", "[cache]") {
  Cache cache(options(100'000, 60'000));
  for (int i = 0; i < 150; ++i) {
    REQUIRE(cache.store(name(host(i)), RRType::a, value_of(host(i), i < 75 ? 60 : 5000), at(0)));
    cache.find(name(host(i)), RRType::a, at(0));
    cache.find(name(host(i)), RRType::a, at(0));
  }
  REQUIRE(cache.usage().evictions == 0);
  for (int i = 150; i < 4000; ++i) {
    REQUIRE(cache.store(name(host(i)), RRType::a, value_of(host(i), 5000), at(300)));
  }
  int in_use = 0;
  for (int i = 75; i < 150; ++i) in_use += cache.find(name(host(i)), RRType::a, at(300)) ? 1 : 0;
  int stale = 0;
  for (int i = 0; i < 75; ++i) stale += cache.find_stale(name(host(i)), RRType::a, at(300)) ? 1 : 0;
  CHECK(in_use > 35);
  CHECK(stale < 10);
  CHECK(cache.recount().entries == cache.usage().entries);
}

TEST_CASE("cache/stale: what is refuted does not come back, for whom it is", "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  const Network near = Network::from_text("10.1.2.0/24").value();
  const Network around = Network::from_text("10.1.0.0/16").value();
  const Network far = Network::from_text("10.9.9.0/24").value();
  const auto store_all = [&] {
    REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60, 1), at(0)));
    for (const Network* subnet : {&near, &around, &far}) {
      REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60, 7), at(0), subnet));
    }
  };
  const auto has = [&](const Network* subnet) {
    return cache.find_stale(key, RRType::a, at(100), subnet).has_value();
  };
  store_all();
  cache.refute(key, RRType::a, at(100), &near);
  CHECK_FALSE(has(&near));
  CHECK_FALSE(has(&around));
  CHECK_FALSE(has(nullptr));
  CHECK(has(&far));
  CHECK(cache.recount().entries == cache.usage().entries);

  store_all();
  CHECK_FALSE(cache.store(key, RRType::a, value_of("www.example.", 0), at(100)));
  CHECK_FALSE(has(nullptr));
  CHECK(has(&far));

  Cache without(options(0));
  REQUIRE(without.store(key, RRType::a, value_of("www.example.", 60), at(0)));
  without.refute(key, RRType::a, at(1));
  CHECK(without.find(key, RRType::a, at(1)).has_value());
}

TEST_CASE("cache/stale: a name that is there again was not absent", "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  Value absent;
  absent.kind = Kind::nxdomain;
  absent.ttl = 60;
  absent.authority = {set_of("example.", RRType::soa, {soa("ns.example.", "host.example.")})};
  REQUIRE(cache.store(key, kNameSlot, absent, at(0)));
  CHECK(cache.find_stale(key, kNameSlot, at(100)).has_value());
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60), at(100)));
  CHECK_FALSE(cache.find_stale(key, kNameSlot, at(100)).has_value());
}

TEST_CASE("cache/stale: variants are found stale as others are", "[cache]") {
  Cache cache(options(1000));
  const wire::Name key = name("www.example.");
  const Network near = Network::from_text("10.1.2.0/24").value();
  REQUIRE(cache.store(key, RRType::a, value_of("www.example.", 60, 7), at(0), &near));
  const auto stale = cache.find_stale(key, RRType::a, at(100), &near);
  REQUIRE(stale.has_value());
  CHECK(stale->is_stale);
  CHECK(stale->scope == 24);
  CHECK_FALSE(cache.find_stale(key, RRType::a, at(100)).has_value());
}

}  // namespace
}  // namespace siskin::cache::test
