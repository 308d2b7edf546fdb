/// Reading what clients send: one view, no copy, no allocation.
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::wire {

/// A well-formed client query.  All spans point into the datagram.
struct QueryView {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< second header word as sent
  Bytes name;               ///< question name, uncompressed, in the client's letter case
  RRType type = RRType::none;
  RRClass klass = RRClass::in;
  std::optional<Edns> edns;

  bool recursion_desired() const noexcept { return flags & flag::rd; }
  bool checking_disabled() const noexcept { return flags & flag::cd; }
  bool dnssec_ok() const noexcept { return edns && edns->dnssec_ok; }
};

/// What is to be done with a datagram or TCP message after parsing.
enum class QueryVerdict : std::uint8_t {
  accept,   ///< QueryView is whole; class and type are still to be judged by policy
  drop,     ///< under 12 octets, or QR set: no reply at all
  formerr,  ///< header copied; `name` etc. set only when the question was readable
  notimp,   ///< opcode other than QUERY
  badvers,  ///< EDNS version other than 0; question and edns are set
};

/// Never throws, never allocates; time linear in the message.
/// FORMERR: QDCOUNT other than 1, a compressed or malformed question name, records in answer or
/// authority, TC set, more than one OPT, OPT with another owner than the root, options that do not
/// fill the OPT, records that run past the end, bytes left over, additional records other than OPT
/// and a closing TSIG or SIG(0).  `edns` is set whenever a good OPT was met before the fault.
/// Ignored: AA, RA, AD, Z and RCODE bits, EDNS flags but DO, unknown options.
QueryVerdict parse_query(Bytes message, QueryView& query) noexcept;

/// Name and type of the question, if there seems to be one: for guesses at what will be needed.
struct QuestionPeek {
  Bytes name;  ///< empty: there is none
  RRType type = RRType::none;
};
QuestionPeek peek_question(Bytes message) noexcept;

}  // namespace siskin::wire
