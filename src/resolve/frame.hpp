/// What a reply has to be before ldns may read it.
#pragma once

#include "siskin/base/result.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::resolve {

/// Walks a message field by field, as ldns_wire2pkt() will, and refuses what ldns 1.8 would take
/// although it does harm:
///   names whose pointers go forward, or through thousands of others (half a second of work for
///   64 KiB, fault A67);
///   RDATA that ends before or behind its RDLENGTH (fault A73);
///   RDATA of more than 256 fields: ldns allocates RDLENGTH octets for each of them, so that one
///   TXT of empty strings costs 4 GiB;
///   a second OPT, and a second TSIG, of which ldns loses the first one's memory.
/// Octets behind the last record are nobody's business.  Time is linear in the message.
/// Error: malformed.
Result<void> check_frame(wire::Bytes message);

}  // namespace siskin::resolve
