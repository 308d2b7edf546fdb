/// A zone's servers as its parent named them.
#pragma once

#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::resolve {

/// One server name of a zone, with the addresses that came as glue.
struct ZoneServer {
  wire::Name name;
  std::vector<IpAddress> addresses;
};

/// Whom to ask about a zone.  Parent-centric: made from the parent's referral (or the root's
/// priming) alone, so that a child cannot keep itself alive (fault A25).
struct Delegation {
  wire::Name zone;
  std::vector<ZoneServer> servers;
  std::uint32_t ttl = 0;    ///< seconds
  bool from_cache = false;  ///< it may be out of date: worth asking the parent again
  /// What the parent said of the zone's keys: the DS set, or NSEC and NSEC3 that there is none.
  std::vector<wire::RRset> keys_proof;
  /// Secure: there is a DS set, found good.  Insecure: it was proved that there is none, or the
  /// chain of trust ends above.
  cache::Security security = cache::Security::unchecked;
};

/// Copies into `delegation` what the authority section of its referral says of the zone's keys.
void add_keys_proof(const std::vector<wire::RRset>& authority, const wire::Name& asked_zone,
                    Delegation& delegation);

/// Reads NS and glue out of a referral.  `asked_zone` gave it: glue is taken only for names at or
/// below that zone (fault A17).  At most `names_max` server names are kept.
Delegation make_delegation(const wire::RRset& ns, const std::vector<wire::RRset>& additional,
                           const wire::Name& asked_zone, std::size_t names_max);

/// It is to live no longer than what was said of the zone's keys, so that a zone that comes to be
/// signed is seen to be.
void limit_to_proof(Delegation& delegation) noexcept;

/// As a cache entry under kDelegationSlot, and back.
cache::Value to_cache(const Delegation& delegation);
Delegation from_cache(const wire::Name& zone, const cache::Value& value);

/// The deepest delegation in the cache at or above `name`; nothing: only the hints are left.
std::optional<Delegation> deepest_delegation(const cache::Cache& cache, const wire::Name& name,
                                             Instant now);

/// The addresses that a parent gave for `server` as a server of some zone; the deepest such zone at
/// or above its name counts.
std::vector<IpAddress> cached_glue(const cache::Cache& cache, const wire::Name& server,
                                   Instant now);

}  // namespace siskin::resolve
