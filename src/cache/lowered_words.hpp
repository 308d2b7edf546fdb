/// A name as words of eight octets, letters lowered on the way: what keys are hashed and compared
/// by, without a copy.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "siskin/wire/name.hpp"

namespace siskin::cache {

inline std::uint64_t load_word(const std::uint8_t* at) noexcept {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Letters lowered in all eight octets at once: adding to the low seven bits of each octet carries
/// into its top bit where the octet is at least 'A', or more than 'Z'.
inline std::uint64_t lowered(std::uint64_t word) noexcept {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  const std::uint64_t low_bits = word & kEach * 0x7f;
  const std::uint64_t from_a = low_bits + kEach * (0x80 - 'A');
  const std::uint64_t beyond_z = low_bits + kEach * (0x7f - 'Z');
  return word | (from_a & ~beyond_z & ~word & kEach * 0x80) >> 2;
}

class LoweredWords {
 public:
  explicit LoweredWords(wire::Bytes name) noexcept : name_(name) {}

  std::size_t whole() const noexcept { return name_.size() / 8; }
  std::uint64_t operator[](std::size_t i) const noexcept {
    return lowered(load_word(name_.data() + 8 * i));
  }
  /// Octets behind the whole words: 0 to 7.
  std::size_t left() const noexcept { return name_.size() % 8; }
  /// Those, then zeros.
  std::uint64_t last() const noexcept {
    const std::size_t left = this->left();
    if (left == 0) return 0;
    const std::uint8_t* const end = name_.data() + name_.size();
    // A word that ends with the name has other octets of it in front.
    if (name_.size() >= 8) return lowered(load_word(end - 8)) >> 8 * (8 - left);
    std::uint64_t word = 0;
    std::memcpy(&word, name_.data(), left);
    return lowered(word);
  }

 private:
  wire::Bytes name_;
};

}  // namespace siskin::cache
