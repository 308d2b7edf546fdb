/// How an honest authoritative server answers from its zones.
#pragma once

#include <span>

#include "sim/message.hpp"
#include "sim/zone.hpp"

namespace siskin::sim {

/// Fills `reply` (made by reply_to) as RFC 1034 §4.3.2 says: answers with AA, aliases followed as
/// far as `zones` go, referrals with the glue the zone holds, negative answers with the SOA,
/// REFUSED for names in none of the zones.
void answer(std::span<const Zone* const> zones, const Query& query, Reply& reply);

/// A referral out of `zone` by one of its NS sets: what goes into authority and additional.
void refer(const Zone& zone, const wire::RRset& ns, Reply& reply);

/// The zone among `zones` that is nearest above `name`; a DS is its parent's (RFC 4035 §3.1.4.1).
const Zone* zone_for(std::span<const Zone* const> zones, const wire::Name& name, wire::RRType type);

/// The CNAME that a DNAME makes of `name`; nothing when the new name would be too long.
std::optional<wire::RRset> synthesise(const wire::RRset& dname, const wire::Name& name);

}  // namespace siskin::sim
