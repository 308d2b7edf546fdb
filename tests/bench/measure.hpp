/// What the process has from the allocator, and its own time: what the benchmarks measure with.
#pragma once

#include <jemalloc/jemalloc.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <vector>

#include "siskin/base/check.hpp"

namespace siskin::cache::bench {

/// Allocations in use and what was handed out for them (size classes, not what was asked for),
/// exact when this thread is the only one that allocates.
struct HeapUse {
  std::size_t bytes = 0;
  std::size_t allocations = 0;
};

template <class T>
T mallctl_value(const char* name) {
  T value{};
  std::size_t size = sizeof value;
  SISKIN_CHECK(mallctl(name, &value, &size, nullptr, 0) == 0);
  return value;
}

inline HeapUse heap_use() {
  // What lies in the thread's cache counts as in use until it is given back.
  SISKIN_CHECK(mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0) == 0);
  std::uint64_t epoch = 1;  // statistics are of the latest turn of it
  SISKIN_CHECK(mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch) == 0);
  // 4096 means all arenas together (MALLCTL_ARENAS_ALL).
  const auto made = mallctl_value<std::uint64_t>("stats.arenas.4096.small.nmalloc") +
                    mallctl_value<std::uint64_t>("stats.arenas.4096.large.nmalloc");
  const auto freed = mallctl_value<std::uint64_t>("stats.arenas.4096.small.ndalloc") +
                     mallctl_value<std::uint64_t>("stats.arenas.4096.large.ndalloc");
  return {mallctl_value<std::size_t>("stats.allocated"), made - freed};
}

/// Seconds this thread has had a processor: on a machine with other work a better measure of what
/// something costs than the time that passed.
inline double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Work done again and again in the same pieces: of each piece the least time counts.  So what the
/// work itself takes is summed up, growth of a table included, and not what other processes do to
/// the processor's caches meanwhile, which is not at the same piece each time.
class LeastTimes {
 public:
  static constexpr int kRuns = 3;

  void begin_run() noexcept { next_ = 0; }

  template <class Work>
  void time(Work work) {
    const double start = thread_seconds();
    work();
    const double seconds = thread_seconds() - start;
    if (next_ == pieces_.size()) pieces_.push_back(seconds);
    pieces_[next_] = std::min(pieces_[next_], seconds);
    ++next_;
  }

  double seconds() const { return std::accumulate(pieces_.begin(), pieces_.end(), 0.0); }

 private:
  std::vector<double> pieces_;
  std::size_t next_ = 0;
};

}  // namespace siskin::cache::bench
