/// Reads scenario files.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/lines.hpp"
#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

/// Throws ScriptError for a file that does not follow the language.  Words of the language that
/// this player does not carry out are no error: they go into Scenario::lacks.
Scenario parse_scenario(std::string_view text, const std::string& path);

/// The same from a file; throws ScriptError also when it cannot be read.
Scenario read_scenario(const std::string& path);

}  // namespace siskin::scenarios
