/// A configuration as text, and the reference page of all keys.
#pragma once

#include <string>

#include "siskin/config/load.hpp"

namespace siskin::config {

/// The effective configuration as TOML that reads back to an equal Config; a comment on each line
/// says where its value comes from.  For `siskind --print-config`.
std::string print_config(const Loaded& loaded);

/// docs/configuration.md (Markdown), made of the option table.
/// For `siskind --print-config-reference`.
std::string reference_page();

}  // namespace siskin::config
