/// Iterative resolution: from a question to an outcome, asking servers from the root down.
///
/// Threads:  one instance a core; the cache alone is shared.
/// Lifetime: everything in Context outlives the resolver and all its tasks.
/// Errors:   there are none: what goes wrong becomes SERVFAIL with an Extended DNS Error.
/// RFC:      1034 §5.3.3, 2181, 2308, 4035 §5 and 6840 (validation), 6672 (DNAME), 7871 (client
/// subnet), 8109 (priming), 8914,
///           9156 (minimisation), 9520 (failures).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/dnssec/validate.hpp"
#include "siskin/policy/client_subnet.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/runtime/task.hpp"
#include "siskin/runtime/timer_queue.hpp"
#include "siskin/runtime/upstream.hpp"
#include "siskin/stats/counters.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::resolve {

class RootZone;

struct Question {
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  /// The network of whoever asks, as much of it as may be told (policy::ClientSubnets); of length
  /// 0: nothing.  Without effect where there are no zones to tell.
  std::optional<Network> subnet = {};
  /// What has so few seconds left, or fewer, is asked for anew (prefetch).
  std::uint32_t renew_below = 0;
  /// The client checks signatures itself (CD, RFC 4035 §3.2.2): what is bogus is an answer too.
  /// Always so where there is no validation.
  bool checking_disabled = false;
};

/// What one client query may cost in all; spent across aliases, server look-ups and retries, and
/// never refilled.
struct Limits {
  std::uint32_t exchanges = 100;      ///< messages sent to servers
  std::uint32_t aliases = 11;         ///< CNAME and DNAME steps
  std::uint32_t server_names = 20;    ///< names kept of one NS set
  std::uint32_t server_lookups = 10;  ///< addresses of server names looked up on the way
  Duration time = std::chrono::seconds(8);
};

/// What validation goes by.
struct Validation {
  std::vector<dnssec::TrustAnchor> anchors;  ///< empty: nothing is validated
  std::vector<wire::Name> negative_anchors;  ///< zones taken as not signed (RFC 7646)
  std::uint32_t skew = 300;                  ///< seconds by which clocks may differ
  std::uint32_t bogus_ttl = 60;              ///< seconds for which what is bogus is remembered
  dnssec::Work::Limits work;                 ///< of one client query, besides Limits
  bool key_tag_signalling = false;           ///< zones are told of their anchors here (RFC 8145)
  bool root_key_sentinel = true;             ///< clients can find out the root's anchors (RFC 8509)
  /// Proofs answer other questions too (RFC 8198).
  bool aggressive_nsec = true;
  std::size_t denials_bytes_max = std::size_t{4} << 20;  ///< kept for that
};

struct Options {
  std::vector<std::pair<wire::Name, IpAddress>> root_hints;  ///< server name and address
  bool ipv4 = true;
  bool ipv6 = true;
  bool qname_minimisation = true;
  bool case_randomisation = true;
  bool cookies = true;  ///< sent to servers (RFC 7873)
  bool priming = true;
  bool nxdomain_cut = false;  ///< RFC 8020 everywhere, not for top-level names alone
  std::uint16_t upstream_port = 53;
  std::uint16_t edns_udp_size = wire::kUdpSizeDefault;
  policy::SubnetZones subnet_zones;      ///< told of client subnets; empty: there are none
  std::vector<Network> allow_upstream;   ///< asked although special
  std::vector<IpAddress> own_addresses;  ///< never asked
  std::uint32_t stale_ttl = 30;          ///< seconds; of what Resolver::stale() gives
  std::vector<wire::Name> never_stale;   ///< zones of which it gives nothing
  Limits limits;
  Validation validation;
  /// In flight at one zone, and at one server; more only where as many are answered in a second.
  std::uint32_t queries_per_zone = 512;
  std::uint32_t queries_per_server = 512;
};

/// The end of a resolution.
struct Outcome {
  wire::Rcode rcode = wire::Rcode::servfail;
  std::vector<wire::RRset> answer;     ///< aliases in order, then the final set
  std::vector<wire::RRset> authority;  ///< the SOA of a negative answer, and proofs
  std::optional<wire::ExtendedError> error;
  std::uint32_t exchanges = 0;   ///< spent, for tests and the log
  std::uint32_t signatures = 0;  ///< checked, likewise
  std::uint32_t hashes = 0;      ///< computed, likewise
  /// Bits of the question's subnet that the answer holds for, the most of all its links; 0: for
  /// everybody, or where the question's is of length 0 for those of whom nothing is told.
  std::uint8_t scope = 0;
  /// Every link was validated and is signed (RFC 4035 §3.2.3).
  bool is_secure = false;
};

class Resolver {
 public:
  struct Context {
    cache::Cache& cache;
    runtime::Upstream& upstream;
    const runtime::Clock& clock;
    runtime::Random& random;
    runtime::TimerQueue& timers;
    /// Both or neither; without them nothing is validated.
    dnssec::Verifier* verifier = nullptr;
    const runtime::WallClock* wall_clock = nullptr;
    stats::Counters* counters = nullptr;  ///< if somebody wants to know
  };

  Resolver(const Context& context, Options options);
  ~Resolver();

  /// Resolves a question of class IN, any type but a meta-type or ANY.  What is learnt is in the
  /// cache when the task ends; the outcome's TTLs are clamped as the cache's are.
  runtime::Task<Outcome> resolve(Question question);

  /// The answer from what the cache has, expired links of the chain included (RFC 8767); nothing
  /// where a link is missing or nothing has expired.  Says by EDE 3 or 19 what it is.  Asks nobody.
  std::optional<Outcome> stale(const Question& question) const;

  /// From now on this copy is asked in place of the root servers (RFC 8806); null: they are.
  void use_root_zone(std::shared_ptr<const RootZone> zone) noexcept;

  /// From now on these are trusted (RFC 5011); none: nothing is validated any more.
  void use_anchors(std::vector<dnssec::TrustAnchor> anchors) noexcept;

  /// From now on these zones are taken as not signed (RFC 7646).  What was learnt before stays as
  /// it is until its TTL ends.
  void use_negative_anchors(std::vector<wire::Name> zones) noexcept;

  /// Whether the zone that has `name` passes validation without negative anchors, because it is
  /// signed as it should be or not at all.
  runtime::Task<bool> would_answer(wire::Name name);

  /// Ends all running resolutions soon: no new exchange is begun.
  void stop() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::resolve
