#include "cache/values.hpp"
#include "siskin/cache/memory_keeper.hpp"
#include "siskin/cache/process_memory.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

constexpr int kNames = 100'000;

std::string host(int i) {
  return "host" + std::to_string(i) + ".example.";
}

bool keep(Cache& cache, int i, std::size_t octets) {
  wire::RRset set = set_of(host(i), RRType{65280}, {Octets(octets, 'x')});
  return cache.store(name(host(i)), RRType{65280}, positive(3600, set), at(1));
}

std::uint64_t unused_in_pages() {
  const auto figures = allocator_figures();
  return figures ? figures->active - figures->allocated : 0;
}

TEST_CASE("cache/repack: moving entries together frees pages and changes nothing else", "[cache]") {
  Cache cache({.bytes_max = 256U << 20, .shards = 4, .hash_key = {5, 6}});
  const std::uint64_t unused_before = unused_in_pages();
  for (int i = 0; i < kNames; ++i) REQUIRE(keep(cache, i, 150));
  // Three in four go: what is left lies one here, one there.
  for (int i = 0; i < kNames; ++i) {
    if (i % 4 != 0) REQUIRE(cache.remove(name(host(i)), RRType{65280}));
  }
  const std::uint64_t unused = unused_in_pages();
  const Ledger ledger = cache.ledger();
  std::size_t moved = 0;
  for (int pass = 0; pass < 4; ++pass) moved += cache.repack(1);
  CHECK(cache.ledger() == ledger);
  cache.recount();
  for (int i = 0; i < kNames; i += 4) {
    const auto found = cache.find(name(host(i)), RRType{65280}, at(2));
    REQUIRE(found.has_value());
    REQUIRE(found->answer.at(0).records.contains(Octets(150, 'x')));
  }
  if (!allocator_figures()) {
    CHECK(moved == 0);  // another allocator than jemalloc
    return;
  }
  CHECK(moved > 10'000);
  CHECK(unused > unused_before + 10'000'000);
  CHECK(unused_in_pages() < unused_before + (unused - unused_before) / 4);
}

TEST_CASE("cache/repack: a cache whose entries change their size keeps the process's limit",
          "[cache]") {
  if (!allocator_figures()) return;  // another allocator than jemalloc
  const std::uint64_t limit = resident_bytes() + (64U << 20);
  Cache cache({.bytes_max = 40U << 20, .shards = 4, .hash_key = {5, 6}});
  MemoryKeeper keeper(cache, 40U << 20, limit);
  std::uint64_t highest = 0;
  int next = 0;
  for (const std::size_t octets : {20U, 400U, 60U, 1000U, 20U}) {
    for (int second = 0; second < 60; ++second) {
      for (int i = 0; i < 2'000; ++i) REQUIRE(keep(cache, next++, octets));
      keeper.look();
      highest = std::max(highest, resident_bytes());
    }
  }
  CHECK(highest < limit + limit / 20);
  CHECK(keeper.cache_max() > 40U << 20);
  cache.recount();
}

}  // namespace
}  // namespace siskin::cache::test
