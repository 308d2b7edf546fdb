/// The cache alone, on one million sets of the mix (cache_mix.hpp): bytes an entry, inserts a
/// second, look-up and rendering, also on a set so small that it lies in the processor's caches.
///   cmake --preset bench && cmake --build --preset bench --target siskin_bench
///   build/bench/tests/siskin_bench        on an idle machine
#include <benchmark/benchmark.h>

#include <array>

#include "bench/cache_mix.hpp"
#include "cache/entry.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint64_t kSets = 1'000'000;
constexpr std::uint64_t kNearSets = 2'000;  ///< these lie in the processor's own caches
constexpr Instant kNow{std::chrono::seconds(1000)};

Cache::Options options() {
  Cache::Options options;
  options.bytes_max = 128U << 20;  // nearly full with the sets
  options.hash_key = {0x1234567, 0x89abcdef};
  return options;
}

void insert_new(benchmark::State& state) {
  for (auto _ : state) {
    LeastTimes times;
    for (int run = 0; run < LeastTimes::kRuns; ++run) {
      Cache cache(options());
      store_all(kSets, times, [&](const auto& name, wire::RRType type, const Value& value) {
        cache.store(name, type, value, kNow);
      });
    }
    state.SetIterationTime(times.seconds());
  }
  state.SetItemsProcessed(kSets);
}

/// What the octets of an entry are, on average: payload (owner name and RDATA), the rest of the
/// entry, what the allocator rounds up, and the index.
void where_octets_go(benchmark::State& state) {
  for (auto _ : state) {
    Cache cache(options());
    double payload = 0;
    double lengths = 0;
    double charged = 0;
    for (std::uint64_t i = 0; i < kSets; ++i) {
      const auto [name, type, value] = Mix::learnt(i);
      const wire::RecordList& records = value.answer[0].records;
      const double own_lengths = 2.0 * static_cast<double>(records.count());
      lengths += own_lengths;
      payload += static_cast<double>(name.size() + records.bytes().size()) - own_lengths;
      const Memory entry = build_entry(Key({}, name.wire(), type), value, 1);
      charged += static_cast<double>(charge_of(entry.get()));
      cache.store(name, type, value, kNow);
    }
    const auto a_set = [](double sum) { return sum / static_cast<double>(kSets); };
    state.counters["1_payload"] = a_set(payload);
    state.counters["2_lengths"] = a_set(lengths);
    state.counters["3_header"] = static_cast<double>(kEntryHeaderSize);
    state.counters["4_rounding"] = a_set(charged - payload - lengths) - kEntryHeaderSize;
    state.counters["5_index"] = a_set(static_cast<double>(cache.usage().bytes) - charged);
    state.counters["6_all"] = a_set(static_cast<double>(cache.usage().bytes));
  }
}

void find_and_render(benchmark::State& state) {
  Cache cache(options());
  const auto sets = static_cast<std::uint64_t>(state.range(0));
  store_all(sets, [&cache](const auto& name, wire::RRType type, const Value& value) {
    cache.store(name, type, value, kNow);
  });
  const std::vector<Sample> questions = shuffled_questions(sets);
  std::array<std::uint8_t, 1232> buffer;
  std::size_t turn = 0;
  std::size_t missed = 0;
  const auto ask = [&](const Sample& question) {
    wire::MessageWriter out(buffer, buffer.size(), 11);
    out.begin(static_cast<std::uint16_t>(++turn), 0x8180);
    out.question(question.name(), question.type, wire::RRClass::in);
    const Rendered rendered = cache.render(question.name(), question.type, kNow,
                                           {.dnssec_ok = false, .rotation = turn}, out);
    if (!rendered.found) ++missed;
    benchmark::DoNotOptimize(out.finish(wire::Rcode::noerror, nullptr).data());
  };
  for (auto _ : state) {
    LeastTimes asking;
    for (int run = 0; run < LeastTimes::kRuns; ++run) ask_all(questions, asking, ask);
    state.SetIterationTime(asking.seconds() / static_cast<double>(sets));
  }
  state.counters["missed"] = static_cast<double>(missed);
}

BENCHMARK(where_octets_go)->Iterations(1);
BENCHMARK(insert_new)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK(find_and_render)->Arg(kNearSets)->UseManualTime()->Iterations(50);
BENCHMARK(find_and_render)->Arg(kSets)->UseManualTime()->Iterations(1);

}  // namespace
}  // namespace siskin::cache::bench
