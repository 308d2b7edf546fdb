/// Whether a message is the one that an entry describes.
#pragma once

#include <optional>
#include <string>

#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

struct Received {
  Message message;
  runtime::Transport transport = runtime::Transport::udp;
};

/// Seconds by which TTLs may be lower than expected: time that passed beside the scenario's own.
struct Tolerance {
  std::uint32_t ttl = 0;
};

/// The first word of the entry's MATCH lines that does not hold, with why; nothing: all hold.
///
/// Sections are compared as sets, names without letter case.  "all" is read as a resolver of any
/// make can fulfil it: RCODE, header flags, question and answer are equal and an OPT is there or
/// not as expected; the denial records (SOA, NSEC, NSEC3, DS and their RRSIGs) of authority and
/// additional are equal; of their other records a responder may leave out any.
std::optional<std::string> mismatch(const Received& received, const Entry& entry,
                                    Tolerance tolerance = {});

}  // namespace siskin::scenarios
