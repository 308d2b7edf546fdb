#include "sim/oracle.hpp"

#include <algorithm>

#include "sim/authority.hpp"
#include "sim/outcome_text.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::sim {

using wire::Name;
using wire::Rcode;
using wire::RRset;
using wire::RRType;

namespace {

bool is_sound(const Server& server) {
  const Vices& vices = server.vices;
  return !vices.is_dead && !vices.is_unreachable && vices.lameness == Lameness::none;
}

/// The records without order and letter case.
std::vector<std::vector<std::uint8_t>> sorted_records(const RRset& set) {
  std::vector<std::vector<std::uint8_t>> records;
  for (const wire::Bytes rdata : set.records) records.push_back(lowered_rdata(set.type, rdata));
  std::ranges::sort(records);
  return records;
}

bool agrees(const RRset& expected, const RRset& found) {
  return expected.owner == found.owner && expected.type == found.type &&
         found.ttl <= expected.ttl && sorted_records(expected) == sorted_records(found);
}

bool agree(const std::vector<RRset>& expected, const std::vector<RRset>& found) {
  return std::ranges::equal(expected, found, agrees);
}

}  // namespace

Oracle::Oracle(const World& world, bool ipv4, bool ipv6) : world_(world), ipv4_(ipv4), ipv6_(ipv6) {
  for (const auto& [name, address] : world.root_hints()) {
    const Server* server = world.find_server(address);
    const bool is_usable = address.is_v4() ? ipv4 : ipv6;
    if (is_usable && server != nullptr && server->serves(Name()) && is_sound(*server)) {
      reachable_.insert(Name());
    }
  }
  while (grow()) {
  }
}

/// Adds the zones that what is reachable brings within reach; whether there were any.
bool Oracle::grow() {
  std::vector<Name> found;
  for (const Name& origin : reachable_) {
    const Zone* zone = world_.find_zone(origin);
    for (const RRset* ns : zone->cuts()) {
      // A cut below another cut is not this zone's to tell.
      const Lookup there = zone->look_up(ns->owner, RRType::ns);
      if (there.finding != Finding::referral || there.set->owner != ns->owner) continue;
      if (!reachable_.contains(ns->owner) && is_delegation_reachable(*zone, *ns)) {
        found.push_back(ns->owner);
      }
    }
  }
  reachable_.insert(found.begin(), found.end());
  return !found.empty();
}

bool Oracle::is_served_at(const RRset& addresses, const Name& origin) const {
  for (const wire::Bytes rdata : addresses.records) {
    const auto address = wire::address_of(addresses.type, rdata);
    if (!address || !(address->is_v4() ? ipv4_ : ipv6_)) continue;
    const Server* server = world_.find_server(*address);
    if (server != nullptr && server->serves(origin) && is_sound(*server)) return true;
  }
  return false;
}

bool Oracle::is_delegation_reachable(const Zone& parent, const RRset& ns) const {
  if (world_.find_zone(ns.owner) == nullptr) return false;
  for (const wire::Bytes rdata : ns.records) {
    const Name host = *wire::target_of(rdata);
    for (const RRType type : {RRType::a, RRType::aaaa}) {
      const bool may_be_glue = host.is_at_or_below(parent.origin());
      const RRset* glue = may_be_glue ? parent.find(host, type) : nullptr;
      if (glue != nullptr && is_served_at(*glue, ns.owner)) return true;
      const Expectation looked_up = expect(host, type);
      if (looked_up.is_within_reach && !looked_up.answer.empty() &&
          is_served_at(looked_up.answer.back(), ns.owner)) {
        return true;
      }
    }
  }
  return false;
}

Oracle::Place Oracle::place_of(const Name& name, RRType type) const {
  Place place{world_.find_zone(Name()), {Name()}};
  while (place.zone != nullptr) {
    const Lookup there = place.zone->look_up(name, type);
    if (there.finding != Finding::referral) break;
    place.path.push_back(there.set->owner);
    place.zone = world_.find_zone(there.set->owner);
  }
  return place;
}

bool Oracle::is_reachable(const Place& place) const {
  return place.zone != nullptr && std::ranges::all_of(place.path, [this](const Name& origin) {
           return reachable_.contains(origin);
         });
}

/// One name; where an alias leads.  An end is noted in `so_far`.
std::optional<Name> Oracle::step(const Name& name, RRType type, Expectation& so_far) const {
  const Place place = place_of(name, type);
  so_far.is_within_reach = so_far.is_within_reach && is_reachable(place);
  if (place.zone == nullptr) return std::nullopt;
  const Lookup found = place.zone->look_up(name, type);
  std::optional<RRset> cname;
  switch (found.finding) {
    case Finding::answer:
      so_far.rcode = Rcode::noerror;
      so_far.answer.push_back(*found.set);
      return std::nullopt;
    case Finding::nodata:
    case Finding::nxdomain:
      so_far.rcode = found.finding == Finding::nodata ? Rcode::noerror : Rcode::nxdomain;
      so_far.soa = place.zone->negative_soa();
      return std::nullopt;
    case Finding::referral: return std::nullopt;
    case Finding::alias: cname = found.set; break;
    case Finding::dname:
      so_far.answer.push_back(*found.set);
      cname = synthesise(*found.set, name);
      break;
  }
  if (!cname) {
    so_far.rcode = Rcode::yxdomain;
    return std::nullopt;
  }
  so_far.answer.push_back(*cname);
  if (type == RRType::cname) {  // the CNAME that a DNAME makes is the answer
    so_far.rcode = Rcode::noerror;
    return std::nullopt;
  }
  return wire::target_of(*cname->records.begin());
}

Expectation Oracle::expect(const Name& name, RRType type) const {
  Expectation expected;
  expected.is_within_reach = true;
  std::vector<Name> seen{name};
  std::optional<Name> next = step(name, type, expected);
  while (next) {
    if (std::ranges::find(seen, *next) != seen.end() || seen.size() > kAliasesMax) {
      return {};  // a loop, or too long: SERVFAIL
    }
    seen.push_back(*next);
    next = step(*next, type, expected);
  }
  if (expected.rcode == Rcode::servfail) return {};
  return expected;
}

std::string Oracle::disagreement(const Expectation& expected, const resolve::Outcome& outcome,
                                 bool may_fail) {
  if (outcome.rcode == Rcode::servfail) {
    if (!outcome.answer.empty() || !outcome.authority.empty()) return "SERVFAIL with records";
    if (!outcome.error) return "SERVFAIL without an Extended DNS Error";
    return may_fail || !expected.is_within_reach ? "" : "SERVFAIL, but it is within reach";
  }
  const bool is_right = outcome.rcode == expected.rcode && agree(expected.answer, outcome.answer);
  const std::vector<RRset> authority =
      expected.soa ? std::vector{*expected.soa} : std::vector<RRset>{};
  if (is_right && agree(authority, outcome.authority)) return "";
  return "expected:\n" + to_text({expected.rcode, expected.answer, authority, std::nullopt, 0});
}

}  // namespace siskin::sim
