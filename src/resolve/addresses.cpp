#include "resolve/addresses.hpp"

#include <algorithm>

namespace siskin::resolve {
namespace {

bool any_holds(const std::vector<Network>& networks, const IpAddress& address) {
  return std::ranges::any_of(networks, [&](const Network& n) { return n.contains(address); });
}

}  // namespace

AddressPolicy::AddressPolicy(Options options) : options_(std::move(options)) {
  // RFC 6890: never the address of somebody else's server.  Private networks are not among them:
  // inside a site they are where its servers live.
  for (const char* network :
       {"0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4", "::/128",
        "::1/128", "::ffff:0:0/96", "fe80::/10", "ff00::/8"}) {
    special_.push_back(Network::from_text(network).value());
  }
}

bool AddressPolicy::may_ask(const IpAddress& address) const noexcept {
  if (address.is_v4() ? !options_.ipv4 : !options_.ipv6) return false;
  if (any_holds(options_.allowed, address)) return true;
  return !any_holds(special_, address) &&
         std::ranges::find(options_.own, address) == options_.own.end();
}

}  // namespace siskin::resolve
