/// Reading and writing a small file as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "siskin/base/result.hpp"

namespace siskin::text {

/// All of it.  Errors: io, with the path and the system's words; too_long, over `bytes_max`.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

/// Puts `text` in the place of what the file held: all of it or, after an error or a crash,
/// nothing. A file "PATH.new" is written beside it for that.  Errors: io, with the path and the
/// system's words.
Result<void> replace_file(const std::string& path, std::string_view text);

/// The error of parse_records() with where the text came from: "SOURCE:LINE: what".
Error with_source(const Error& error, std::string_view source);

}  // namespace siskin::text
