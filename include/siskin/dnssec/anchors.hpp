/// Trust anchors as operators write them: DS or DNSKEY records in presentation format (RFC 7958
/// calls for the former).
///
/// Errors: malformed, "SOURCE:LINE: what is wrong, what was expected"; of files also io and
/// too_long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/dnssec/validate.hpp"

namespace siskin::dnssec {

inline constexpr std::size_t kAnchorBytesMax = 1U << 20;  ///< a file; the root's has 1 KiB
inline constexpr std::size_t kAnchorsMax = 1024;          ///< records

/// One anchor for each owner, in the order of the text.  A DNSKEY has to be a zone's key and not
/// revoked; any other type is an error, as is a text without a record.
Result<std::vector<TrustAnchor>> parse_trust_anchors(std::string_view text,
                                                     std::string_view source);

/// The same from a file.
Result<std::vector<TrustAnchor>> read_trust_anchors(const std::string& path);

}  // namespace siskin::dnssec
