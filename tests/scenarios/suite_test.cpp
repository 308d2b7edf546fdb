#include "scenarios/suite.hpp"

#include <algorithm>

#include "scenarios/script_text.hpp"
#include "support/catch.hpp"

namespace siskin::scenarios {
namespace {

const std::string kFolder = std::string(SISKIN_SOURCE_DIR) + "/tests/scenarios";

/// Of server choice: a scenario holds whichever server is asked first.
constexpr std::uint64_t kSeeds = 8;

TEST_CASE("scenarios/suite: every scenario of the project passes", "[scenarios]") {
  const auto files = find_files({kFolder});
  REQUIRE(files.size() >= 10);
  for (const std::string& file : files) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const bool is_case_random = seed % 2 == 0;
      const Played played = play_file(file, {true, seed, is_case_random});
      INFO("seed " << seed << "\n" << played.why);
      CHECK(played.end == End::passed);
    }
  }
}

TEST_CASE("scenarios/suite: what is not there is an error", "[scenarios]") {
  CHECK_THROWS(find_files({"/nowhere/at/all"}));
  CHECK_THROWS(read_reasons("/nowhere/at/all"));
}

TEST_CASE("scenarios/suite: files are sorted within their folder", "[scenarios]") {
  const auto files = find_files({kFolder});
  CHECK(std::ranges::is_sorted(files));
  CHECK(find_files({files.back(), files.front()}) ==
        std::vector<std::string>{files.back(), files.front()});
}

TEST_CASE("scenarios/suite: the reasons of another suite are readable", "[scenarios]") {
  const auto reasons = read_reasons(kFolder + "/unbound_differences.tsv");
  REQUIRE_FALSE(reasons.empty());
  for (const auto& [name, reason] : reasons) {
    CHECK(name.find(".") != std::string::npos);
    CHECK(reason.size() > 20);
  }
}

}  // namespace
}  // namespace siskin::scenarios
