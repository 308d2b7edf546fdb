/// Small damage to octets, of the kinds that parsers stumble over.
#pragma once

#include "wire/samples.hpp"

namespace siskin::wire::test {

/// One change: a bit, an octet, a 16-bit word of note, a piece cut out, doubled, or put in.
inline void mutate(Octets& octets, Draw& draw) {
  constexpr std::array<std::uint16_t, 12> kWords{0x0000, 0x0001, 0x00ff, 0x0100, 0x7fff, 0x8000,
                                                 0xffff, 0xc000, 0xc00c, 0xc00e, 0x3f3f, 0x0029};
  if (octets.empty()) octets.push_back(0);
  const std::size_t at = draw.below(octets.size());
  const std::size_t size = std::min(octets.size() - at, 1 + draw.below(8));
  const auto from = octets.begin() + static_cast<std::ptrdiff_t>(at);
  const auto to = from + static_cast<std::ptrdiff_t>(size);
  switch (draw.below(7)) {
    case 0: octets[at] ^= static_cast<std::uint8_t>(1U << draw.below(8)); break;
    case 1: octets[at] = draw.octet(); break;
    case 2: {
      const std::uint16_t word = draw.of(kWords);
      octets[at] = static_cast<std::uint8_t>(word >> 8);
      if (at + 1 < octets.size()) octets[at + 1] = static_cast<std::uint8_t>(word);
      break;
    }
    case 3: octets.erase(from, to); break;
    case 4: {
      const Octets piece(from, to);
      octets.insert(from, piece.begin(), piece.end());
      break;
    }
    case 5: octets.resize(at); break;
    default: octets.push_back(draw.octet()); break;
  }
}

}  // namespace siskin::wire::test
