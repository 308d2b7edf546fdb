/// Zone text signed with keys that follow from the zone's name, so that a parent can be written
/// before its children.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "siskin/dnssec/validate.hpp"

namespace siskin::sim {

/// A key of a zone, and how its record says it may be used.
struct ZoneKey {
  std::uint32_t key = 0;         ///< another number, another key
  std::uint16_t flags = 0x0101;  ///< zone key, secure entry point
  std::uint8_t protocol = 3;
  bool signs = false;  ///< the DNSKEY set, beside the zone's own key
};

inline constexpr std::uint16_t kRevoked = 0x0181;

struct SignOptions {
  std::uint32_t inception = 1'790'000'000;
  std::uint32_t expiration = 1'890'000'000;
  std::uint32_t key = 0;  ///< another number, another key
  std::vector<ZoneKey> more_keys = {};
  bool nsec3 = false;
  bool opt_out = false;  ///< with nsec3: delegations that are not signed have no NSEC3
  std::uint16_t iterations = 0;
  /// Types whose sets are left without a signature.
  std::vector<wire::RRType> unsigned_types = {};
};

/// `text` and what signs it: DNSKEY (one Ed25519 key), NSEC or NSEC3 with NSEC3PARAM, RRSIGs.
/// Throws std::invalid_argument for text that does not parse.
std::string sign(std::string_view origin, std::string_view text, const SignOptions& options = {});

/// The DS record of a zone signed so, as a line of zone text.
std::string ds_line(std::string_view origin, std::uint32_t key = 0);

/// What is signed so is trusted from here on.
dnssec::TrustAnchor anchor_for(std::string_view origin, std::uint32_t key = 0);

/// RDATA of a key, and of the DS of any key: by SHA-1 (1), SHA-256 (2) or SHA-384 (4).
std::vector<std::uint8_t> dnskey_of(std::string_view origin, const ZoneKey& key = {});
std::vector<std::uint8_t> ds_of(std::string_view origin, wire::Bytes dnskey,
                                std::uint8_t digest = 2);

/// One set signed by a zone's key, whatever it is.
void sign_set(wire::RRset& set, std::string_view origin, const SignOptions& options = {});
void sign_by(wire::RRset& set, std::string_view origin, const ZoneKey& key);

/// A record as a line of zone text in the form of RFC 3597.
std::string generic_line(const wire::Name& owner, wire::RRType type, std::uint32_t ttl,
                         wire::Bytes rdata);

}  // namespace siskin::sim
