/// Hit ratio of the cache's eviction beside true LRU of as many entries, on Zipf streams with and
/// without a quarter of names asked once; the cache holds 1, 10 and 30 % of the names.
#include "bench/cache_hits.hpp"

#include <benchmark/benchmark.h>

#include <array>

#include "siskin/cache/cache.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint32_t kNames = 200'000;
constexpr std::size_t kQuestions = 2'000'000;
constexpr Instant kNow{std::chrono::seconds(1000)};

/// A cache asked by number: all names have one size, so that bytes and entries go together.
class Asked {
 public:
  explicit Asked(std::size_t bytes_max)
      : cache_({.bytes_max = bytes_max, .shards = 1, .hash_key = {1, 2}}) {
    value_.ttl = 86400;
    value_.answer.resize(1);
    value_.answer[0].type = wire::RRType::a;
    value_.answer[0].records.add(std::array<std::uint8_t, 4>{192, 0, 2, 1});
  }

  bool ask(std::uint32_t number) {
    std::array<std::uint8_t, 10> octets{8};
    for (std::size_t i = 1; i < 9; ++i, number >>= 4) {
      octets[i] = static_cast<std::uint8_t>('a' + (number & 15U));
    }
    std::array<std::uint8_t, 512> buffer;
    wire::MessageWriter out(buffer, buffer.size(), 0);
    out.begin(0, 0);
    if (cache_.render(octets, wire::RRType::a, kNow, {}, out).found) return true;
    value_.answer[0].owner = wire::Name::from_wire(octets).value();
    cache_.store(value_.answer[0].owner, wire::RRType::a, value_, kNow);
    return false;
  }

  std::size_t entries() const { return cache_.usage().entries; }

 private:
  Cache cache_;
  Value value_;
};

/// The share of hits in the last three quarters of the stream.
template <class Policy>
double hit_ratio(Policy& policy, const std::vector<std::uint32_t>& stream) {
  std::size_t hits = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    if (policy.ask(stream[i]) && i >= stream.size() / 4) ++hits;
  }
  return static_cast<double>(hits) / static_cast<double>(stream.size() - stream.size() / 4);
}

/// Bytes in which so many entries find room, by trial on names that never come again.
std::size_t bytes_for(std::size_t entries) {
  std::size_t bytes = entries * 40;
  for (;; bytes += bytes / 64) {
    Asked asked(bytes);
    for (std::uint32_t i = 0; i < entries + entries / 8; ++i) asked.ask(i);
    if (asked.entries() >= entries) return bytes;
  }
}

void hit_ratio_zipf(benchmark::State& state) {
  const StreamShape shape{static_cast<double>(state.range(0)) / 10, kNames,
                          static_cast<double>(state.range(2)) / 100};
  const auto stream = make_stream(shape, kQuestions);
  const std::size_t bytes = bytes_for(kNames * static_cast<std::size_t>(state.range(1)) / 100);
  for (auto _ : state) {
    Asked asked(bytes);
    const double ours = hit_ratio(asked, stream);
    TrueLru lru(asked.entries());
    state.counters["entries"] = static_cast<double>(asked.entries());
    state.counters["lru"] = hit_ratio(lru, stream);
    state.counters["ours"] = ours;
  }
}

BENCHMARK(hit_ratio_zipf)
    ->ArgNames({"exponent_x10", "percent", "once_percent"})
    ->ArgsProduct({{8, 10, 11}, {1, 10, 30}, {0, 25}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace siskin::cache::bench
