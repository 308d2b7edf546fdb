/// Outcomes as text, one form for equal things, so that a test compares one string.
#pragma once

#include <string>
#include <vector>

#include "siskin/resolve/resolver.hpp"

namespace siskin::sim {

/// RDATA whose names compare without letter case (NS, CNAME, SOA, ...) in lower case.
std::vector<std::uint8_t> lowered_rdata(wire::RRType type, wire::Bytes rdata);

/// "owner ttl IN TYPE rdata", a line a record, all names lowered, records of a set sorted.
std::string to_text(const wire::RRset& set);

/// The RCODE, a line for each record of the answer, then "; " and each of the authority, then
/// "; EDE n" when there is one.
std::string to_text(const resolve::Outcome& outcome);

}  // namespace siskin::sim
