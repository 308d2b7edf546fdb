/// Whole resolutions in worlds drawn from seeds.  A failure prints the seed;
/// RandomWorld(seed).text() is the world.  Many more of them: tools/worlds.
#include "sim/world_run.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;

TEST_CASE("sim/random_world: without loss and vices, what is within reach is found", "[sim]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run_world(seed, {});
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
  }
}

TEST_CASE("sim/random_world: with a fifth of all packets lost, answers are right or SERVFAIL",
          "[sim]") {
  const Conditions conditions{false, lossy_link(0.2), true};
  unsigned failures = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run_world(seed, conditions);
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
    failures += result.failures;
  }
  CAPTURE(failures);
  CHECK(failures < 150);  // of 10,000 questions; many zones have one server
}

TEST_CASE(
    "sim/random_world: with loss and vices, answers are right or SERVFAIL, and the same twice",
    "[sim]") {
  const Conditions conditions{true, lossy_link(0.2), true};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run_world(seed, conditions);
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
    const Run again = run_world(seed, conditions);
    CAPTURE(seed);
    CHECK((result.log == again.log && result.answers == again.answers));
  }
}
