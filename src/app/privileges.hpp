/// What the process asks of, and gives back to, the operating system.
#pragma once

#include <string>

#include "siskin/base/result.hpp"

namespace siskin::app {

/// Becomes `user` with its groups, for good; empty: stays.  Nothing happens when we are that user
/// already.  Error: no such user, or no right to change.
Result<void> become_user(const std::string& user);

/// Raises the soft limit of file descriptors to `wanted`, or as far as the hard one lets it;
/// returns what there is now.
std::size_t raise_descriptor_limit(std::size_t wanted) noexcept;

}  // namespace siskin::app
