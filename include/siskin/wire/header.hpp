/// The twelve octets in front of every message (RFC 1035 §4.1.1, RFC 4035 §3.2.2-3).
#pragma once

#include <cstdint>

#include "siskin/wire/types.hpp"

namespace siskin::wire {

inline constexpr std::size_t kHeaderSize = 12;

/// Masks of the second 16-bit word.
namespace flag {
inline constexpr std::uint16_t qr = 0x8000;
inline constexpr std::uint16_t aa = 0x0400;
inline constexpr std::uint16_t tc = 0x0200;
inline constexpr std::uint16_t rd = 0x0100;
inline constexpr std::uint16_t ra = 0x0080;
inline constexpr std::uint16_t ad = 0x0020;
inline constexpr std::uint16_t cd = 0x0010;
}  // namespace flag

constexpr Opcode opcode_of(std::uint16_t flags) noexcept {
  return static_cast<Opcode>((flags >> 11) & 0xf);
}

/// The four bits of the header; EDNS holds the rest.
constexpr std::uint16_t rcode_bits(std::uint16_t flags) noexcept {
  return flags & 0xf;
}

}  // namespace siskin::wire
