/// Which hot answers to ask for anew before they expire.
#pragma once

#include <array>
#include <cstdint>

#include "siskin/base/time.hpp"

namespace siskin::serve {

/// A question is renewed once in so many seconds: a hot one has thousands of hits in its last
/// second, and one whose TTL is only a few seconds would be asked for all the time.  Two questions
/// that share a place forget each other: then one is renewed once more than needed. Threads: one
/// core.
class Renewals {
 public:
  static constexpr std::uint32_t kPause = 10;  ///< seconds

  /// True: renew it now.  `hash`: the question's.
  bool take(std::uint64_t hash, Instant now) noexcept {
    Place& place = places_[hash % places_.size()];
    const std::uint32_t second = whole_seconds(now);
    if (place.hash == hash && second < place.until) return false;
    place = {hash, second + kPause};
    return true;
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t until = 0;
  };
  std::array<Place, 256> places_;
};

}  // namespace siskin::serve
