#include "sim/random.hpp"

#include <bit>
#include <cstring>

namespace siskin::sim {

SimRandom::SimRandom(std::uint64_t seed) noexcept {
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

std::uint64_t SimRandom::next() noexcept {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

void SimRandom::fill(std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    const std::uint64_t word = next();
    const std::size_t size = std::min(out.size(), sizeof(word));
    std::memcpy(out.data(), &word, size);
    out = out.subspan(size);
  }
}

bool SimRandom::chance(double probability) noexcept {
  return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability;
}

unsigned SimRandom::between(unsigned low, unsigned high) noexcept {
  return low + below(high - low + 1);
}

Duration SimRandom::between(Duration low, Duration high) noexcept {
  const auto range = static_cast<std::uint64_t>((high - low).count()) + 1;
  return low + Duration(static_cast<Duration::rep>(next() % range));
}

}  // namespace siskin::sim
