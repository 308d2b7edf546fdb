/// Where resolution begins: names and addresses of the root servers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::text {

/// A server's name and one of its addresses.
using RootHints = std::vector<std::pair<wire::Name, IpAddress>>;

inline constexpr std::size_t kRootHintsBytesMax = 1U << 20;  ///< the real file has 3 KiB

/// Reads text like InterNIC's named.root: the A and AAAA records of names that an NS record of the
/// root names, in the order of the text; all other records are passed over.
/// Errors: malformed, "SOURCE:LINE: what" or "SOURCE: what" when no address is left; too_long.
Result<RootHints> parse_root_hints(std::string_view text, std::string_view source);

/// The same from a file of at most kRootHintsBytesMax.  Errors: also io, with the system's words.
Result<RootHints> read_root_hints(const std::string& path);

/// The thirteen root servers as IANA publishes them, both families.
RootHints builtin_root_hints();

}  // namespace siskin::text
