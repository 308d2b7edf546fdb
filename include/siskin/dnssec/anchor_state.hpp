/// The state of trust anchors as a file: one key a line, for people and for the next start.
///
///     valid 2026-12-05T12:00:00Z . DNSKEY 257 3 8 AwEAAa...
///
/// State, date (see TrackedKey), and the record in presentation format.  Lines that are empty or
/// begin with ";" say nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/dnssec/rollover.hpp"

namespace siskin::dnssec {

struct StoredKey {
  wire::Name zone;
  TrackedKey key;
};

inline constexpr std::size_t kStateBytesMax = 1U << 20;

std::string print_anchor_state(std::span<const TrustPoint> points);

/// Errors: malformed, "SOURCE:LINE: what is wrong, what was expected".
Result<std::vector<StoredKey>> parse_anchor_state(std::string_view text, std::string_view source);

/// One point for each anchor, with those of the keys that are of its zone.  Keys of other zones are
/// left out: whoever takes an anchor out of the configuration means it.
std::vector<TrustPoint> trust_points(std::vector<TrustAnchor> configured,
                                     const std::vector<StoredKey>& keys);

/// What is trusted of them; a point whose keys are all revoked is no anchor any more.
std::vector<TrustAnchor> anchors_of(std::span<const TrustPoint> points);

}  // namespace siskin::dnssec
