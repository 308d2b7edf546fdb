#include "siskin/policy/access.hpp"

#include <algorithm>

namespace siskin::policy {
namespace {

constexpr unsigned kMappedPrefixLength = 96;  // ::ffff:0:0/96, RFC 4291 §2.5.5.2

/// "::ffff:192.0.2.0/120" is 192.0.2.0/24.  A shorter prefix holds more than mapped addresses and
/// stays as it is.
Network unmapped(const Network& network) noexcept {
  const IpAddress address = network.address().unmapped();
  const bool mapped = address.family() != network.address().family();
  if (!mapped || network.prefix_length() < kMappedPrefixLength) return network;
  return Network::of(address, network.prefix_length() - kMappedPrefixLength);
}

std::uint64_t big_endian(std::span<const std::uint8_t> octets) noexcept {
  std::uint64_t value = 0;
  for (const std::uint8_t octet : octets) value = value << 8 | octet;
  return value;
}

/// The first `length` of 64 bits; a shift by 64 would be undefined.
std::uint64_t leading_bits(unsigned length) noexcept {
  return length == 0 ? 0 : ~std::uint64_t{0} << (64 - std::min(length, 64U));
}

}  // namespace

std::uint32_t AccessList::v4_bits(const IpAddress& address) noexcept {
  return static_cast<std::uint32_t>(big_endian(address.octets()));
}

AccessList::Words AccessList::v6_bits(const IpAddress& address) noexcept {
  const auto octets = address.octets();
  return {big_endian(octets.first(8)), big_endian(octets.last(8))};
}

AccessList::AccessList(const std::vector<Network>& allowed) {
  for (const Network& given : allowed) {
    const Network network = unmapped(given);
    const unsigned length = network.prefix_length();
    if (network.address().is_v4()) {
      const auto mask = static_cast<std::uint32_t>(leading_bits(length) >> 32);
      v4_.push_back({v4_bits(network.address()), mask});
    } else {
      const Words mask{leading_bits(length), leading_bits(length < 64 ? 0 : length - 64)};
      v6_.push_back({v6_bits(network.address()), mask});
    }
  }
}

bool AccessList::allows(const IpAddress& client) const noexcept {
  const auto holds = [](const auto& address) {
    return [&address](const auto& range) { return range.holds(address); };
  };
  const IpAddress address = client.unmapped();
  return address.is_v4() ? std::ranges::any_of(v4_, holds(v4_bits(address)))
                         : std::ranges::any_of(v6_, holds(v6_bits(address)));
}

}  // namespace siskin::policy
