/// The way between the resolver and a server: how long packets take, and which arrive.
#pragma once

#include <vector>

#include "sim/random.hpp"

namespace siskin::sim {

/// Of each direction.
struct Link {
  Duration delay_min = std::chrono::milliseconds(5);
  Duration delay_max = std::chrono::milliseconds(5);  ///< uniform between the two
  double loss = 0;                                    ///< probability that a packet is lost
  double duplication = 0;                             ///< probability that it arrives twice
  double reordering = 0;  ///< probability that it takes ten times as long

  /// When the copies of one packet arrive after it was sent; none: it is lost.
  std::vector<Duration> carry(SimRandom& random) const;
  /// When a segment of TCP arrives, retransmissions with doubling timeout (RFC 6298) included.
  Duration carry_reliably(SimRandom& random) const;
};

}  // namespace siskin::sim
