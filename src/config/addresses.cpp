#include "config/addresses.hpp"

#include <charconv>
#include <optional>

#include "config/words.hpp"

namespace siskin::config {
namespace {

constexpr std::uint16_t kDnsPort = 53;

/// The endpoint of an address without a port, in brackets or not, quoted; empty: none.
std::string with_port(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const auto address = IpAddress::from_text(text);
  return address ? quote(Endpoint{*address, kDnsPort}.to_text()) : "";
}

/// The network of "10.0.0.1/8" although it sets bits beyond its prefix.
std::optional<Network> masked(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = IpAddress::from_text(text.substr(0, slash));
  if (!address || slash == std::string_view::npos) return std::nullopt;
  unsigned length = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, length);
  const unsigned longest = address->is_v4() ? 32 : 128;
  if (error != std::errc() || rest != end || length > longest) return std::nullopt;
  return Network::of(*address, length);
}

}  // namespace

boost::system::result<Endpoint, Complaint> endpoint_from(std::string_view text) {
  const auto endpoint = Endpoint::from_text(text);
  if (!endpoint) {
    return Complaint{shown(text) + " is no address with a port",
                     "ADDRESS:PORT or [IPV6-ADDRESS]:PORT", with_port(text)};
  }
  if (endpoint->port == 0) return Complaint{shown(text) + " has port 0", "a port from 1 to 65535"};
  const Endpoint plain{endpoint->address.unmapped(), endpoint->port};
  if (plain != *endpoint) {
    return Complaint{shown(text) + " is an IPv4 address inside IPv6", "the IPv4 address itself",
                     quote(plain.to_text())};
  }
  return *endpoint;
}

boost::system::result<Network, Complaint> network_from(std::string_view text) {
  const auto network = Network::from_text(text);
  if (network) return *network;
  const std::string expected = "ADDRESS/PREFIX or ADDRESS";
  if (const auto meant = masked(text)) {
    return Complaint{shown(text) + " sets bits beyond its prefix", expected,
                     quote(meant->to_text())};
  }
  return Complaint{shown(text) + " is no network", expected};
}

}  // namespace siskin::config
