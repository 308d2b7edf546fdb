#include "scenarios/config_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace siskin::scenarios {
namespace {

constexpr std::array kSections{"server", "stub-zone", "forward-zone", "auth-zone",
                               "rpz",    "view",      "cachedb",      "remote-control",
                               "python", "dynlib",    "dnscrypt",     "dnstap"};

/// Blocks that only the peer's player knows, with their ends.
struct Block {
  const char* begin;
  const char* end;
  const char* feature;
};

constexpr std::array<Block, 2> kBlocks{
    {{"TEMPFILE_CONTENTS", "TEMPFILE_END", "temporary files"},
     {"AUTOTRUST_FILE", "AUTOTRUST_END", "managed trust anchors (RFC 5011)"}}};

/// A '#' outside double quotes begins a comment.
std::string without_hash(const std::string& text) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == '#' && !is_quoted) return text.substr(0, i);
  }
  return text;
}

bool is_key(const std::string& word) {
  return word.size() > 1 && word.back() == ':' && word.front() >= 'a' && word.front() <= 'z' &&
         word.find(':') == word.size() - 1 && word.find(' ') == std::string::npos;
}

class ConfigParser {
 public:
  ConfigParser(Lines& lines, Scenario& scenario) : lines_(lines), scenario_(scenario) {}

  void run() {
    while (lines_.next(Lines::Hash::is_comment)) {
      if (lines_.text() == "CONFIG_END") return;
      if (lines_.text().starts_with("SCENARIO_BEGIN")) break;
      if (skip_block()) continue;
      for (const std::string& word : words_of(without_hash(lines_.text()))) take(word);
    }
    lines_.fail("expected CONFIG_END before the scenario begins");
  }

 private:
  bool skip_block() {
    const std::string first = lines_.words().front();
    if (first == "COMMANDLINE" || first == "TEMPFILE_NAME") {
      scenario_.lacks.push_back(first == "COMMANDLINE" ? "command-line options"
                                                       : "temporary files");
      awaits_value_ = false;
      return true;
    }
    const auto* block = std::ranges::find(kBlocks, first, &Block::begin);
    if (block == kBlocks.end()) return false;
    const std::size_t began = lines_.number();
    while (lines_.next() && lines_.text() != block->end) {
    }
    if (lines_.text() != block->end) {
      lines_.fail_at(began, fmt::format("expected {} after {}", block->end, block->begin));
    }
    scenario_.lacks.push_back(block->feature);
    return true;
  }

  void take(const std::string& word) {
    if (!awaits_value_ && is_key(word)) {
      const std::string key = word.substr(0, word.size() - 1);
      if (std::ranges::find(kSections, key) != kSections.end()) {
        ++section_;
        section_name_ = key;
        return;
      }
      scenario_.settings.push_back({section_, section_name_, key, {}, lines_.number()});
      awaits_value_ = true;
      return;
    }
    if (scenario_.settings.empty()) lines_.fail("expected an option or a section, got " + word);
    scenario_.settings.back().values.push_back(word);
    awaits_value_ = false;
  }

  Lines& lines_;
  Scenario& scenario_;
  std::size_t section_ = 0;
  std::string section_name_;
  bool awaits_value_ = false;
};

}  // namespace

void parse_config(Lines& lines, Scenario& scenario) {
  ConfigParser(lines, scenario).run();
}

}  // namespace siskin::scenarios
