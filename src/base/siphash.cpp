#include "siskin/base/siphash.hpp"

#include <bit>
#include <cstring>

namespace siskin {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() noexcept {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
};

std::uint64_t load_little_endian(const std::uint8_t* bytes, std::size_t count) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

static_assert(std::endian::native == std::endian::little, "load_little_endian copies as it lies");

}  // namespace

std::uint64_t siphash13(HashKey key, std::span<const std::uint8_t> data) noexcept {
  State s{key.k0 ^ 0x736f6d6570736575U, key.k1 ^ 0x646f72616e646f6dU, key.k0 ^ 0x6c7967656e657261U,
          key.k1 ^ 0x7465646279746573U};
  std::size_t at = 0;
  for (; data.size() - at >= 8; at += 8) {
    const std::uint64_t word = load_little_endian(data.data() + at, 8);
    s.v3 ^= word;
    s.round();
    s.v0 ^= word;
  }
  const std::uint64_t tail = load_little_endian(data.data() + at, data.size() - at);
  const std::uint64_t last = tail | (static_cast<std::uint64_t>(data.size()) << 56);
  s.v3 ^= last;
  s.round();
  s.v0 ^= last;
  s.v2 ^= 0xff;
  for (int i = 0; i < 3; ++i) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

}  // namespace siskin
