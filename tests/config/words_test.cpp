#include "config/words.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace siskin::config;

TEST_CASE("config/words: the nearest word is found within a third of its letters", "[config]") {
  const std::vector<std::string> words{"listen", "workers", "user", "udp_size"};
  CHECK(nearest("workers", words) == "workers");
  CHECK(nearest("wokrers", words) == "workers");  // two neighbours swapped: one edit
  CHECK(nearest("Listen", words) == "listen");
  CHECK(nearest("udp-size", words) == "udp_size");
  CHECK(nearest("usr", words) == "user");
  CHECK(nearest("threads", words) == "");
  CHECK(nearest("", words) == "");
  CHECK(nearest(std::string(100000, 'w'), words) == "");
}

TEST_CASE("config/words: text is quoted as TOML, and cut between characters in messages",
          "[config]") {
  CHECK(quote("a\"b\\c\n\x7f") == R"("a\"b\\c\u000A\u007F")");
  CHECK(quote("é€😀\xff\xc3") == R"("\u00E9\u20AC\U0001F600\uFFFD\uFFFD")");
  CHECK(shown(std::string(60, 'x')) == '"' + std::string(60, 'x') + '"');
  CHECK(shown(std::string(61, 'x')) == '"' + std::string(60, 'x') + "...\"");
  CHECK(shown(std::string(59, 'x') + "éé") == '"' + std::string(59, 'x') + "...\"");
  CHECK(shown_key("udp_size-1") == "udp_size-1");
  CHECK(shown_key("") == "\"\"");
  CHECK(shown_key("a b") == "\"a b\"");
  CHECK(printable("a\nb") == "a?b");
}
