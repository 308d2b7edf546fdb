/// Two threads against one on the million sets of the mix: look-ups alone, and nine look-ups for
/// each renewal of an entry.  One thread, two on one cache, and two with a cache each take turns
/// within one run, so that what else the machine does weighs on all alike.  Medians of all turns:
///
///   shared  what two threads get done on one cache, against what one does
///   apart   the same with a cache each: all that the machine could give just then
///
/// By the clock on the wall, and `cpu`: by the threads' own clocks, so without the time in which
/// another process had the processor, but also without what they wait for each other's locks.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <barrier>
#include <memory>
#include <span>
#include <thread>

#include "bench/cache_mix.hpp"

namespace siskin::cache::bench {
namespace {

constexpr std::uint64_t kSets = 1'000'000;
constexpr std::uint64_t kRenewed = 4'096;     ///< entries that one thread renews, in turn
constexpr std::size_t kOperations = 200'000;  ///< of a thread in one turn
constexpr int kTurns = 15;
constexpr Instant kNow{std::chrono::seconds(1000)};

/// Operations a second, by both clocks.
struct Speed {
  double wall = 0;
  double cpu = 0;
};

/// What one thread does; `renew_every` 0: look-ups only.
class Worker {
 public:
  Worker(Cache& cache, const std::vector<Sample>& questions, std::size_t number, std::size_t every)
      : cache_(&cache),
        questions_(&questions),
        next_(questions.size() / 2 * number),
        renew_every_(every) {
    for (std::uint64_t i = 0; every != 0 && i < kRenewed; ++i) {
      renewals_.push_back(Mix::learnt((i * 2 + number) * 97));
    }
  }

  Speed run() {
    const auto wall = std::chrono::steady_clock::now();
    const double cpu = thread_seconds();
    for (std::size_t i = 1; i <= kOperations; ++i) {
      if (renew_every_ != 0 && i % renew_every_ == 0) {
        renew();
      } else {
        ask();
      }
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - wall;
    return {kOperations / passed.count(), kOperations / (thread_seconds() - cpu)};
  }

 private:
  void ask() {
    const Sample& question = (*questions_)[next_];
    if (++next_ == questions_->size()) next_ = 0;
    std::array<std::uint8_t, 1232> buffer;
    wire::MessageWriter out(buffer, buffer.size(), 11);
    out.begin(0, 0x8180);
    out.question(question.name(), question.type, wire::RRClass::in);
    cache_->render(question.name(), question.type, kNow, {}, out);
    benchmark::DoNotOptimize(out.finish(wire::Rcode::noerror, nullptr).data());
  }

  void renew() {
    const auto& [name, type, value] = renewals_[next_renewal_];
    if (++next_renewal_ == renewals_.size()) next_renewal_ = 0;
    cache_->store(name, type, value, kNow);
  }

  Cache* cache_;
  const std::vector<Sample>* questions_;
  std::size_t next_;
  std::size_t renew_every_;
  std::vector<Learnt> renewals_;
  std::size_t next_renewal_ = 0;
};

/// One turn of all workers at the same time; their speeds together.
Speed turn(std::span<Worker> workers) {
  std::vector<Speed> speeds(workers.size());
  std::barrier start(static_cast<std::ptrdiff_t>(workers.size()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        speeds[i] = workers[i].run();
      });
    }
  }
  Speed sum;
  for (const Speed& speed : speeds) sum = {sum.wall + speed.wall, sum.cpu + speed.cpu};
  return sum;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

std::unique_ptr<Cache> full_cache() {
  auto cache = std::make_unique<Cache>(Cache::Options{.bytes_max = 128U << 20, .hash_key = {1, 2}});
  store_all(kSets, [&cache](const auto& name, wire::RRType type, const Value& value) {
    cache->store(name, type, value, kNow);
  });
  return cache;
}

void two_threads(benchmark::State& state) {
  const auto first = full_cache();
  const auto second = full_cache();
  const std::vector<Sample> questions = shuffled_questions(kSets);
  const auto renew_every = static_cast<std::size_t>(state.range(0));
  std::array<Worker, 2> shared{
      {{*first, questions, 0, renew_every}, {*first, questions, 1, renew_every}}};
  std::array<Worker, 2> apart{
      {{*first, questions, 0, renew_every}, {*second, questions, 1, renew_every}}};
  for (auto _ : state) {
    std::array<std::vector<double>, 4> ratios;
    turn(apart);  // warms up
    for (int i = 0; i < kTurns; ++i) {
      const Speed one = turn(std::span(shared).first(1));
      const Speed two = turn(shared);
      const Speed most = turn(apart);
      ratios[0].push_back(two.wall / one.wall);
      ratios[1].push_back(most.wall / one.wall);
      ratios[2].push_back(two.cpu / one.cpu);
      ratios[3].push_back(most.cpu / one.cpu);
    }
    state.counters["shared"] = median(ratios[0]);
    state.counters["apart"] = median(ratios[1]);
    state.counters["shared_cpu"] = median(ratios[2]);
    state.counters["apart_cpu"] = median(ratios[3]);
  }
}

BENCHMARK(two_threads)->ArgName("renew_every")->Arg(0)->Arg(10)->Iterations(1);

}  // namespace
}  // namespace siskin::cache::bench
