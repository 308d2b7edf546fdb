/// Answers from what has expired, for when nothing better is to be had (RFC 8767).
#pragma once

#include "resolve/core.hpp"

namespace siskin::resolve {

/// As Resolver::stale().  Each link of a chain of aliases is judged alone: fresh where the cache
/// has it fresh, else stale.
std::optional<Outcome> stale_outcome(const Core& core, const Question& question);

}  // namespace siskin::resolve
