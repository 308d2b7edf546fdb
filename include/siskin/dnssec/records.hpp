/// The records of DNSSEC, read: DNSKEY, DS, RRSIG (RFC 4034, 5155, 8624).
///
/// Lifetime: spans point into the RDATA that was read.
/// Errors:   what cannot be read is nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::dnssec {

/// Those of RFC 8624 that a validator has to know; any number is legal.
enum class Algorithm : std::uint8_t {
  rsasha1 = 5,
  rsasha1_nsec3 = 7,
  rsasha256 = 8,
  rsasha512 = 10,
  ecdsa_p256 = 13,
  ecdsa_p384 = 14,
  ed25519 = 15,
  ed448 = 16,
};

enum class DigestType : std::uint8_t { sha1 = 1, sha256 = 2, sha384 = 4 };

struct Dnskey {
  std::uint16_t flags = 0;
  std::uint8_t protocol = 0;
  Algorithm algorithm{};
  wire::Bytes key;    ///< public key, as RFC 3110, 6605, 8080 have it
  wire::Bytes rdata;  ///< all of it
  std::uint16_t tag = 0;

  static std::optional<Dnskey> parse(wire::Bytes rdata) noexcept;

  /// A key of the zone that may sign its records (RFC 4034 §2.1.1, §2.1.2): flag ZONE, protocol 3.
  bool may_sign() const noexcept { return (flags & 0x0100) != 0 && protocol == 3; }
  bool is_revoked() const noexcept { return (flags & 0x0080) != 0; }  ///< RFC 5011 §3
  bool is_entry_point() const noexcept { return (flags & 0x0001) != 0; }
};

/// RFC 4034 appendix B, with the way of algorithm 1.  A hint: several keys may have the same.
std::uint16_t key_tag(wire::Bytes dnskey_rdata) noexcept;

struct Ds {
  std::uint16_t tag = 0;
  Algorithm algorithm{};
  DigestType digest_type{};
  wire::Bytes digest;

  static std::optional<Ds> parse(wire::Bytes rdata) noexcept;
};

struct Rrsig {
  wire::RRType covered = wire::RRType::none;
  Algorithm algorithm{};
  std::uint8_t labels = 0;  ///< of the owner as signed, without the root's and a wildcard's
  std::uint32_t original_ttl = 0;
  std::uint32_t expiration = 0;  ///< seconds since 1970, modulo 2^32
  std::uint32_t inception = 0;
  std::uint16_t tag = 0;
  wire::Name signer;
  wire::Bytes signature;
  wire::Bytes rdata;

  static std::optional<Rrsig> parse(wire::Bytes rdata) noexcept;
};

/// Labels of `name` as RRSIG counts them (RFC 4034 §3.1.3): not the root's, not a leading "*".
std::size_t signed_labels(const wire::Name& name) noexcept;

/// Whether the owner is the expansion of a wildcard, going by a signature over it.  Only of
/// signatures whose labels are not more than the owner's.
bool is_expanded(const Rrsig& signature, const wire::Name& owner) noexcept;

}  // namespace siskin::dnssec
