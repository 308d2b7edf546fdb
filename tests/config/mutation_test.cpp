// Damaged files: always a configuration or errors with a line, never a crash.

#include <random>

#include "config/reading.hpp"
#include "siskin/config/print.hpp"
#include "support/catch.hpp"

using namespace siskin::config;

namespace {

constexpr std::uint32_t kSeed = 20250101;
constexpr int kMutations = 6000;

constexpr std::string_view kPieces[] = {"\"",
                                        "'",
                                        "\"\"\"",
                                        "'''",
                                        "[",
                                        "]",
                                        "[[",
                                        "{",
                                        "}",
                                        "=",
                                        ".",
                                        ",",
                                        "\n",
                                        "\r",
                                        "#",
                                        "\\",
                                        "\\u0000",
                                        "é",
                                        "\xff",
                                        "\xEF\xBB\xBF",
                                        "-1",
                                        "0",
                                        "1e99",
                                        "nan",
                                        "9223372036854775807",
                                        "true",
                                        "\"50%\"",
                                        "1979-05-27",
                                        "\t",
                                        " ",
                                        "\xc2\xa0",
                                        "\xe2\x80\xa8",
                                        "server",
                                        "listen",
                                        "127.0.0.1:53"};

/// Inserts, removes, replaces or doubles a few octets or pieces.
class Mutator {
 public:
  std::string mutate(std::string text) {
    for (auto rounds = below(4) + 1; rounds > 0; --rounds) step(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  void step(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(30), text.size() - at);
    switch (below(5)) {
      case 0: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 3: text.insert(at, 1, static_cast<char>(below(256))); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937 random_{kSeed};
};

}  // namespace

TEST_CASE("config/mutation: a damaged file gives a configuration or errors with a line",
          "[config]") {
  const std::string valid = print_config(defaults());
  Mutator mutator;
  int accepted = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = mutator.mutate(valid);
    const auto outcome = parse_text(text, "f.toml", test::kMachine);
    if (outcome) {
      ++accepted;
      if (test::loaded(print_config(*outcome)).config != outcome->config) FAIL(text);
      continue;
    }
    if (outcome.error().empty()) FAIL(text);
    for (const Diagnostic& d : outcome.error()) {
      const bool is_one_line = to_string(d).find_first_of("\r\n") == std::string::npos;
      if (d.line == 0 || d.column == 0 || d.message.empty() || !is_one_line) FAIL(text);
    }
  }
  CHECK(accepted > kMutations / 20);
  CHECK(accepted < kMutations);
}

TEST_CASE("config/mutation: every beginning of a valid file is handled", "[config]") {
  const std::string valid = print_config(defaults());
  for (std::size_t length = 0; length < valid.size(); ++length) {
    const auto outcome = parse_text(valid.substr(0, length), "f.toml", test::kMachine);
    if (outcome) continue;
    CAPTURE(length);
    REQUIRE(outcome.error().size() >= 1);
    CHECK(outcome.error()[0].line > 0);
  }
}
