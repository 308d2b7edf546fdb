// The files of the repository that are made of, or follow, the table of options.

#include <fstream>
#include <iterator>
#include <sstream>

#include "config/option.hpp"
#include "config/reading.hpp"
#include "siskin/config/print.hpp"
#include "support/catch.hpp"

using namespace siskin::config;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(SISKIN_SOURCE_DIR "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "#key = value" becomes "key = value".
std::string uncommented(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const bool is_key = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    out += (is_key ? line.substr(1) : line) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("config/files: docs/configuration.md is what the table of options says", "[config]") {
  INFO("run: siskind --print-config-reference > docs/configuration.md");
  CHECK(contents("docs/configuration.md") == reference_page());
}

TEST_CASE("config/files: the shipped configuration differs from the defaults in listen alone",
          "[config]") {
  const Loaded shipped = test::loaded(contents("config/siskin.toml"));
  Config expected = defaults().config;
  expected.server.listen = {*siskin::Endpoint::from_text("127.0.0.1:5300")};
  CHECK(shipped.config == expected);
  CHECK(shipped.warnings.empty());
}

TEST_CASE("config/files: the shipped configuration shows every key at its default", "[config]") {
  const Loaded shown = test::loaded(uncommented(contents("config/siskin.toml")));
  CHECK(shown.config == test::loaded(contents("config/siskin.toml")).config);
  for (const Option& option : options()) {
    CAPTURE(option.name());
    CHECK(origin(shown, option.name()) != "default");
  }
}
