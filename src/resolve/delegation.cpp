#include "resolve/delegation.hpp"

#include <algorithm>

#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::size_t kAddressesMax = 8;  ///< of one server name
constexpr std::size_t kProofSetsMax = 4;  ///< NSEC3: encloser, next closer, apex, and one more
constexpr std::uint32_t kProofTtlMin = 30;

bool is_address_type(RRType type) {
  return type == RRType::a || type == RRType::aaaa;
}

void take_addresses(const RRset& set, std::vector<IpAddress>& into) {
  for (const wire::Bytes rdata : set.records) {
    const auto address = wire::address_of(set.type, rdata);
    if (!address || into.size() >= kAddressesMax) continue;
    if (std::ranges::find(into, *address) == into.end()) into.push_back(*address);
  }
}

std::vector<Name> targets(const RRset& ns, std::size_t names_max) {
  std::vector<Name> names;
  for (const wire::Bytes rdata : ns.records) {
    if (names.size() >= names_max) break;
    const auto name = wire::target_of(rdata);
    if (name && std::ranges::find(names, *name) == names.end()) names.push_back(*name);
  }
  return names;
}

}  // namespace

Delegation make_delegation(const RRset& ns, const std::vector<RRset>& additional,
                           const Name& asked_zone, std::size_t names_max) {
  Delegation made;
  made.zone = ns.owner;
  made.ttl = ns.ttl;
  for (const Name& name : targets(ns, names_max)) {
    ZoneServer& server = made.servers.emplace_back();
    server.name = name;
    if (!name.is_at_or_below(asked_zone)) continue;
    for (const RRset& set : additional) {
      if (is_address_type(set.type) && set.owner == name) take_addresses(set, server.addresses);
    }
  }
  return made;
}

void add_keys_proof(const std::vector<RRset>& authority, const Name& asked_zone,
                    Delegation& delegation) {
  for (const RRset& set : authority) {
    const bool is_ds = set.type == RRType::ds && set.owner == delegation.zone;
    const bool is_denial = (set.type == RRType::nsec || set.type == RRType::nsec3) &&
                           set.owner.is_at_or_below(asked_zone);
    if ((!is_ds && !is_denial) || delegation.keys_proof.size() >= kProofSetsMax) continue;
    delegation.keys_proof.push_back(set);
  }
}

void limit_to_proof(Delegation& delegation) noexcept {
  for (const RRset& set : delegation.keys_proof) {
    delegation.ttl = std::min(delegation.ttl, std::max(set.ttl, kProofTtlMin));
  }
}

cache::Value to_cache(const Delegation& delegation) {
  cache::Value value;
  value.kind = cache::Kind::delegation;
  value.ttl = delegation.ttl;
  value.security = delegation.security;
  RRset& ns = value.authority.emplace_back();
  ns.owner = delegation.zone;
  ns.type = RRType::ns;
  ns.ttl = delegation.ttl;
  for (const ZoneServer& server : delegation.servers) {
    ns.records.add(server.name.wire());
    for (const RRType type : {RRType::a, RRType::aaaa}) {
      RRset glue;
      glue.owner = server.name;
      glue.type = type;
      glue.ttl = delegation.ttl;
      for (const IpAddress& address : server.addresses) {
        if (address.is_v4() == (type == RRType::a)) glue.records.add(address.octets());
      }
      if (!glue.records.empty()) value.additional.push_back(std::move(glue));
    }
  }
  // Behind the NS set, whose place in the vector has to stay.
  value.authority.insert(value.authority.end(), delegation.keys_proof.begin(),
                         delegation.keys_proof.end());
  return value;
}

Delegation from_cache(const Name& zone, const cache::Value& value) {
  Delegation made;
  for (const RRset& set : value.authority) {
    if (set.type == RRType::ns) {
      // The glue passed its check when it was stored: the root as the zone asked lets all in.
      made = make_delegation(set, value.additional, Name(), set.records.count());
    }
  }
  for (const RRset& set : value.authority) {
    if (set.type != RRType::ns) made.keys_proof.push_back(set);
  }
  made.security = value.security;
  made.zone = zone;
  made.ttl = value.ttl;
  made.from_cache = true;
  return made;
}

std::optional<Delegation> deepest_delegation(const cache::Cache& cache, const Name& name,
                                             Instant now) {
  Name zone = name;
  for (;;) {
    if (const auto value = cache.find(zone, cache::kDelegationSlot, now)) {
      return from_cache(zone, *value);
    }
    if (zone.is_root()) return std::nullopt;
    zone = zone.parent();
  }
}

std::vector<IpAddress> cached_glue(const cache::Cache& cache, const Name& server, Instant now) {
  auto known = deepest_delegation(cache, server, now);
  while (known) {
    const auto at = std::ranges::find(known->servers, server, &ZoneServer::name);
    if (at != known->servers.end() && !at->addresses.empty()) return std::move(at->addresses);
    if (known->zone.is_root()) break;
    known = deepest_delegation(cache, known->zone.parent(), now);
  }
  return {};
}

}  // namespace siskin::resolve
