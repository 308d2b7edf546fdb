/// Reading a small file as a whole.
#pragma once

#include <cstddef>
#include <string>

#include "siskin/base/result.hpp"

namespace siskin::text {

/// All of it.  Errors: io, with the path and the system's words; too_long, over `bytes_max`.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

/// The error of parse_records() with where the text came from: "SOURCE:LINE: what".
Error with_source(const Error& error, std::string_view source);

}  // namespace siskin::text
