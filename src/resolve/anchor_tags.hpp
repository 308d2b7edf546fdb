/// What a resolver tells of the trust anchors that it has (RFC 8145, 8509).
#pragma once

#include <optional>
#include <vector>

#include "siskin/dnssec/validate.hpp"

namespace siskin::resolve {

/// Tags of the keys that an anchor names, in order, each once.
std::vector<std::uint16_t> tags_of(const dnssec::TrustAnchor& anchor);

/// The name whose question tells a zone's servers of these tags: "_ta-4f66-9728" below the zone
/// (RFC 8145 §5.1).  Nothing where it would be too long.
std::optional<wire::Name> signal_name(const dnssec::TrustAnchor& anchor);

/// Whether a secure answer is to be a failure, by which clients find out which keys of the root are
/// trusted here (RFC 8509 §3): "root-key-sentinel-is-ta-20326" and "root-key-sentinel-not-ta-20326"
/// as first labels of a question for A or AAAA.
bool is_sentinel_failure(const wire::Name& name, wire::RRType type,
                         const std::vector<dnssec::TrustAnchor>& anchors);

}  // namespace siskin::resolve
