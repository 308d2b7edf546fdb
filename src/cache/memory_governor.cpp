#include "siskin/cache/memory_governor.hpp"

#include <algorithm>

namespace siskin::cache {

std::uint64_t MemoryGovernor::initial(std::uint64_t resident,
                                      std::uint64_t reserve) const noexcept {
  const std::uint64_t rest = std::min(resident + reserve, target());
  // An eighth for what the allocator cannot fill.
  const std::uint64_t left = target() - rest;
  return std::max(left - left / 8, least());
}

std::uint64_t MemoryGovernor::next(const Reading& reading) const noexcept {
  const std::uint64_t max = reading.cache_max;
  if (reading.resident == 0) return max;  // not to be read here
  if (is_over(reading.resident)) {
    const std::uint64_t held = std::min(max, reading.cache_bytes);
    const std::uint64_t step = std::min(reading.resident - target(), held / 32);
    return std::max(held - step, std::min(least(), max));
  }
  const bool is_full = reading.cache_bytes >= max - max / 64;
  return is_full ? max + (target() - reading.resident) / 4 : max;
}

}  // namespace siskin::cache
