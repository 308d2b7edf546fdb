/// How a failed step is shown.
#pragma once

#include <string>
#include <vector>

namespace siskin::scenarios {

/// Both lists as columns with titles; '|' between lines that differ.
std::string side_by_side(const std::vector<std::string>& expected,
                         const std::vector<std::string>& got);

/// The lines, each behind two blanks.
std::string indented(const std::vector<std::string>& lines);

}  // namespace siskin::scenarios
