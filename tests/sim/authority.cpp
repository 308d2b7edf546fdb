#include "sim/authority.hpp"

#include <algorithm>

#include "sim/denial.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::sim {

using wire::Name;
using wire::Rcode;
using wire::RRset;
using wire::RRType;

namespace {

/// Longer chains of aliases, and loops, are cut off; what was found so far is sent.
constexpr std::size_t kAliasesMax = 16;

bool has_set(const std::vector<RRset>& sets, const Name& owner, RRType type) {
  return std::ranges::any_of(
      sets, [&](const RRset& set) { return set.type == type && set.owner == owner; });
}

void add_addresses(const Zone& zone, const Name& host, Reply& reply) {
  for (const RRType type : {RRType::a, RRType::aaaa}) {
    const RRset* set = host.is_at_or_below(zone.origin()) ? zone.find(host, type) : nullptr;
    if (set != nullptr && !has_set(reply.additional, host, type)) reply.additional.push_back(*set);
  }
}

/// The host that a record of NS, MX or SRV names.
std::optional<Name> host_of(RRType type, wire::Bytes rdata) {
  std::size_t before = 0;
  if (type == RRType::mx) before = 2;
  if (type == RRType::srv) before = 6;
  if (before == 0 && type != RRType::ns) return std::nullopt;
  return rdata.size() > before ? wire::target_of(rdata.subspan(before)) : std::nullopt;
}

void add_answer(const Zone& zone, const RRset& set, Reply& reply) {
  reply.answer.push_back(set);
  for (const wire::Bytes rdata : set.records) {
    if (const auto host = host_of(set.type, rdata)) add_addresses(zone, *host, reply);
  }
}

/// Follows one question from alias to alias.
class Answering {
 public:
  Answering(std::span<const Zone* const> zones, RRType type, Reply& reply)
      : zones_(zones), type_(type), reply_(reply) {}

  void run(Name name) {
    for (std::size_t aliases = 0; aliases <= kAliasesMax; ++aliases) {
      const Zone* zone = zone_for(zones_, name, type_);
      if (zone == nullptr) {
        if (aliases == 0) reply_.rcode = Rcode::refused;
        return;
      }
      const auto next = step(*zone, name);
      if (!next) return;
      name = *next;
    }
  }

 private:
  /// One name in one zone; where an alias leads.
  std::optional<Name> step(const Zone& zone, const Name& name) {
    if (type_ == RRType::any && zone.look_up(name, RRType::any).finding != Finding::referral) {
      for (const RRset& set : zone.sets_at(name)) add_answer(zone, set, reply_);
      if (!reply_.answer.empty()) return authoritative();
    }
    const Lookup found = zone.look_up(name, type_);
    if (found.finding == Finding::referral) {
      refer(zone, *found.set, reply_);
      if (reply_.dnssec_ok) tell_keys(zone, found.set->owner);
      return std::nullopt;
    }
    authoritative();
    if (reply_.dnssec_ok) prove(zone, name, found.finding);
    switch (found.finding) {
      case Finding::answer: add_answer(zone, *found.set, reply_); break;
      case Finding::alias: return alias(*found.set);
      case Finding::dname: return dname(*found.set, name);
      case Finding::nxdomain: reply_.rcode = Rcode::nxdomain; [[fallthrough]];
      case Finding::nodata:
        reply_.authority.insert(reply_.authority.begin(), zone.negative_soa());
        break;
      case Finding::referral: break;
    }
    return std::nullopt;
  }

  void tell_keys(const Zone& zone, const Name& cut) {
    if (const RRset* const ds = zone.find(cut, RRType::ds)) {
      reply_.authority.push_back(*ds);
    } else {
      Denial(zone).no_ds(cut, reply_);
    }
  }

  void prove(const Zone& zone, const Name& name, Finding finding) {
    const Denial denial(zone);
    const bool is_made = !zone.exists(name);
    switch (finding) {
      case Finding::answer:
      case Finding::alias:
        if (is_made) denial.expanded(name, reply_);
        break;
      case Finding::nodata:
        if (type_ == RRType::ds && zone.find(name, RRType::ns) != nullptr) {
          denial.no_ds(name, reply_);
        } else {
          denial.no_data(name, reply_);
        }
        break;
      case Finding::nxdomain: denial.no_name(name, reply_); break;
      case Finding::dname:
      case Finding::referral: break;
    }
  }

  /// AA speaks for the first owner in the answer (RFC 1035 §4.1.1).
  std::optional<Name> authoritative() {
    reply_.flags |= wire::flag::aa;
    return std::nullopt;
  }

  std::optional<Name> alias(const RRset& cname) {
    if (has_set(reply_.answer, cname.owner, RRType::cname)) return std::nullopt;  // a loop
    reply_.answer.push_back(cname);
    return wire::target_of(*cname.records.begin());
  }

  std::optional<Name> dname(const RRset& set, const Name& name) {
    if (!has_set(reply_.answer, set.owner, RRType::dname)) reply_.answer.push_back(set);
    const auto cname = synthesise(set, name);
    if (!cname) {
      reply_.rcode = Rcode::yxdomain;
      return std::nullopt;
    }
    const auto target = alias(*cname);
    // To a question for CNAME it is the answer, as BIND and NSD have it.
    return type_ == RRType::cname ? std::nullopt : target;
  }

  std::span<const Zone* const> zones_;
  RRType type_;
  Reply& reply_;
};

}  // namespace

const Zone* zone_for(std::span<const Zone* const> zones, const Name& name, RRType type) {
  const Zone* nearest = nullptr;
  const Zone* above = nullptr;  // the nearest that is strictly above
  for (const Zone* zone : zones) {
    if (!name.is_at_or_below(zone->origin())) continue;
    const auto deeper = [zone](const Zone* other) {
      return other == nullptr || zone->origin().label_count() > other->origin().label_count();
    };
    if (deeper(nearest)) nearest = zone;
    if (zone->origin() != name && deeper(above)) above = zone;
  }
  return type == RRType::ds && above != nullptr ? above : nearest;
}

std::optional<RRset> synthesise(const RRset& dname, const Name& name) {
  const auto target = wire::target_of(*dname.records.begin());
  const auto new_name = target ? name.substitute(dname.owner, *target) : std::nullopt;
  if (!new_name) return std::nullopt;
  RRset cname{name, RRType::cname, dname.ttl, {}, {}};
  cname.records.add(new_name->wire());
  return cname;
}

void refer(const Zone& zone, const RRset& ns, Reply& reply) {
  reply.authority.push_back(ns);
  for (const wire::Bytes rdata : ns.records) {
    if (const auto host = wire::target_of(rdata)) add_addresses(zone, *host, reply);
  }
}

void answer(std::span<const Zone* const> zones, const Query& query, Reply& reply) {
  Answering(zones, query.type, reply).run(query.name);
}

}  // namespace siskin::sim
