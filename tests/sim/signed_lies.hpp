/// What servers of signed zones can say that is not so, and signatures are there to show.
#pragma once

#include <memory>

#include "sim/message.hpp"
#include "sim/random.hpp"

namespace siskin::sim {

/// Servers that lie together: what one of them has said honestly, any may repeat elsewhere.
class SignedLies {
 public:
  SignedLies();

  /// A server's way to lie, which it does to about half of the queries.
  Hook pick(SimRandom& random) const;

 private:
  struct Loot;
  std::shared_ptr<Loot> loot_;
};

}  // namespace siskin::sim
