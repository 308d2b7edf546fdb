#include "scenarios/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace siskin::scenarios {

std::string side_by_side(const std::vector<std::string>& expected,
                         const std::vector<std::string>& got) {
  constexpr std::size_t kColumnMin = 24;
  std::size_t width = kColumnMin;
  for (const std::string& line : expected) width = std::max(width, line.size());
  std::string text = fmt::format("  {:<{}}   got\n", "expected", width);
  for (std::size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    const std::string left = i < expected.size() ? expected[i] : "";
    const std::string right = i < got.size() ? got[i] : "";
    text += fmt::format("  {:<{}} {} {}\n", left, width, left == right ? ' ' : '|', right);
  }
  return text;
}

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + '\n';
  return text;
}

}  // namespace siskin::scenarios
