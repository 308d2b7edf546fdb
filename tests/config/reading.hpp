/// Short ways to read a configuration in tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "siskin/config/load.hpp"
#include "support/catch.hpp"

namespace siskin::config::test {

constexpr std::uint64_t kMachine = 1000'000'000;  // octets; "50%" is half of it

/// What is wrong with `text`, as lines; empty: nothing.
inline std::vector<std::string> errors_of(std::string_view text) {
  const auto outcome = parse_text(text, "f.toml", kMachine);
  std::vector<std::string> lines;
  if (outcome) return lines;
  for (const Diagnostic& d : outcome.error()) lines.push_back(to_string(d));
  return lines;
}

/// The configuration of a text without errors.
inline Loaded loaded(std::string_view text) {
  auto outcome = parse_text(text, "f.toml", kMachine);
  REQUIRE(outcome.has_value());
  return *std::move(outcome);
}

}  // namespace siskin::config::test
