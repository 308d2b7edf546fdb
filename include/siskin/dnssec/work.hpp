/// What validating for one client query may cost in all (faults A43 to A47).
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/stats/metrics.hpp"

namespace siskin::dnssec {

/// Spent across all names, sets and zones of one query and never refilled.
class Work {
 public:
  struct Limits {
    std::uint32_t signatures = 64;  ///< checked by cryptography
    std::uint32_t hashes = 128;     ///< names hashed for NSEC3, each with all its iterations
  };

  explicit Work(const Limits& limits) noexcept
      : signatures_left_(limits.signatures), hashes_left_(limits.hashes), limits_(limits) {}

  bool spend_signature() noexcept {
    return spend(signatures_left_, stats::Metric::limit_signatures);
  }
  bool spend_hash() noexcept { return spend(hashes_left_, stats::Metric::limit_hashes); }

  std::uint32_t signatures() const noexcept { return limits_.signatures - signatures_left_; }
  std::uint32_t hashes() const noexcept { return limits_.hashes - hashes_left_; }
  /// The limit that was reached.
  std::optional<stats::Metric> exhausted() const noexcept { return exhausted_; }

 private:
  bool spend(std::uint32_t& left, stats::Metric limit) noexcept {
    if (left == 0) {
      exhausted_ = limit;
      return false;
    }
    --left;
    return true;
  }

  std::uint32_t signatures_left_;
  std::uint32_t hashes_left_;
  Limits limits_;
  std::optional<stats::Metric> exhausted_;
};

}  // namespace siskin::dnssec
