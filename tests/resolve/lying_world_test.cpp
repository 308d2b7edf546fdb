#include "resolve/lying_world.hpp"

#include <map>

#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

TEST_CASE("resolve/lying_world: whatever servers say, nobody else's names change", "[resolve]") {
  Draw draw(20);
  std::map<wire::Rcode, unsigned> ends;
  unsigned answers = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    Octets choices(400);
    for (std::uint8_t& octet : choices) octet = draw.octet();
    fuzz::LyingWorld world(choices);
    const Outcome outcome = world.run();
    ++ends[outcome.rcode];
    if (!outcome.answer.empty()) ++answers;
  }
  // The liars are believed where it is theirs to say: otherwise nothing would be tested.
  CHECK(ends[wire::Rcode::noerror] > 400);
  CHECK(ends[wire::Rcode::nxdomain] > 50);
  CHECK(ends[wire::Rcode::servfail] > 100);
  CHECK(answers > 150);
}

}  // namespace
}  // namespace siskin::resolve::test
