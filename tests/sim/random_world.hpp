/// A world drawn from a seed: a root, two or three TLDs, ten to thirty zones, and questions to ask.
#pragma once

#include <string>
#include <vector>

#include "sim/random.hpp"
#include "sim/world.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::sim {

struct RandomWorldOptions {
  bool with_vices = false;  ///< a quarter of the servers behaves badly in some way
  std::size_t questions = 50;
};

/// In it: several servers a zone, glue, servers in other zones without glue, addresses of both
/// families or one, servers of many zones, delegations below empty non-terminals, wildcards,
/// aliases and DNAMEs within and across zones, names below aliases, loops of aliases, zones that
/// only point at each other, zones whose servers are lame or nobody.
class RandomWorld {
 public:
  RandomWorld(std::uint64_t seed, const RandomWorldOptions& options);

  const World& world() const noexcept { return world_; }
  World& world() noexcept { return world_; }
  const std::vector<resolve::Question>& questions() const noexcept { return questions_; }
  /// All zones, for the report of a failed test.
  const std::string& text() const noexcept { return text_; }

 private:
  struct Plan;
  class Architect;

  World world_;
  std::vector<resolve::Question> questions_;
  std::string text_;
};

/// Gives some servers of `world` a vice each, drawn from `random`.  None lets a server speak
/// wrongly about its own zones: nobody could tell.
void corrupt(World& world, SimRandom& random);

}  // namespace siskin::sim
