/// One record in canonical form, by ldns.
#pragma once

#include "siskin/wire/types.hpp"
#include "text/ldns.hpp"

namespace siskin::dnssec {

/// The record as ldns reads it, class IN, in canonical form (RFC 4034 §6.2, 6840 §5.1); null when
/// its RDATA cannot be read.
text::Ldns<ldns_rr> canonical_record(const wire::Name& owner, wire::RRType type, std::uint32_t ttl,
                                     wire::Bytes rdata);

}  // namespace siskin::dnssec
