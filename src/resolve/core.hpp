/// What the coroutines of one resolver share, and the state of one client query.
///
/// The layers, each in a file of its own and each calling only the one below:
///   Resolver::resolve -> Chaser (aliases) -> Walker (delegations, root down) -> ZoneAsker (servers
///   of one zone) -> ServerAsker (one server: EDNS, case, TCP).
/// ZoneAsker calls Chaser again for the addresses of server names; the query's budget and its stack
/// of names bound that.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "resolve/addresses.hpp"
#include "resolve/budget.hpp"
#include "resolve/classify.hpp"
#include "resolve/failures.hpp"
#include "resolve/in_flight.hpp"
#include "resolve/root_zone.hpp"
#include "resolve/servers.hpp"
#include "resolve/silent_zones.hpp"
#include "resolve/trust.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/dnssec/known_denials.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::resolve {

/// Core-local; lives as long as the resolver.
struct Core {
  Resolver::Context context;
  Options options;
  AddressPolicy addresses;
  ServerTable servers;
  Failures failures = {};
  bool stopped = false;
  bool priming = false;                            ///< somebody is at it
  Instant next_priming{};                          ///< not before this, after a failure
  std::shared_ptr<const RootZone> root_zone = {};  ///< asked in place of the root servers
  InFlight zones_in_flight{options.queries_per_zone};
  InFlight servers_in_flight{options.queries_per_server};
  SilentZones silent_zones = {};
  TrustTable trust = {};
  /// Zones whose keys somebody is fetching, and who waits for that.
  std::map<wire::Name, std::vector<runtime::OneShot<bool>*>> key_waiters = {};
  dnssec::KnownDenials denials{options.validation.denials_bytes_max};
  HashKey hash_key{context.random.u64(), context.random.u64()};

  Instant now() const { return context.clock.now(); }
  bool validates() const {
    return context.verifier != nullptr && !options.validation.anchors.empty();
  }
  dnssec::Moment moment() const {
    const auto seconds = static_cast<std::uint64_t>(context.wall_clock->seconds());
    return {static_cast<std::uint32_t>(seconds), options.validation.skew};
  }
  InFlight::Id id_of(const wire::Name& zone) const {
    return siphash13(hash_key, zone.lowered().wire());
  }
  InFlight::Id id_of(const IpAddress& server) const { return siphash13(hash_key, server.octets()); }
  bool has_room(const IpAddress& server) const {
    return servers_in_flight.has_room_for_all() || servers_in_flight.has_room(id_of(server), now());
  }
};

/// Servers that are not to be asked something again: what they said was bogus.
struct Avoid {
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  std::vector<IpAddress> servers;
};

/// One client query on its way, with all that it costs.
struct Query {
  Query(const Options& options, Instant now, std::optional<Network> client_subnet = {})
      : budget(options.limits, now), work(options.validation.work), subnet(client_subnet) {}

  Budget budget;
  dnssec::Work work;
  std::uint32_t work_yielded_at = 0;  ///< other queries had their turn then
  Avoid avoid;
  std::optional<Network> subnet;         ///< as in the question
  bool passes_negative_anchors = false;  ///< asks whether they are needed still
  /// Names whose addresses are being looked for, outermost first: one of them again is a loop
  /// (fault A53).
  std::vector<wire::Name> looking_for;
  /// A look-up failed only because it would have been a loop: the failure says nothing about the
  /// name as such, and is not to be remembered.
  bool loop_cut = false;
  /// The last zone was not asked, or not all its servers, because it is silent or there is a limit:
  /// no news about it, so nothing to remember, and no reason to try otherwise.
  bool is_refused = false;
  /// "No data" was asked for again in small letters; once is enough for all its servers.
  bool has_doubted_case = false;
  /// Why the last zone could not be asked, for the EDE.
  std::string trouble;
  wire::Ede trouble_code = wire::Ede::no_reachable_authority;

  bool is_looking_for(const wire::Name& name) const {
    return std::ranges::find(looking_for, name) != looking_for.end();
  }
};

}  // namespace siskin::resolve
