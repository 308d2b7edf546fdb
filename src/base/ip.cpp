#include "siskin/base/ip.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace siskin {
namespace {

Error malformed(std::string_view what, std::string_view text) {
  return {Errc::malformed, std::string(what) + " expected, not \"" + std::string(text) + "\""};
}

template <class Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

IpAddress IpAddress::v4(std::span<const std::uint8_t, 4> octets) noexcept {
  IpAddress a;
  std::ranges::copy(octets, a.octets_.begin());
  return a;
}

IpAddress IpAddress::v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) noexcept {
  return v4(std::array<std::uint8_t, 4>{a, b, c, d});
}

IpAddress IpAddress::v6(std::span<const std::uint8_t, 16> octets) noexcept {
  IpAddress a;
  a.family_ = Family::ipv6;
  std::ranges::copy(octets, a.octets_.begin());
  return a;
}

Result<IpAddress> IpAddress::from_text(std::string_view text) {
  const std::string zero_ended(text);
  std::array<std::uint8_t, 16> octets{};
  if (zero_ended.size() == text.size() && text.find('\0') == std::string_view::npos) {
    if (inet_pton(AF_INET, zero_ended.c_str(), octets.data()) == 1) {
      return v4(std::span<const std::uint8_t, 4>(octets.data(), 4));
    }
    if (inet_pton(AF_INET6, zero_ended.c_str(), octets.data()) == 1) return v6(octets);
  }
  return malformed("an IPv4 or IPv6 address", text);
}

bool IpAddress::is_unspecified() const noexcept {
  return std::ranges::all_of(octets_, [](std::uint8_t octet) { return octet == 0; });
}

IpAddress IpAddress::unmapped() const noexcept {
  constexpr std::array<std::uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (is_v4() || !std::equal(prefix.begin(), prefix.end(), octets_.begin())) return *this;
  return v4(octets_[12], octets_[13], octets_[14], octets_[15]);
}

std::string IpAddress::to_text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(is_v4() ? AF_INET : AF_INET6, octets_.data(), text.data(), text.size());
  return text.data();
}

Result<Endpoint> Endpoint::from_text(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return malformed("ADDRESS:PORT", text);
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  auto address = IpAddress::from_text(host);
  if (!address || address->is_v4() == bracketed) {
    return malformed("ADDRESS:PORT, an IPv6 address in brackets,", text);
  }
  std::uint16_t port = 0;
  if (!parse_number(text.substr(colon + 1), port)) return malformed("a port from 0 to 65535", text);
  return Endpoint{*address, port};
}

std::string Endpoint::to_text() const {
  const std::string host = address.is_v4() ? address.to_text() : "[" + address.to_text() + "]";
  return host + ":" + std::to_string(port);
}

Network Network::of(const IpAddress& address, unsigned prefix_length) noexcept {
  std::array<std::uint8_t, 16> octets{};
  const auto from = address.octets();
  const unsigned length = std::min<unsigned>(prefix_length, static_cast<unsigned>(from.size()) * 8);
  for (unsigned i = 0; i < from.size(); ++i) {
    const unsigned kept = length <= i * 8 ? 0 : std::min(8U, length - i * 8);
    octets[i] = static_cast<std::uint8_t>(from[i] & (0xff00U >> kept));
  }
  Network n;
  n.address_ = address.is_v4() ? IpAddress::v4(octets[0], octets[1], octets[2], octets[3])
                               : IpAddress::v6(octets);
  n.prefix_length_ = length;
  return n;
}

Result<Network> Network::from_text(std::string_view text) {
  const auto slash = text.find('/');
  auto address = IpAddress::from_text(text.substr(0, slash));
  if (!address) return malformed("ADDRESS or ADDRESS/PREFIX", text);
  const unsigned longest = address->is_v4() ? 32 : 128;
  unsigned length = longest;
  if (slash != std::string_view::npos &&
      (!parse_number(text.substr(slash + 1), length) || length > longest)) {
    return malformed("a prefix length from 0 to " + std::to_string(longest), text);
  }
  Network n = of(*address, length);
  if (n.address_ != *address) {
    return Error{Errc::malformed, "\"" + std::string(text) + "\" sets bits beyond its prefix; " +
                                      n.to_text() + " expected"};
  }
  return n;
}

bool Network::contains(const IpAddress& address) const noexcept {
  return address.family() == address_.family() && of(address, prefix_length_).address_ == address_;
}

std::string Network::to_text() const {
  return address_.to_text() + "/" + std::to_string(prefix_length_);
}

}  // namespace siskin

std::size_t std::hash<siskin::IpAddress>::operator()(const siskin::IpAddress& a) const noexcept {
  const auto octets = a.octets();
  return std::hash<std::string_view>{}(
      std::string_view(reinterpret_cast<const char*>(octets.data()), octets.size()));
}
