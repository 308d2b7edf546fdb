/// What servers are told of a client's address (RFC 7871), and which servers are told at all.
/// Pure decisions.  Threads: immutable after construction, so any may ask.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/policy/access.hpp"
#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::policy {

/// The zones whose servers are told.
class SubnetZones {
 public:
  SubnetZones() = default;
  explicit SubnetZones(std::vector<wire::Name> zones);

  bool empty() const noexcept { return zones_.empty(); }

  /// Whether a server that is asked as one of `zone` may be told: the zone is at or below one of
  /// the list, and neither the root nor a top-level domain, whatever the list says (RFC 7871
  /// §12.1).
  bool may_tell(const wire::Name& zone) const noexcept;

 private:
  std::vector<wire::Name> zones_;  ///< sorted
};

/// Whether answers of that type may depend on who asks: not those about the zone itself, its
/// servers, keys and signatures (RFC 7871 §9, fault B89).
bool may_be_tailored(wire::RRType type) noexcept;

/// From a client to the network that its answers are made for.
class ClientSubnets {
 public:
  struct Options {
    unsigned ipv4_prefix = 24;  ///< the most bits that are told
    unsigned ipv6_prefix = 56;
    std::vector<Network> accept_from;  ///< clients whose own option is believed
  };

  explicit ClientSubnets(const Options& options);

  struct Choice {
    /// Of length 0: nothing of the client is told.
    Network network;
    /// It comes from the client's own option, so that a scope means something to the client.
    bool is_from_option = false;
  };

  /// `option`: what came with the query, if anything did.
  ///
  /// An option that tells nothing (SOURCE 0) is an opt-out, and everybody's is respected.  From the
  /// networks of `accept_from` the option's address counts instead of the client's.  From others
  /// its address is ignored (§11.3), but no more bits are told than it says (§7.1.2).  Addresses
  /// that lead nowhere outside of a site (private, loopback, link-local, ...) tell a zone nothing:
  /// they count as an opt-out, and so as the resolver's own address (§11.3).
  Choice choose(const IpAddress& client,
                const std::optional<wire::ClientSubnet>& option) const noexcept;

 private:
  Network cut(const IpAddress& address, unsigned bits_max) const noexcept;

  unsigned ipv4_prefix_;
  unsigned ipv6_prefix_;
  AccessList accept_from_;
  AccessList special_;
};

}  // namespace siskin::policy
