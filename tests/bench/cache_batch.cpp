/// Look-up and rendering in batches, as questions come in packets: a batch waits for memory once
/// where single look-ups wait once each.  The argument is the size of the batch; 1: without hints.
#include <benchmark/benchmark.h>

#include <array>
#include <random>
#include <vector>

#include "bench/cache_mix.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint64_t kSets = 1'000'000;
constexpr std::size_t kBatchMax = 64;
constexpr Instant kNow{std::chrono::seconds(1000)};

/// The full cache and all its questions in random order; one for all sizes of batch.
struct Setting {
  Setting() : cache(options()) {
    store_all(kSets, [this](const auto& name, wire::RRType type, const Value& value) {
      cache.store(name, type, value, kNow);
    });
    for (std::uint64_t i = 0; i < kSets; ++i) questions.push_back(Mix::sample(i));
    std::mt19937 random(7);
    std::shuffle(questions.begin(), questions.end(), random);
  }

  static Cache::Options options() {
    Cache::Options options;
    options.bytes_max = 128U << 20;
    options.hash_key = {0x1234567, 0x89abcdef};
    return options;
  }

  Cache cache;
  std::vector<Sample> questions;
};

using Hints = std::array<std::optional<Cache::Hint>, kBatchMax>;

/// False when it was not found.
bool answer(const Cache& cache, const Sample& question, const std::optional<Cache::Hint>& hint,
            std::span<std::uint8_t> buffer) {
  wire::MessageWriter out(buffer, buffer.size(), 11);
  out.begin(1, 0x8180);
  out.question(question.name(), question.type, wire::RRClass::in);
  const Rendered rendered =
      cache.render(question.name(), question.type, kNow, {.rotation = 1, .hint = hint}, out);
  benchmark::DoNotOptimize(out.finish(wire::Rcode::noerror, nullptr).data());
  return rendered.found;
}

void expect(const Cache& cache, std::span<const Sample> questions, Hints& hints) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    hints[i] = cache.expect(questions[i].name(), questions[i].type);
  }
  for (std::size_t i = 0; i < questions.size(); ++i) cache.fetch(*hints[i]);
}

void find_in_batches(benchmark::State& state) {
  static const Setting setting;
  const auto size = static_cast<std::size_t>(state.range(0));
  std::array<std::uint8_t, 1232> buffer;
  Hints hints;
  std::size_t next = 0;
  std::size_t missed = 0;
  for (auto _ : state) {
    if (next + size > kSets) next = 0;
    const auto batch = std::span(setting.questions).subspan(next, size);
    next += size;
    if (size > 1) expect(setting.cache, batch, hints);
    for (std::size_t i = 0; i < size; ++i) {
      if (!answer(setting.cache, batch[i], hints[i], buffer)) ++missed;
    }
  }
  state.counters["missed"] = static_cast<double>(missed);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.counters["ns_each"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(size) / 1e9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(find_in_batches)->Arg(1)->Arg(8)->Arg(32)->Arg(64)->MinTime(2);

}  // namespace
}  // namespace siskin::cache::bench
