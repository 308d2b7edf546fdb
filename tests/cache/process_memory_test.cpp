#include "siskin/cache/process_memory.hpp"

#include <vector>

#include "support/catch.hpp"

namespace {

TEST_CASE("cache/process_memory: what is touched becomes resident", "[cache]") {
  const std::uint64_t before = siskin::cache::resident_bytes();
  REQUIRE(before > 0);
  std::vector<char> memory(64U << 20);
  // A compiler may leave out memory whose contents it knows.
  volatile char* const touched = memory.data();
  for (std::size_t at = 0; at < memory.size(); at += 4096) touched[at] = 'x';
  CHECK(siskin::cache::resident_bytes() >= before + (60U << 20));
  CHECK(touched[0] == 'x');
}

TEST_CASE("cache/process_memory: the allocator's figures are consistent where there are any",
          "[cache]") {
  const auto figures = siskin::cache::allocator_figures();
  if (!figures) return;  // another allocator
  CHECK(figures->allocated > 0);
  CHECK(figures->allocated <= figures->active);
  CHECK(figures->active <= figures->resident);
  siskin::cache::release_unused_memory();
}

}  // namespace
