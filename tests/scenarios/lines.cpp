#include "scenarios/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace siskin::scenarios {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Up to the first `mark` outside double quotes.
std::string_view without_comment(std::string_view line, char mark) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line[i] == mark && !is_quoted) {
      return line.substr(0, i);
    }
  }
  return line;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const bool is_quoted = text[at] == '"';
    if (is_quoted) ++at;
    const auto end =
        std::min(is_quoted ? text.find('"', at) : text.find_first_of(kBlanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = std::min(end + (is_quoted ? 1 : 0), text.size());
  }
  return words;
}

Lines::Lines(std::string_view text, std::string path) : path_(std::move(path)) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines_.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool Lines::next(Hash hash) {
  while (number_ < lines_.size()) {
    const std::string& line = lines_[number_++];
    text_ = trimmed(without_comment(line, ';'));
    if (text_.empty() || (text_[0] == '#' && hash == Hash::is_comment)) continue;
    is_indented_ = kBlanks.find(line[0]) != std::string_view::npos;
    return true;
  }
  text_.clear();
  return false;
}

void Lines::fail(const std::string& what) const {
  fail_at(number_, what);
}

void Lines::fail_at(std::size_t line, const std::string& what) const {
  throw ScriptError(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace siskin::scenarios
