/// Random numbers as they are handed in.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace siskin::runtime {

/// Threads: one instance belongs to one core.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::uint8_t> out) noexcept = 0;

  std::uint16_t u16() noexcept;
  std::uint64_t u64() noexcept;
  /// Uniform in [0, bound); bound > 0.
  std::uint32_t below(std::uint32_t bound) noexcept;
};

/// The kernel's CSPRNG (getrandom), read in blocks of 512 octets; used octets are wiped, so that
/// nothing already given out can be found in memory later (fault A5).
class SystemRandom final : public Random {
 public:
  void fill(std::span<std::uint8_t> out) noexcept override;

 private:
  std::array<std::uint8_t, 512> block_{};
  std::size_t used_ = sizeof(block_);
};

}  // namespace siskin::runtime
