#include "config/option.hpp"

#include <limits>
#include <set>

#include "siskin/config/load.hpp"
#include "support/catch.hpp"

using namespace siskin::config;

TEST_CASE("config/option: names are unique and follow the order of the sections", "[config]") {
  std::set<std::string> names;
  std::size_t section = 0;
  for (const Option& option : options()) {
    CAPTURE(option.name());
    CHECK(names.insert(option.name()).second);
    while (section < sections().size() && sections()[section].name != option.section) ++section;
    CHECK(section < sections().size());
    CHECK(find_option(option.section, option.key) == names.size() - 1);
  }
  CHECK(section == sections().size() - 1);
  CHECK_FALSE(find_option("server", "nope").has_value());
}

TEST_CASE("config/option: each row is complete, and its default is in canonical form", "[config]") {
  const Config config = defaults().config;
  for (const Option& option : options()) {
    CAPTURE(option.name());
    CHECK_FALSE(option.help.empty());
    CHECK(option.help.back() == '.');
    CHECK_FALSE(option.source.empty());
    CHECK_FALSE(expectation(option).empty());
    CHECK(option.words.empty() == (option.kind != Kind::word));
    CHECK((option.max > 0) == (option.kind != Kind::boolean && option.kind != Kind::word));
    CHECK(option.min <= option.max);
    if (option.is_offered())
      CHECK(value_text(option, fetch(option, config)) == option.default_text);
  }
}

TEST_CASE("config/option: no bound exceeds what its field holds", "[config]") {
  for (const Option& option : options()) {
    CAPTURE(option.name());
    if (std::holds_alternative<FieldOf<std::uint16_t>>(option.field)) {
      CHECK(option.max <= std::numeric_limits<std::uint16_t>::max());
    }
    if (std::holds_alternative<FieldOf<std::uint32_t>>(option.field)) {
      CHECK(option.max <= std::numeric_limits<std::uint32_t>::max());
    }
  }
}

TEST_CASE("config/option: what is stored is fetched again", "[config]") {
  for (const Option& option : options()) {
    if (!option.is_offered()) continue;
    CAPTURE(option.name());
    Config config;
    const Value value = fetch(option, defaults().config);
    store(option, value, config);
    CHECK(fetch(option, config) == value);
  }
}
