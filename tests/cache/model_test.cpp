#include "cache/model.hpp"

#include <random>

#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

Octets random_input(std::uint32_t seed, std::size_t size) {
  std::mt19937 random(seed);
  Octets input(size);
  for (auto& octet : input) octet = static_cast<std::uint8_t>(random());
  return input;
}

TEST_CASE("cache/model: a big cache answers as a map does, and its account is exact", "[cache]") {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    INFO("seed " << seed);
    const Octets input = random_input(seed, 20'000);
    Cache::Options options;
    options.bytes_max = 16U << 20;
    options.shards = 1U << seed % 4;
    options.hash_key = {seed, 1};
    options.max_negative_ttl = 30;
    CHECK(ModelRun(options, input).run());
  }
}

TEST_CASE("cache/model: a small cache forgets, and what it has not forgotten is right", "[cache]") {
  std::size_t full = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Octets input = random_input(seed, 10'000);
    Cache::Options options;
    options.bytes_max = 6'000 + 3'000 * seed;
    options.shards = 1U << seed % 2;
    options.hash_key = {seed, 2};
    options.min_ttl = seed % 3;
    if (!ModelRun(options, input).run()) ++full;
  }
  CHECK(full > 10);
}

}  // namespace
}  // namespace siskin::cache::test
