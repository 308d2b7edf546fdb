/// The cookie option of EDNS (RFC 7873 §4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::wire {

/// The option's data: eight octets of the client's, then none or eight to 32 of the server's.
struct Cookie {
  using Client = std::array<std::uint8_t, 8>;
  static constexpr std::size_t kServerSizeMin = 8;
  static constexpr std::size_t kServerSizeMax = 32;

  Client client{};
  std::array<std::uint8_t, kServerSizeMax> server{};  ///< zero beyond `server_size`
  std::uint8_t server_size = 0;

  /// Nothing: a length that the RFC does not allow.
  static std::optional<Cookie> parse(Bytes data) noexcept;

  std::size_t option_size() const noexcept;  ///< octets, with code and length
  void write_option(Writer& out) const noexcept;

  friend bool operator==(const Cookie&, const Cookie&) noexcept = default;
};

}  // namespace siskin::wire
