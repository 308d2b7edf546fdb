#include "siskin/base/memory.hpp"

#include <vector>

#include "support/catch.hpp"

namespace {

TEST_CASE("base/memory: what is touched becomes resident", "[base]") {
  const std::uint64_t before = siskin::resident_bytes();
  REQUIRE(before > 0);
  const std::vector<char> touched(64U << 20, 'x');
  CHECK(touched.back() == 'x');
  CHECK(siskin::resident_bytes() >= before + (60U << 20));
}

TEST_CASE("base/memory: the allocator's figures are consistent where there are any", "[base]") {
  const auto figures = siskin::allocator_figures();
  if (!figures) return;  // another allocator
  CHECK(figures->allocated > 0);
  CHECK(figures->allocated <= figures->active);
  CHECK(figures->active <= figures->resident);
  siskin::release_unused_memory();
}

}  // namespace
