/// Everything random in a simulation comes from one seed.
#pragma once

#include <array>

#include "siskin/base/time.hpp"
#include "siskin/runtime/random.hpp"

namespace siskin::sim {

/// xoshiro256**, its state filled by splitmix64 (Blackman and Vigna).
class SimRandom final : public runtime::Random {
 public:
  explicit SimRandom(std::uint64_t seed) noexcept;

  void fill(std::span<std::uint8_t> out) noexcept override;

  /// True with that probability.
  bool chance(double probability) noexcept;
  /// Uniform in [low, high].
  unsigned between(unsigned low, unsigned high) noexcept;
  Duration between(Duration low, Duration high) noexcept;
  /// An element of a non-empty container.
  template <class Container>
  const auto& pick(const Container& from) noexcept {
    return from[below(static_cast<std::uint32_t>(std::size(from)))];
  }

 private:
  std::uint64_t next() noexcept;

  std::array<std::uint64_t, 4> state_;
};

}  // namespace siskin::sim
