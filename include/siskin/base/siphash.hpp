/// SipHash-1-3: the keyed hash for every table whose keys come from the network.
#pragma once

#include <cstdint>
#include <span>

namespace siskin {

/// Drawn at start from the CSPRNG; never leaves the process.
struct HashKey {
  std::uint64_t k0 = 0;
  std::uint64_t k1 = 0;
};

std::uint64_t siphash13(HashKey key, std::span<const std::uint8_t> data) noexcept;

}  // namespace siskin
