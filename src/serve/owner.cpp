#include "serve/owner.hpp"

#include <algorithm>
#include <array>

namespace siskin::serve {

unsigned owner_of(wire::Bytes name, wire::RRType type, HashKey key, unsigned cores) noexcept {
  std::array<std::uint8_t, wire::kNameSizeMax + sizeof(type)> text{};
  auto end = std::ranges::transform(name, text.begin(), wire::to_lower).out;
  *end++ = static_cast<std::uint8_t>(static_cast<std::uint16_t>(type) >> 8);
  *end++ = static_cast<std::uint8_t>(static_cast<std::uint16_t>(type) & 0xff);
  const auto size = static_cast<std::size_t>(end - text.begin());
  return static_cast<unsigned>(siphash13(key, {text.data(), size}) % cores);
}

}  // namespace siskin::serve
