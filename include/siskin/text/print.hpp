/// Records and messages as text for people: debug logs, dumps, failed tests.  Not for hot paths.
#pragma once

#include <string>

#include "siskin/wire/rrset.hpp"

namespace siskin::text {

/// Presentation format; RFC 3597's "\# ..." for what is not well-formed.
std::string print_rdata(wire::RRType type, wire::Bytes rdata);

/// "www.example. 300 IN A 192.0.2.1" without a newline.
std::string print_record(const wire::Name& owner, wire::RRType type, std::uint32_t ttl,
                         wire::Bytes rdata);

/// One line a record, each ended by a newline, signatures last.
std::string print_rrset(const wire::RRset& set);

/// A whole message in dig's manner: header, EDNS, question and sections.  What cannot be read is
/// said, with the octets in hexadecimal.
std::string print_message(wire::Bytes message);

}  // namespace siskin::text
