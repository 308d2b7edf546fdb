#include <fmt/format.h>

#include "config/option.hpp"
#include "siskin/config/print.hpp"

namespace siskin::config {
namespace {

constexpr std::size_t kColumns = 100;

constexpr std::string_view kHead = R"(# Configuration

<!-- Made by `siskind --print-config-reference` from src/config/option_table.cpp; do not edit. -->

)";

constexpr std::string_view kIntroduction[] = {
    "`siskind --config FILE` reads one TOML file. Every key may be left out and has the default "
    "given here; an unknown section or key is an error. `siskind --config FILE --check-config` "
    "names every error as `FILE:LINE:COLUMN: key: what is wrong, what was expected, did you mean`, "
    "and `--print-config` prints the configuration in effect, with the place that each value "
    "comes from.",
    "A file is at most 1 MiB, and outside of comments it is ASCII; strings in double quotes have "
    "`\\u00E9` for the rest. Durations are text, a whole number followed by `ms`, `s`, `m` or "
    "`h`. A string holds no control characters.",
    "A running daemon does not read its file again yet: any change takes a restart. \"Change\" "
    "says which keys are made to be changed while it runs, once it can.",
};

/// Lines of at most kColumns octets, broken at blanks.
std::string wrapped(std::string_view paragraph, std::string_view indent = "") {
  std::string out;
  while (paragraph.size() > kColumns) {
    auto end = paragraph.rfind(' ', kColumns);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}\n{}", paragraph.substr(0, end), indent);
    paragraph.remove_prefix(end + 1);
  }
  return out + std::string(paragraph) + "\n";
}

std::string entry(const Option& option) {
  std::string out = fmt::format("### {}\n\n", option.name());
  if (!option.is_offered()) {
    out += wrapped(fmt::format("**Not there yet**: only `{}` is accepted.", option.default_text));
    out += '\n';
  }
  out += wrapped(option.help) + "\n";
  out += fmt::format("- Value: {}\n", expectation(option));
  out += fmt::format("- Default: `{}`\n", option.default_text);
  out += wrapped(fmt::format("- Why: {}", option.source), "  ");
  return out + fmt::format("- Change: {}\n\n", option.reloadable ? "while running" : "by restart");
}

}  // namespace

std::string reference_page() {
  std::string out(kHead);
  for (const std::string_view paragraph : kIntroduction) out += wrapped(paragraph) + "\n";
  for (const Section& section : sections()) {
    out += fmt::format("## [{}]\n\n{}\n", section.name, wrapped(section.help));
    for (const Option& option : options()) {
      if (option.section == section.name) out += entry(option);
    }
  }
  out.pop_back();  // the last entry's blank line
  return out;
}

}  // namespace siskin::config
