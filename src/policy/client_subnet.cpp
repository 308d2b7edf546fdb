#include "siskin/policy/client_subnet.hpp"

#include <algorithm>

namespace siskin::policy {
namespace {

using wire::Name;
using wire::RRType;

constexpr std::size_t kTopLevelLabels = 1;

/// What the registries of RFC 6890 call not globally reachable, but for the networks of examples:
/// nobody has those, and tests are full of them.
std::vector<Network> special_networks() {
  std::vector<Network> networks;
  for (const char* text :
       {"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/127",
        "64:ff9b:1::/48", "100::/64", "fc00::/7", "fe80::/10", "ff00::/8"}) {
    networks.push_back(Network::from_text(text).value());
  }
  return networks;
}

}  // namespace

SubnetZones::SubnetZones(std::vector<Name> zones) : zones_(std::move(zones)) {
  std::ranges::sort(zones_, [](const Name& a, const Name& b) { return a < b; });
}

bool SubnetZones::may_tell(const Name& zone) const noexcept {
  if (empty() || zone.label_count() <= kTopLevelLabels) return false;
  for (Name at = zone;; at = at.parent()) {
    const auto less = [](const Name& a, const Name& b) { return a < b; };
    if (std::ranges::binary_search(zones_, at, less)) return true;
    if (at.is_root()) return false;
  }
}

bool may_be_tailored(RRType type) noexcept {
  switch (type) {
    case RRType::ns:
    case RRType::soa:
    case RRType::ds:
    case RRType::rrsig:
    case RRType::nsec:
    case RRType::dnskey:
    case RRType::nsec3:
    case RRType::nsec3param:
    case RRType::cds:
    case RRType::cdnskey:
    case RRType::zonemd: return false;
    default: return true;
  }
}

ClientSubnets::ClientSubnets(const Options& options)
    : ipv4_prefix_(options.ipv4_prefix),
      ipv6_prefix_(options.ipv6_prefix),
      accept_from_(options.accept_from),
      special_(special_networks()) {}

ClientSubnets::Choice ClientSubnets::choose(
    const IpAddress& client, const std::optional<wire::ClientSubnet>& option) const noexcept {
  if (!option) return {cut(client, 128), false};
  if (option->source == 0) return {Network(), true};
  if (!accept_from_.allows(client)) return {cut(client, option->source), false};
  return {cut(option->network().address(), option->source), true};
}

Network ClientSubnets::cut(const IpAddress& address, unsigned bits_max) const noexcept {
  const IpAddress plain = address.unmapped();
  if (special_.allows(plain)) return {};
  const Network network =
      Network::of(plain, std::min(bits_max, plain.is_v4() ? ipv4_prefix_ : ipv6_prefix_));
  return network.prefix_length() == 0 ? Network() : network;
}

}  // namespace siskin::policy
