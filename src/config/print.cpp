#include "siskin/config/print.hpp"

#include <fmt/format.h>

#include "config/option.hpp"

namespace siskin::config {

std::string print_config(const Loaded& loaded) {
  std::string out;
  for (const Section& section : sections()) {
    if (!out.empty()) out += '\n';
    out += fmt::format("[{}]\n", section.name);
    for (const Option& option : options()) {
      if (option.section != section.name) continue;
      const std::string value = option.is_offered()
                                    ? value_text(option, fetch(option, loaded.config))
                                    : std::string(option.default_text);
      out += fmt::format("{} = {}  # {}\n", option.key, value, origin(loaded, option.name()));
    }
  }
  return out;
}

}  // namespace siskin::config
