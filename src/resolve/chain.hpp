/// The chain of trust from an anchor down to a zone (RFC 4035 §5.2).
#pragma once

#include <functional>

#include "resolve/cut.hpp"

namespace siskin::resolve {

class Chaser;

/// What is to be reached.
enum class Target : std::uint8_t {
  zone,        ///< whose name it is
  name,        ///< whatever zones lie above
  known_cuts,  ///< the same, but no further than delegations tell of zones
};

class Chain {
 public:
  /// `chaser` asks for DS and DNSKEY sets.
  Chain(Core& core, Chaser& chaser) : core_(core), chaser_(chaser) {}

  /// How far `target` can be trusted.  As a zone: secure with its keys where the result's zone is
  /// the target, and no zone at all where that lies above.  As a name: secure where all of it lies
  /// in signed zones, of which the result's is the deepest.
  runtime::Task<Standing> reach(Query& query, wire::Name target, Target kind);

  /// Whether the zone that has `name` is one that is not signed, or whose SOA is signed as it
  /// should be, if there were no negative trust anchors.
  runtime::Task<bool> is_in_order(Query& query, wire::Name name);

 private:
  std::optional<Standing> start(const Query& query, const wire::Name& target,
                                const dnssec::TrustAnchor*& anchor) const;
  std::vector<wire::Name> likely_cuts(const wire::Name& above, const wire::Name& target,
                                      bool is_zone) const;
  runtime::Task<Standing> step(Query& query, Standing above, wire::Name cut);
  runtime::Task<Standing> arrive(Query& query, Standing above, wire::Name cut, CutFinding finding);
  Standing bogus_at(const Query& query, const wire::Name& zone,
                    std::optional<wire::ExtendedError> why, bool is_unsure = false) const;
  runtime::Task<CutFinding> look(Query& query, const Standing& above, const wire::Name& cut);
  std::optional<CutFinding> read_referral(Query& query, const Standing& above,
                                          const wire::Name& cut) const;
  runtime::Task<Standing> keys_of(Query& query, wire::Name zone, dnssec::TrustAnchor anchor,
                                  std::uint32_t ttl);
  runtime::Task<Standing> fetch_keys(Query& query, const wire::Name& zone,
                                     const dnssec::TrustAnchor& anchor, std::uint32_t ttl);
  bool is_anchor(const wire::Name& zone) const;
  runtime::Task<void> tell_anchor(Query& query, const dnssec::TrustAnchor& anchor);
  Standing settle(const Query& query, const wire::Name& zone, std::shared_ptr<Trust> trust,
                  std::uint32_t ttl) const;
  Standing ended(const Query& query, const wire::Name& zone, dnssec::Security security,
                 std::optional<wire::ExtendedError> why, std::uint32_t ttl) const;

  Core& core_;
  Chaser& chaser_;
};

}  // namespace siskin::resolve
