/// The metrics of one core.
#pragma once

#include <array>
#include <atomic>

#include "siskin/stats/metrics.hpp"

namespace siskin::stats {

/// Threads: one thread adds, any thread reads.  A value read is one that was there; several read
/// one after the other need not be of one instant.
class Counters {
 public:
  void add(Metric metric, std::uint64_t more = 1) noexcept {
    // No other thread writes, so there is nothing to lock.
    auto& value = values_[index(metric)];
    value.store(value.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  std::uint64_t value(Metric metric) const noexcept {
    return values_[index(metric)].load(std::memory_order_relaxed);
  }

 private:
  static std::size_t index(Metric metric) noexcept { return static_cast<std::size_t>(metric); }

  std::array<std::atomic<std::uint64_t>, kMetrics> values_{};
};

}  // namespace siskin::stats
