/// IP addresses, endpoints and networks as plain values without any socket type.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "siskin/base/result.hpp"

namespace siskin {

enum class Family : std::uint8_t { ipv4 = 4, ipv6 = 6 };

/// An IPv4 or IPv6 address; unused octets are zero, so that values compare octet by octet.
class IpAddress {
 public:
  constexpr IpAddress() noexcept = default;  ///< 0.0.0.0
  static IpAddress v4(std::span<const std::uint8_t, 4> octets) noexcept;
  static IpAddress v6(std::span<const std::uint8_t, 16> octets) noexcept;
  static IpAddress v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) noexcept;
  /// Numeric text only, no zone index: "192.0.2.1", "2001:db8::1".
  static Result<IpAddress> from_text(std::string_view text);

  Family family() const noexcept { return family_; }
  bool is_v4() const noexcept { return family_ == Family::ipv4; }
  /// 4 or 16 octets in network order.
  std::span<const std::uint8_t> octets() const noexcept {
    return {octets_.data(), is_v4() ? 4U : 16U};
  }
  bool is_unspecified() const noexcept;  ///< 0.0.0.0 or ::
  /// The IPv4 address inside ::ffff:a.b.c.d, else the address itself.
  IpAddress unmapped() const noexcept;
  std::string to_text() const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) noexcept = default;

 private:
  Family family_ = Family::ipv4;
  std::array<std::uint8_t, 16> octets_{};
};

/// An address and a UDP or TCP port (host order).
struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;

  /// "192.0.2.1:53" or "[2001:db8::1]:53"; the port is required.
  static Result<Endpoint> from_text(std::string_view text);
  std::string to_text() const;

  friend auto operator<=>(const Endpoint&, const Endpoint&) noexcept = default;
};

/// An address prefix, "192.0.2.0/24"; a bare address is a network of one.
class Network {
 public:
  Network() noexcept = default;  ///< 0.0.0.0/0
  /// Error when an octet beyond the prefix is set ("10.0.0.1/8"): that is a typing mistake.
  static Result<Network> from_text(std::string_view text);
  static Network of(const IpAddress& address, unsigned prefix_length) noexcept;  ///< masks

  const IpAddress& address() const noexcept { return address_; }
  unsigned prefix_length() const noexcept { return prefix_length_; }
  bool contains(const IpAddress& address) const noexcept;  ///< false across families
  std::string to_text() const;

  friend bool operator==(const Network&, const Network&) noexcept = default;

 private:
  IpAddress address_;
  unsigned prefix_length_ = 0;
};

}  // namespace siskin

template <>
struct std::hash<siskin::IpAddress> {
  std::size_t operator()(const siskin::IpAddress& address) const noexcept;
};
