/// How long one store can take while a cache grows from nothing to ten million entries: ours, and
/// one around std::unordered_map, which moves all entries at once.  And how long our index works at
/// a stretch, its pages taken by themselves.
///
/// A store is timed by the clock on the wall, so what else the machine does shows.  But the i-th
/// store does the same in each run; its time is therefore the least of three runs, which keeps what
/// the cache does and loses what happened to come between.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "bench/ladder_5_wire.hpp"
#include "bench/ladder_6_ours.hpp"
#include "cache/entry.hpp"
#include "cache/page.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint32_t kEntries = 10'000'000;
constexpr int kRuns = 3;
constexpr Instant kNow{std::chrono::seconds(1000)};

std::uint32_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  const auto passed = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint32_t>(std::chrono::nanoseconds(passed).count());
}

/// The value below which that share of them lies.
double quantile(std::vector<std::uint32_t>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

/// Names of one size, in no order that a hash could notice.
wire::Name name_of(std::uint32_t number) {
  std::array<std::uint8_t, 22> octets{12};
  for (std::size_t i = 1; i <= 12; ++i) {
    octets[i] = static_cast<std::uint8_t>('a' + (i <= 8 ? number >> (i - 1) * 4 & 15U : i));
  }
  std::ranges::copy(std::string_view("\x07"
                                     "example"),
                    octets.begin() + 13);
  return wire::Name::from_wire(octets).value();
}

/// The nanoseconds of each store.
template <class Step>
std::vector<std::uint32_t> grow() {
  Step step;
  Value value;
  value.ttl = 86400;
  value.answer.resize(1);
  value.answer[0].type = wire::RRType::a;
  value.answer[0].records.add(std::array<std::uint8_t, 4>{192, 0, 2, 1});
  std::vector<std::uint32_t> times;
  times.reserve(kEntries);
  for (std::uint32_t i = 0; i < kEntries; ++i) {
    const wire::Name name = name_of(i);
    value.answer[0].owner = name;
    const auto start = std::chrono::steady_clock::now();
    const bool stored = step.store(name, wire::RRType::a, value, kNow);
    times.push_back(nanoseconds_since(start));
    SISKIN_CHECK(stored);
  }
  return times;
}

/// Of each step the least time of several runs.
template <class Run>
std::vector<std::uint32_t> least_of_runs(Run run) {
  std::vector<std::uint32_t> least = run();
  for (int again = 1; again < kRuns; ++again) {
    const std::vector<std::uint32_t> times = run();
    std::ranges::transform(least, times, least.begin(), std::ranges::min);
  }
  return least;
}

void report(benchmark::State& state, std::vector<std::uint32_t> times) {
  state.counters["p50_ns"] = quantile(times, 0.5);
  state.counters["p99.9_ns"] = quantile(times, 0.999);
  state.counters["longest_us"] = quantile(times, 1) / 1e3;
}

template <class Step>
void growth_pause(benchmark::State& state) {
  for (auto _ : state) report(state, least_of_runs(grow<Step>));
}

/// Grows so many pages side by side, as far as they grow in a full cache, and returns the
/// nanoseconds of each step of growth.
std::vector<std::uint32_t> grow_pages() {
  constexpr std::size_t kPages = 16'384;
  constexpr std::uint32_t kUsedMax = 500;
  const wire::Name name = name_of(0);
  const Memory entry = build_entry(Key({}, name.wire(), wire::RRType::a), {}, 1);
  const Key other({}, name.wire(), wire::RRType::aaaa);
  std::minstd_rand random(1);
  std::vector<Page> pages(kPages);
  std::vector<std::uint32_t> steps;
  for (std::uint32_t used = 0; used < kUsedMax; ++used) {
    for (Page& page : pages) {
      const Slot slot(random() >> 5 & 0x1fffU, entry.get());
      while (!page.has_room() || !page.insert(page.find(slot.hash(), other).at, slot)) {
        const auto start = std::chrono::steady_clock::now();
        SISKIN_CHECK(page.resize(page.grown_bytes()));
        steps.push_back(nanoseconds_since(start));
      }
    }
  }
  return steps;
}

void index_step(benchmark::State& state) {
  for (auto _ : state) report(state, least_of_runs(grow_pages));
}

/// Ours, with room for all of them.
struct Roomy : Ours {
  Roomy() : Ours(std::size_t{1100} << 20) {}
};

BENCHMARK(growth_pause<Roomy>)->Name("growth_pause/ours")->Iterations(1);
BENCHMARK(growth_pause<LadderMap<WireForm>>)->Name("growth_pause/unordered_map")->Iterations(1);
BENCHMARK(index_step)->Iterations(1);

}  // namespace
}  // namespace siskin::cache::bench
