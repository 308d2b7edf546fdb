#include "siskin/wire/client_subnet.hpp"

#include <algorithm>

#include "siskin/wire/edns.hpp"

namespace siskin::wire {
namespace {

constexpr std::uint16_t kIpv4 = 1;  // IANA's address family numbers
constexpr std::uint16_t kIpv6 = 2;
constexpr std::size_t kOptionHeaderSize = 4;  ///< code and length
constexpr std::size_t kFixedSize = 4;         ///< of the data, before ADDRESS

unsigned source_max(std::uint16_t family) noexcept {
  if (family == kIpv4) return 32;
  return family == kIpv6 ? 128 : 0;
}

std::size_t octets_for(unsigned bits) noexcept {
  return (bits + 7) / 8;
}

/// Bits of the last octet that a prefix of `bits` does not reach.
std::uint8_t unused_bits(unsigned bits) noexcept {
  return bits % 8 == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(0xffU >> (bits % 8));
}

}  // namespace

ClientSubnet ClientSubnet::of(const Network& network) noexcept {
  ClientSubnet subnet;
  subnet.family = network.address().is_v4() ? kIpv4 : kIpv6;
  subnet.source = static_cast<std::uint8_t>(network.prefix_length());
  std::ranges::copy(network.address().octets(), subnet.address.begin());
  return subnet;
}

std::optional<ClientSubnet> ClientSubnet::parse(Bytes data) noexcept {
  Reader reader(data);
  ClientSubnet subnet;
  subnet.family = reader.u16();
  subnet.source = reader.u8();
  subnet.scope = reader.u8();
  if (reader.failed() || subnet.family > kIpv6 || subnet.source > source_max(subnet.family)) {
    return std::nullopt;
  }
  const Bytes octets = reader.bytes(reader.remaining());
  if (octets.size() != octets_for(subnet.source)) return std::nullopt;
  if (!octets.empty() && (octets.back() & unused_bits(subnet.source)) != 0) return std::nullopt;
  std::ranges::copy(octets, subnet.address.begin());
  return subnet;
}

Network ClientSubnet::network() const noexcept {
  const IpAddress ip = family == kIpv6
                           ? IpAddress::v6(address)
                           : IpAddress::v4(std::span<const std::uint8_t, 4>(address.data(), 4));
  return Network::of(ip, source);
}

bool ClientSubnet::is_same_but_scope(const ClientSubnet& other) const noexcept {
  return family == other.family && source == other.source && address == other.address;
}

std::size_t ClientSubnet::option_size() const noexcept {
  return kOptionHeaderSize + kFixedSize + octets_for(source);
}

void ClientSubnet::write_option(Writer& out) const noexcept {
  const Bytes told = Bytes(address).first(octets_for(source));
  out.u16(static_cast<std::uint16_t>(EdnsOption::client_subnet));
  out.u16(static_cast<std::uint16_t>(kFixedSize + told.size()));
  out.u16(family);
  out.u8(source);
  out.u8(scope);
  out.bytes(told);
}

}  // namespace siskin::wire
