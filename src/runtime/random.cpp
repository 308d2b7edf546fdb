#include "siskin/runtime/random.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "siskin/base/check.hpp"

namespace siskin::runtime {
namespace {

/// getrandom fails only when interrupted before it began, or where the kernel lacks it.
void fill_from_kernel(std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    const auto got = getrandom(out.data(), out.size(), 0);
    SISKIN_CHECK(got > 0 || errno == EINTR);
    if (got > 0) out = out.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace

std::uint16_t Random::u16() noexcept {
  std::array<std::uint8_t, 2> octets{};
  fill(octets);
  return static_cast<std::uint16_t>(octets[0] << 8 | octets[1]);
}

std::uint64_t Random::u64() noexcept {
  std::array<std::uint8_t, 8> octets{};
  fill(octets);
  std::uint64_t value = 0;
  for (const std::uint8_t octet : octets) value = value << 8 | octet;
  return value;
}

std::uint32_t Random::below(std::uint32_t bound) noexcept {
  SISKIN_CHECK(bound > 0);
  // Lemire's multiplication: the upper half of draw * bound is uniform once the first
  // 2^32 mod bound values of the lower half are refused.
  const std::uint32_t refused = (0U - bound) % bound;
  for (;;) {
    const std::uint64_t product = (u64() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) >= refused) {
      return static_cast<std::uint32_t>(product >> 32);
    }
  }
}

void SystemRandom::fill(std::span<std::uint8_t> out) noexcept {
  if (out.size() >= block_.size()) return fill_from_kernel(out);
  while (!out.empty()) {
    if (used_ == block_.size()) {
      fill_from_kernel(block_);
      used_ = 0;
    }
    const std::size_t count = std::min(out.size(), block_.size() - used_);
    std::memcpy(out.data(), block_.data() + used_, count);
    explicit_bzero(block_.data() + used_, count);
    used_ += count;
    out = out.subspan(count);
  }
}

}  // namespace siskin::runtime
