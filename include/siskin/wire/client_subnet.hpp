/// The client subnet option of EDNS (RFC 7871 §6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "siskin/base/ip.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::wire {

/// The option as it stands in a message:
///
///   octets   0 1      2        3       4 ...
///            FAMILY   SOURCE   SCOPE   ADDRESS
///
/// SOURCE: bits of the address that are told; SCOPE: in a reply, bits that the answer holds for.
/// ADDRESS has as many octets as SOURCE needs, and the bits beyond SOURCE are zero.
struct ClientSubnet {
  std::uint16_t family = 0;  ///< 1: IPv4, 2: IPv6; 0 only where `source` is 0
  std::uint8_t source = 0;
  std::uint8_t scope = 0;
  std::array<std::uint8_t, 16> address{};  ///< zero beyond `source` bits

  /// What tells a server about `network`; scope 0.
  static ClientSubnet of(const Network& network) noexcept;

  /// Reads the option's data.  Nothing: too many or too few octets, bits set beyond SOURCE, SOURCE
  /// longer than the family's addresses, a family that is unknown, or 0 although bits are told.
  /// SCOPE is read as it is: it must be 0 in a query, and may be anything in a reply.
  static std::optional<ClientSubnet> parse(Bytes data) noexcept;

  /// The prefix that is told; 0.0.0.0/0 for family 0.
  Network network() const noexcept;
  /// Whether the two agree in all but SCOPE, as a reply has to with its query (RFC 7871 §11.2).
  bool is_same_but_scope(const ClientSubnet& other) const noexcept;

  std::size_t option_size() const noexcept;  ///< octets, with code and length
  void write_option(Writer& out) const noexcept;

  friend bool operator==(const ClientSubnet&, const ClientSubnet&) noexcept = default;
};

}  // namespace siskin::wire
