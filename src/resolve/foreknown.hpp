/// Answers to questions that nobody has asked before, from what zones have proved (RFC 8198).
#pragma once

#include "resolve/core.hpp"

namespace siskin::resolve {

/// A secure reply: that there is no such name, or no such type, or what a wildcard makes of it.
/// Nothing: somebody has to be asked.
std::optional<Reply> foreknown(Core& core, Query& query, const wire::Name& name, wire::RRType type);

}  // namespace siskin::resolve
