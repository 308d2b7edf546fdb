/// SipHash-1-3: the keyed hash for every table whose keys come from the network.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace siskin {

/// Drawn at start from the CSPRNG; never leaves the process.
struct HashKey {
  std::uint64_t k0 = 0;
  std::uint64_t k1 = 0;
};

std::uint64_t siphash13(HashKey key, std::span<const std::uint8_t> data) noexcept;

/// The same, word by word, for those who have their message in words.  What is hashed must not be
/// the beginning of something else that is hashed under that key: a first word that says how many
/// follow sees to it.
class SipHash13 {
 public:
  explicit SipHash13(HashKey key) noexcept
      : v0_(key.k0 ^ 0x736f6d6570736575U),
        v1_(key.k1 ^ 0x646f72616e646f6dU),
        v2_(key.k0 ^ 0x6c7967656e657261U),
        v3_(key.k1 ^ 0x7465646279746573U) {}

  void add(std::uint64_t word) noexcept {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }

  std::uint64_t finish() noexcept {
    v2_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void round() noexcept {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace siskin
