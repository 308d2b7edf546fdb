/// Whether a set is what a zone's keys have signed, and whether keys are those that its parent
/// vouches for (RFC 4035 §5, 6840).  Plain functions: whoever calls them has fetched the records.
#pragma once

#include <vector>

#include "siskin/dnssec/verifier.hpp"
#include "siskin/dnssec/work.hpp"
#include "siskin/wire/edns.hpp"

namespace siskin::dnssec {

/// RFC 4035 §4.3, but for "indeterminate", which only the chain of trust can tell.
enum class Security : std::uint8_t { secure, insecure, bogus };

/// The wall clock, and by how much it and that of signers may differ.
struct Moment {
  std::uint32_t now = 0;  ///< seconds since 1970, modulo 2^32
  std::uint32_t skew = 300;
};

struct Finding {
  Security security = Security::bogus;
  wire::ExtendedError why;    ///< unless secure: the code, and zone, key tag and reason in words
  std::uint32_t ttl_max = 0;  ///< secure: not longer than original TTL and signature (§5.3.3)
  std::size_t signed_labels = 0;  ///< secure: less than the owner's where a wildcard was expanded
  bool is_expanded = false;
};

/// `keys`: those of `zone` that are trusted; only by them may the set be signed (fault A29).  At
/// most kAttemptsMax signatures are tried, whatever the set brings along (faults A43, B103).
Finding check_set(const wire::RRset& set, const wire::Name& zone, std::span<const Dnskey> keys,
                  const Moment& moment, Work& work, Verifier& verifier);

inline constexpr unsigned kAttemptsMax = 8;

/// Where trust begins: the DS or DNSKEY records of one zone.
struct TrustAnchor {
  wire::Name zone;
  std::vector<std::vector<std::uint8_t>> ds;      ///< RDATA
  std::vector<std::vector<std::uint8_t>> dnskey;  ///< RDATA
};

/// The root's keys 20326 and 38696 (IANA).
TrustAnchor root_anchor();

/// The zone's DNSKEY set against what vouches for it: one of the keys must be in `anchor` and have
/// signed the set.  Insecure: the anchor has no algorithm or digest that is supported (§5.2).  Of
/// digests, SHA-1 counts only where there is no better one (RFC 4509 §3).  Revoked keys (RFC 5011)
/// and those without the zone flag are none.
Finding check_keys(const wire::RRset& dnskeys, const TrustAnchor& anchor, const Moment& moment,
                   Work& work, Verifier& verifier);

/// The keys of a set that check_keys() has found secure, for check_set().  Their spans point into
/// `dnskeys`.
std::vector<Dnskey> usable_keys(const wire::RRset& dnskeys);

/// A DS set as what vouches for its owner's keys.
TrustAnchor anchor_of(const wire::RRset& ds);

}  // namespace siskin::dnssec
