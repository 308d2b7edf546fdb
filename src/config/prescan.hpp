/// Refuses, before the TOML library sees a text, what that library does not survive.
#pragma once

#include <optional>
#include <string_view>

#include "config/document.hpp"

namespace siskin::config {

/// The first of: a NUL byte; a character outside ASCII that is not in a comment (toml++ 3.3 runs
/// into undefined behaviour on many of them; strings have escapes); a line with so many dots
/// outside strings that its dotted keys nest deeper than a stack holds.  Nothing: the text is safe
/// to parse, not necessarily valid.
std::optional<SyntaxError> prescan(std::string_view text);

}  // namespace siskin::config
