#include "siskin/base/siphash.hpp"

#include <cstring>

namespace siskin {
namespace {

std::uint64_t load_little_endian(const std::uint8_t* bytes, std::size_t count) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

static_assert(std::endian::native == std::endian::little, "load_little_endian copies as it lies");

}  // namespace

std::uint64_t siphash13(HashKey key, std::span<const std::uint8_t> data) noexcept {
  SipHash13 hash(key);
  std::size_t at = 0;
  for (; data.size() - at >= 8; at += 8) hash.add(load_little_endian(data.data() + at, 8));
  const std::uint64_t tail = load_little_endian(data.data() + at, data.size() - at);
  hash.add(tail | static_cast<std::uint64_t>(data.size()) << 56);
  return hash.finish();
}

}  // namespace siskin
