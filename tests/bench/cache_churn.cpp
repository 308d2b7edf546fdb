/// The process's memory under churn: new names all the time, far more than there is room for, and
/// what they are changes on the way, which is what makes an allocator waste.  The governor is asked
/// once every so many inserts as the daemon asks it once a second: 18 million inserts are an hour
/// of five thousand misses a second.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>

#include "bench/cache_mix.hpp"
#include "siskin/cache/memory_keeper.hpp"
#include "siskin/cache/process_memory.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint64_t kInsertsEachSecond = 5'000;
constexpr std::uint64_t kSeconds = 3'600;
constexpr std::uint64_t kSecondsEachPhase = 450;
constexpr std::uint64_t kSecondsOfDecay = 10;
constexpr std::uint64_t kMiB = 1U << 20;

constexpr wire::RRType kAnyOctets{65280};

/// Eight phases: by turns the usual mix, and one whose TXT sets have long records besides, longer
/// and more of them each time.
Learnt learnt_in(std::uint64_t phase, std::uint64_t number) {
  // The mix has a million names; another label in front makes others of them.
  Learnt learnt = Mix::learnt(number % 1'000'000);
  const std::array<std::uint8_t, 1> label{static_cast<std::uint8_t>('a' + number / 1'000'000)};
  learnt.name = learnt.name.with_label(label).value();
  learnt.value.answer.front().owner = learnt.name;
  learnt.value.ttl = static_cast<std::uint32_t>(30 + number % 7 * 600);
  if (learnt.type != wire::RRType::txt || phase % 2 == 0) return learnt;
  learnt.type = kAnyOctets;
  wire::RRset& set = learnt.value.answer.front();
  set.type = kAnyOctets;
  const std::vector<std::uint8_t> text(60 * phase, 'x');
  for (std::uint64_t i = 0; i < phase; ++i) set.records.add(text);
  return learnt;
}

void store_second(Cache& cache, std::uint64_t second) {
  const Instant now(std::chrono::seconds(1000 + second));
  for (std::uint64_t i = 0; i < kInsertsEachSecond; ++i) {
    const Learnt learnt = learnt_in(second / kSecondsEachPhase, second * kInsertsEachSecond + i);
    cache.store(learnt.name, learnt.type, learnt.value, now);
  }
}

void churn(benchmark::State& state) {
  const std::uint64_t limit = static_cast<std::uint64_t>(state.range(0)) * kMiB;
  for (auto _ : state) {
    const std::uint64_t before = resident_bytes();
    const MemoryGovernor governor(limit);
    Cache::Options options;
    options.hash_key = {1, 2};
    options.bytes_max = governor.initial(before, 2 * kMiB);
    Cache cache(options);
    MemoryKeeper keeper(cache, options.bytes_max, limit);
    std::uint64_t highest = 0;
    std::uint64_t sum = 0;
    for (std::uint64_t second = 0; second < kSeconds; ++second) {
      store_second(cache, second);
      // In an hour the allocator would have given back long since what it does not use.
      if (second % kSecondsOfDecay == 0) release_unused_memory();
      const std::uint64_t resident = resident_bytes();
      highest = std::max(highest, resident);
      if (second >= kSeconds / 2) sum += resident;
      keeper.look();
    }
    const auto share = [limit](std::uint64_t octets) {
      return static_cast<double>(octets) / static_cast<double>(limit);
    };
    state.counters["highest_of_limit"] = share(highest);
    state.counters["mean_of_limit"] = share(sum / (kSeconds / 2));
    state.counters["moved"] = static_cast<double>(keeper.moved());
    state.counters["cache_of_limit"] = share(cache.usage().bytes);
    if (const auto figures = allocator_figures()) {
      state.counters["active_of_limit"] = share(figures->active + figures->metadata);
      state.counters["filled_pages"] =
          static_cast<double>(figures->allocated) / static_cast<double>(figures->active);
    }
    cache.recount();
  }
}

BENCHMARK(churn)->Arg(128)->Arg(512)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace siskin::cache::bench
