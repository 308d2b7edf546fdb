/// Plays a scenario: step by step, in virtual time, against the production resolver and front end.
///
/// Each round does the first of these that applies, where N is the next step not yet carried out:
///   1. N is CHECK_OUT_QUERY and a pending query to a server matches: N is done; with an answer in
///      the entry (ADJUST copy_id) the query is answered from it.
///   2. N is CHECK_ANSWER and a client has an answer: it must match.
///   3. A pending query finds an entry in a range that holds N: it is answered.  Newest query
///   first;
///      ranges from the last in the file to the first, entries in order.
///   4. N is a check, nothing is there to check, and a client waits: time goes to the next timer,
///   as
///      with servers that say nothing.
///   5. N is carried out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/setup.hpp"

namespace siskin::scenarios {

struct PlayOptions {
  /// A query to a server that no range answers fails the scenario; else it is a note.
  bool is_strict = false;
  std::uint64_t seed = 1;  ///< of the resolver's random choices, of servers above all
  /// Queries go out in random letter case, which the peer's player never does.
  bool is_case_random = false;
};

struct Outcome {
  bool has_passed = false;
  std::string failure;             ///< several lines; empty: passed
  std::vector<std::string> notes;  ///< what is worth knowing of one that passed too
};

Outcome play(const Scenario& scenario, const Setup& setup, const PlayOptions& options = {});

}  // namespace siskin::scenarios
