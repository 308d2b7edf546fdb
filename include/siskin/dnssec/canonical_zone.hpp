/// A whole zone in canonical form and order (RFC 4034 §6), compact, and its digest (RFC 8976).
///
/// Threads:  none of its own; what is built is immutable.
/// Lifetime: spans of a Record live as long as the zone.
#pragma once

#include <cstdint>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::dnssec {

/// Each record once, back to back as it is digested:
///
///   octets_: owner | type | class | TTL | RDLENGTH | RDATA, then the next record
///            ^ starts_[0]                                   ^ starts_[1]
///
/// Order: by owner, then type, then RDATA; names in lower case.
class CanonicalZone {
 public:
  struct Record {
    wire::Bytes owner;
    wire::RRType type = wire::RRType::none;
    std::uint32_t ttl = 0;
    wire::Bytes rdata;
    wire::Bytes wire;  ///< all of it
  };

  const wire::Name& origin() const noexcept { return origin_; }
  std::size_t size() const noexcept { return starts_.size(); }
  Record operator[](std::size_t index) const noexcept;
  /// The first record whose owner does not come before `name`; size() when all do.
  std::size_t lower_bound(const wire::Name& name) const noexcept;
  std::size_t octets() const noexcept { return octets_.size(); }

 private:
  friend class CanonicalZoneBuilder;
  explicit CanonicalZone(const wire::Name& origin) : origin_(origin) {}

  wire::Name origin_;
  std::vector<std::uint8_t> octets_;
  std::vector<std::uint32_t> starts_;
};

/// Takes a zone's records in any order, at most 4 GiB of them.
class CanonicalZoneBuilder {
 public:
  explicit CanonicalZoneBuilder(const wire::Name& origin) : raw_(origin) {}

  /// What is not at or below the origin is no part of the zone and left out (RFC 8976 §3.3.1.2).
  /// Error: malformed, the RDATA cannot be read.
  Result<void> add(const wire::Name& owner, wire::RRType type, std::uint32_t ttl,
                   wire::Bytes rdata);
  /// With duplicates, before they are left out.
  std::size_t size() const noexcept { return raw_.size(); }
  std::size_t octets() const noexcept { return raw_.octets(); }
  CanonicalZone finish() &&;

 private:
  CanonicalZone raw_;  ///< not in order yet
};

/// Hash algorithms of RFC 8976 §5.3.
enum class ZoneHash : std::uint8_t { sha384 = 1, sha512 = 2 };

/// By scheme SIMPLE (RFC 8976 §3.3): all records but the apex's ZONEMD and its signatures.
std::vector<std::uint8_t> zone_digest(const CanonicalZone& zone, ZoneHash hash);

/// Whether one of the zone's ZONEMD records that can be checked is right (RFC 8976 §4).  That tells
/// that the zone is whole, not who made it: signatures are not looked at.
/// Error: malformed, with the reason; also when there is no ZONEMD that can be checked.
Result<void> check_zone_digest(const CanonicalZone& zone);

}  // namespace siskin::dnssec
