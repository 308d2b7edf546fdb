/// What RDATA looks like inside, as far as the resolver has to know.
#pragma once

#include <optional>

#include "siskin/base/ip.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::wire {

/// Where a type of RFC 1035 keeps names that may be compressed (RFC 3597 §4): `fixed_before`
/// octets, then `names` names, then the rest as it is.  {0, 0}: copy the RDATA.
struct CompressibleLayout {
  std::uint8_t fixed_before = 0;
  std::uint8_t names = 0;
};

/// NS, CNAME, PTR, MX, SOA, MB, MD, MF, MG, MR, MINFO.
CompressibleLayout compressible_layout(RRType type) noexcept;

/// Whether `rdata` (uncompressed) is well-formed for its type: exact sizes of A and AAAA, names
/// whole and nothing behind them, character-strings filling TXT, type bitmaps in order, SVCB keys
/// rising, and so on.  Types unknown here are opaque and always well-formed.
bool is_well_formed(RRType type, Bytes rdata) noexcept;

/// The single name that is the whole RDATA of NS, CNAME, PTR or DNAME.
std::optional<Name> target_of(Bytes rdata) noexcept;

/// A or AAAA.
std::optional<IpAddress> address_of(RRType type, Bytes rdata) noexcept;

/// The MINIMUM field, last four octets of a well-formed SOA (RFC 2308 §4).
std::optional<std::uint32_t> soa_minimum(Bytes rdata) noexcept;

/// The type an RRSIG covers.
std::optional<RRType> covered_type(Bytes rrsig_rdata) noexcept;

}  // namespace siskin::wire
