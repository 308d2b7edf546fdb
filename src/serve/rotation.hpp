/// Which record of a set comes first in the next reply.
#pragma once

#include <cstddef>
#include <cstdint>

namespace siskin::serve {

/// A linear congruential generator (Knuth's MMIX constants): nothing secret depends on it, it costs
/// one multiplication, and unlike a counter it does not fall into step with clients that ask A and
/// AAAA in turn.
class Rotation {
 public:
  explicit Rotation(std::uint64_t seed) noexcept : state_(seed) {}

  std::size_t next() noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33);  // the low bits have short periods
  }

 private:
  std::uint64_t state_;
};

}  // namespace siskin::serve
