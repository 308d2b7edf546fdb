/// Writing replies: the parts that all kinds of them share.
///
/// Header (fault A81): ID, opcode, RD and CD are the query's; QR and RA are set; all else is clear,
/// and AD is not earned yet.  The question comes back as it was sent.  An OPT goes out exactly when
/// one came in: version 0, DO copied, no options but our own, and the client's own subnet where
/// client subnet is on.
///
/// Size: what does not fit over UDP is left out by whole sets, the sets before it stay, and TC is
/// set (RFC 2181 §9): who does not retry over TCP still has aliases to follow, and who does ignores
/// all of it.  What does not fit over TCP cannot be told at all and becomes SERVFAIL (fault A75).
#pragma once

#include <cstdint>
#include <span>

#include "serve/request.hpp"
#include "siskin/resolve/resolver.hpp"
#include "siskin/wire/writer.hpp"

namespace siskin::serve {

/// Header and question written, room for the OPT reserved.
wire::MessageWriter begin_reply(const Request& request, std::span<std::uint8_t> buffer) noexcept;

/// Ends what begin_reply() began in the same buffer; returns the reply's size.  `error` may be null
/// and is dropped where there is no EDNS or no room.  `scope`: bits of the client's network that
/// the answer holds for.
std::size_t finish_reply(const Request& request, wire::MessageWriter& out, wire::Rcode rcode,
                         const wire::ExtendedError* error, std::span<std::uint8_t> buffer,
                         std::uint8_t scope = 0) noexcept;

/// A reply without records.
std::size_t write_error(const Request& request, wire::Rcode rcode, const wire::ExtendedError* error,
                        std::span<std::uint8_t> buffer) noexcept;

/// The outcome as this client is to see it: DNSSEC records with DO only, SERVFAIL without records.
/// `rotation`: which record of a set comes first, modulo its size.
std::size_t write_outcome(const Request& request, const resolve::Outcome& outcome,
                          std::size_t rotation, std::span<std::uint8_t> buffer) noexcept;

}  // namespace siskin::serve
