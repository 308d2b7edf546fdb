#include "sim/link.hpp"

namespace siskin::sim {
namespace {

constexpr int kLateness = 10;
constexpr Duration kFirstRetransmission = std::chrono::seconds(1);  ///< RFC 6298 §2.1
constexpr int kRetransmissionsMax = 6;

}  // namespace

std::vector<Duration> Link::carry(SimRandom& random) const {
  std::vector<Duration> arrivals;
  const int copies = random.chance(duplication) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    if (random.chance(loss)) continue;
    const Duration delay = random.between(delay_min, delay_max);
    arrivals.push_back(random.chance(reordering) ? kLateness * delay : delay);
  }
  return arrivals;
}

Duration Link::carry_reliably(SimRandom& random) const {
  Duration delay = random.between(delay_min, delay_max);
  Duration timeout = kFirstRetransmission;
  for (int i = 0; i < kRetransmissionsMax && random.chance(loss); ++i) {
    delay += timeout;
    timeout *= 2;
  }
  return delay;
}

}  // namespace siskin::sim
