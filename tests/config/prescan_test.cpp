#include "config/prescan.hpp"

#include "config/reading.hpp"
#include "support/catch.hpp"

using namespace siskin::config;

namespace {

std::string found(std::string_view text) {
  const auto error = prescan(text);
  if (!error) return "";
  return std::to_string(error->at.line) + ":" + std::to_string(error->at.column) + " " +
         error->message;
}

}  // namespace

TEST_CASE("config/prescan: strings and comments are followed", "[config]") {
  for (const std::string_view text :
       {R"(# é)", R"(a = 'x' # é)", R"(a = "x \" # x" # é)", R"(a = "" # é)", R"(a = '' # é)",
        "a = \"\"\" # \n \\\"\"\" # \"\"\" # é", R"(a = """"x"" """"" # é)", "a = '''\n#''''' # é",
        R"(a = """""" # é)", "\xEF\xBB\xBF# a byte order mark",
        R"(a = ['192.0.2.1', "........................................"])"}) {
    CAPTURE(text);
    CHECK(found(text) == "");
  }
}

TEST_CASE("config/prescan: a character outside ASCII is refused but in comments", "[config]") {
  const std::string words =
      "a character outside ASCII, its escape (\\u00E9) in double quotes expected";
  CHECK(found("é = 1") == "1:1 " + words);
  CHECK(found("# é\na = 'é'") == "2:6 " + words);
  CHECK(found("a = \"#é\"") == "1:7 " + words);
  CHECK(found("a = \"\"\"\n#\"\"é\"\"\"") == "2:4 " + words);
  CHECK(found("a = 1979-05-27\"é\"") == "1:16 " + words);
  CHECK(found("a = \"x\" \xff") == "1:9 " + words);
}

TEST_CASE("config/prescan: nesting that would exhaust the stack is refused", "[config]") {
  std::string dotted = "a";
  for (int i = 0; i < 400'000; ++i) dotted += ".a";
  const std::vector<std::string> expected{
      "f.toml:1:66: too many dots, section.key or [section] expected"};
  CHECK(test::errors_of(dotted + " = 1") == expected);
  CHECK(test::errors_of("[" + dotted + "]").size() == 1);
  CHECK(test::errors_of("a = " + std::string(400'000, '[')).size() == 1);
  std::string tables = "a = ";
  for (int i = 0; i < 100'000; ++i) tables += "{a = ";
  CHECK(test::errors_of(tables).size() == 1);
}
