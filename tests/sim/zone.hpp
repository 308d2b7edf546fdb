/// One zone's data, and what the DNS says about a question to it (RFC 1034 §4.3.2, 4592, 6672).
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "siskin/wire/rrset.hpp"

namespace siskin::sim {

/// What a zone holds for a question.
enum class Finding {
  answer,    ///< `set` is it, under its own name
  alias,     ///< `set` is a CNAME
  dname,     ///< `set` is a DNAME above the name
  referral,  ///< `set` is the NS set of the topmost cut at or above the name
  nodata,
  nxdomain,
};

struct Lookup {
  Finding finding = Finding::nxdomain;
  /// With the owner of the question where a wildcard made it.
  std::optional<wire::RRset> set;
};

/// Zone text, indexed.  Immutable after construction.
class Zone {
 public:
  /// A zone without SOA gets one of 3600 s and a negative TTL of 300 s, which shortens tests.
  /// Throws std::invalid_argument for text that does not parse or names outside the zone.
  Zone(std::string_view origin, std::string_view text);

  const wire::Name& origin() const noexcept { return origin_; }
  const wire::RRset& soa() const;
  /// The SOA as it goes into negative answers: TTL no higher than MINIMUM (RFC 2308 §3).
  wire::RRset negative_soa() const;

  /// The set exactly there, glue included.
  const wire::RRset* find(const wire::Name& name, wire::RRType type) const;
  /// All sets exactly there, in the order of types.
  std::vector<wire::RRset> sets_at(const wire::Name& name) const;
  /// Whether the name, or one below it, owns records.
  bool exists(const wire::Name& name) const;
  bool is_empty_non_terminal(const wire::Name& name) const;

  /// `name` must be at or below the origin.
  Lookup look_up(const wire::Name& name, wire::RRType type) const;

  /// The delegations in it, by owner.
  std::vector<const wire::RRset*> cuts() const;
  std::vector<const wire::RRset*> sets_of(wire::RRType type) const;
  bool is_signed() const { return find(origin_, wire::RRType::dnskey) != nullptr; }

 private:
  using Node = std::map<wire::RRType, wire::RRset>;

  const Node* node(const wire::Name& name) const;
  Lookup look_up_at(const wire::Name& owner, const wire::Name& name, wire::RRType type) const;

  wire::Name origin_;
  std::map<wire::Name, Node> nodes_;  ///< empty non-terminals are there with no sets
};

}  // namespace siskin::sim
