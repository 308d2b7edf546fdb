/// Reading zone text: records in presentation format, as in a zone file.
///
/// Understood: $ORIGIN, $TTL, relative names, "@", an empty owner field (the one before), comments,
/// parentheses, TTLs with units, \DDD, and RFC 3597's unknown types.  Not understood: $INCLUDE and
/// classes other than IN; both are errors.
/// Errors: malformed, with "line N: ..." where N is the line on which the record begins.
/// RFC:    1035 §5, 2308 §4 ($TTL), 3597 §5.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::text {

/// One record as it stood in the text.
struct Record {
  wire::Name owner;
  wire::RRType type = wire::RRType::none;
  std::uint32_t ttl = 0;            ///< seconds
  std::vector<std::uint8_t> rdata;  ///< names inside uncompressed
  std::size_t line = 0;             ///< where it began, counted from 1
};

struct ZoneOptions {
  wire::Name origin;                 ///< before the first $ORIGIN
  std::uint32_t default_ttl = 3600;  ///< seconds, before the first $TTL
};

/// The records in the order of the text.
Result<std::vector<Record>> parse_records(std::string_view text, const ZoneOptions& options = {});

/// The same as sets, in the order of their first records; equal records count once, the lowest TTL
/// holds for the set (RFC 2181 §5.2), and RRSIGs go with the set they cover when it is there.
Result<std::vector<wire::RRset>> parse_zone(std::string_view text, const ZoneOptions& options = {});

}  // namespace siskin::text
