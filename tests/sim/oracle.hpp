/// What the right answer is, from the zones' data alone.
///
/// The data of all zones is one tree; the servers' vices and the links do not matter for what is
/// right.  For what can be reached at all they do, but only as far as zone data says: a zone is
/// within reach when its parent is, and one of the NS names in the parent's delegation has, by glue
/// or by records within reach, an address where a server serves the zone.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/world.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::sim {

struct Expectation {
  wire::Rcode rcode = wire::Rcode::servfail;
  std::vector<wire::RRset> answer;
  std::optional<wire::RRset> soa;  ///< of a negative answer
  /// A resolver whose packets arrive finds it; else SERVFAIL.
  bool is_within_reach = false;
};

class Oracle {
 public:
  /// `world` outlives it and must not change.  Vices that silence a server for good (is_dead,
  /// is_unreachable, lameness) put it out of reach; others, and windows, do not.
  explicit Oracle(const World& world, bool ipv4 = true, bool ipv6 = true);

  Expectation expect(const wire::Name& name, wire::RRType type) const;

  /// Empty when `outcome` is as expected; else what differs.  A SERVFAIL passes when `may_fail`.
  /// TTLs may be lower than the zone's, not higher.
  static std::string disagreement(const Expectation& expected, const resolve::Outcome& outcome,
                                  bool may_fail);

  static constexpr std::size_t kAliasesMax = 11;

 private:
  /// The zone whose data speaks about the name, and the zones from the root down to it.
  struct Place {
    const Zone* zone = nullptr;  ///< none: delegated to a zone nobody has
    std::vector<wire::Name> path;
  };

  Place place_of(const wire::Name& name, wire::RRType type) const;
  std::optional<wire::Name> step(const wire::Name& name, wire::RRType type,
                                 Expectation& so_far) const;
  bool is_reachable(const Place& place) const;
  bool is_delegation_reachable(const Zone& parent, const wire::RRset& ns) const;
  bool is_served_at(const wire::RRset& addresses, const wire::Name& origin) const;
  bool grow();

  const World& world_;
  bool ipv4_;
  bool ipv6_;
  std::set<wire::Name> reachable_;
};

}  // namespace siskin::sim
