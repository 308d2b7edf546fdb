/// All questions of a random world asked one after the other, and what must hold whatever happens.
#pragma once

#include <cstdint>
#include <string>

#include "sim/link.hpp"

namespace siskin::sim {

struct Conditions {
  bool with_vices = false;
  Link link;
  bool may_fail = false;  ///< SERVFAIL is allowed although the answer is within reach
};

/// Packets that are lost with that probability in each direction, doubled and late now and then.
Link lossy_link(double loss);

/// All that one world's questions come to.
struct Run {
  std::string log;      ///< every exchange
  std::string answers;  ///< every outcome
  /// Invariants that do not hold; empty: all do.  A right answer or SERVFAIL, at most 100 exchanges
  /// and 8 s, nothing that a well-behaved resolver never sends, nothing left in the end.
  std::string faults;
  unsigned questions = 0;
  unsigned within_reach = 0;  ///< the answer is, for whoever is patient enough
  unsigned failures = 0;      ///< SERVFAILs among those
  unsigned exchanges = 0;
  unsigned exchanges_max = 0;  ///< of one question
};

Run run_world(std::uint64_t seed, const Conditions& conditions);

}  // namespace siskin::sim
