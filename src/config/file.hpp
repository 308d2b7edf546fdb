/// The two things config does with files.
#pragma once

#include <string>

#include "siskin/base/result.hpp"

namespace siskin::config {

/// The whole of a regular file of at most `octets_max`.
Result<std::string> read_file(const std::string& path, std::size_t octets_max);
/// Whether a regular file can be opened for reading.
Result<void> check_readable(const std::string& path);

}  // namespace siskin::config
