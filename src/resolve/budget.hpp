/// What one client query may still cost.  Made once, passed by reference, never refilled.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "siskin/base/time.hpp"
#include "siskin/resolve/resolver.hpp"
#include "siskin/stats/metrics.hpp"

namespace siskin::resolve {

class Budget {
 public:
  Budget(const Limits& limits, Instant now) : limits_(limits), deadline_(now + limits.time) {}

  /// While it lives, time ends sooner: what is one of several ways must not take all of it.
  class Slice {
   public:
    Slice(Budget& budget, Instant until)
        : budget_(budget),
          deadline_(std::exchange(budget.deadline_, std::min(until, budget.deadline_))),
          exhausted_(budget.exhausted_) {
      if (is_shorter()) ++budget_.slices_;
    }
    ~Slice() {
      if (!is_shorter()) return;
      --budget_.slices_;
      if (std::exchange(budget_.is_time_up_, false)) budget_.exhausted_ = exhausted_;
      budget_.deadline_ = deadline_;
    }
    Slice(const Slice&) = delete;
    Slice& operator=(const Slice&) = delete;

   private:
    bool is_shorter() const noexcept { return budget_.deadline_ < deadline_; }

    Budget& budget_;
    const Instant deadline_;
    const std::optional<stats::Metric> exhausted_;
  };

  Instant deadline() const noexcept { return deadline_; }
  /// A slice's time was up: what failed for it might have come with more.
  bool is_slice_over() const noexcept { return slices_ > 0 && is_time_up_; }
  std::uint32_t exchanges_spent() const noexcept { return exchanges_; }

  bool spend_exchange(Instant now) {
    if (now >= deadline_) {
      is_time_up_ = true;
      return out_of(stats::Metric::limit_time);
    }
    if (exchanges_ >= limits_.exchanges) return out_of(stats::Metric::limit_exchanges);
    ++exchanges_;
    return true;
  }

  bool spend_alias() {
    return aliases_++ < limits_.aliases || out_of(stats::Metric::limit_aliases);
  }

  bool spend_server_lookup() {
    return server_lookups_++ < limits_.server_lookups ||
           out_of(stats::Metric::limit_server_lookups);
  }

  /// The first limit that was reached.
  std::optional<stats::Metric> exhausted() const noexcept { return exhausted_; }

 private:
  bool out_of(stats::Metric limit) {
    if (!exhausted_) exhausted_ = limit;
    return false;
  }

  Limits limits_;
  Instant deadline_;
  std::uint32_t exchanges_ = 0;
  std::uint32_t aliases_ = 0;
  std::uint32_t server_lookups_ = 0;
  std::optional<stats::Metric> exhausted_;
  bool is_time_up_ = false;
  unsigned slices_ = 0;
};

}  // namespace siskin::resolve
