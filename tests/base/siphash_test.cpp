#include "siskin/base/siphash.hpp"

#include <array>
#include <set>

#include "support/catch.hpp"

TEST_CASE("base/siphash: every length up to 64 and every key bit changes the hash", "[base]") {
  std::array<std::uint8_t, 64> data{};
  std::set<std::uint64_t> seen;
  for (std::size_t n = 0; n <= data.size(); ++n) {
    seen.insert(siskin::siphash13({1, 2}, std::span(data).first(n)));
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    seen.insert(siskin::siphash13({1 ^ (1ULL << bit), 2}, data));
    seen.insert(siskin::siphash13({1, 2 ^ (1ULL << bit)}, data));
  }
  CHECK(seen.size() == 65 + 128);
}
