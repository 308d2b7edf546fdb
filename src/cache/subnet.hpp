/// A client subnet as it stands in a key and in an entry: one octet of family and length, then the
/// octets of the address that the prefix reaches.
///
///   code  0..32    IPv4, that length; 0: those who opted out (RFC 7871 §7.1.2), of either family
///         65..192  IPv6, length + 64
///         255      no subnet: the directory, which says what lengths there are (variants.hpp)
#pragma once

#include <array>
#include <cstdint>

#include "siskin/base/ip.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::cache {

inline constexpr std::uint8_t kSubnetV6 = 64;
inline constexpr std::uint8_t kSubnetDirectory = 255;
inline constexpr std::uint8_t kSubnetOptedOut = 0;

/// The code alone; the lengths of one family order as their codes do.
inline std::uint8_t subnet_code(const Network& subnet) noexcept {
  const auto length = static_cast<std::uint8_t>(subnet.prefix_length());
  return subnet.address().is_v4() || length == 0 ? length
                                                 : static_cast<std::uint8_t>(kSubnetV6 + length);
}

inline bool is_v6_code(std::uint8_t code) noexcept {
  return code > kSubnetV6;
}

inline unsigned prefix_length_of(std::uint8_t code) noexcept {
  return is_v6_code(code) ? code - kSubnetV6 : code;
}

inline bool is_subnet_code(std::uint8_t code) noexcept {
  return code <= 32 || (code > kSubnetV6 && code <= kSubnetV6 + 128) || code == kSubnetDirectory;
}

/// Octets of the whole field, code included.
inline std::size_t subnet_size(std::uint8_t code) noexcept {
  return code == kSubnetDirectory ? 1 : 1 + (prefix_length_of(code) + 7) / 8;
}

/// The field written out.
class SubnetField {
 public:
  static constexpr std::size_t kSizeMax = 17;

  static SubnetField directory() noexcept {
    SubnetField field;
    field.octets_[0] = kSubnetDirectory;
    return field;
  }
  explicit SubnetField(const Network& subnet) noexcept {
    octets_[0] = subnet_code(subnet);
    size_ = subnet_size(octets_[0]);
    const auto address = subnet.address().octets();
    for (std::size_t i = 1; i < size_; ++i) octets_[i] = address[i - 1];
  }

  /// As it stands in an entry.
  explicit SubnetField(const std::uint8_t* at) noexcept : size_(subnet_size(*at)) {
    for (std::size_t i = 0; i < size_; ++i) octets_[i] = at[i];
  }

  wire::Bytes bytes() const noexcept { return {octets_.data(), size_}; }

 private:
  SubnetField() noexcept = default;

  std::array<std::uint8_t, kSizeMax> octets_{};
  std::size_t size_ = 1;
};

}  // namespace siskin::cache
