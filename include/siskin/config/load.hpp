/// From a TOML file to a Config, or to every error of that file.
/// Threads: call before any exist.  Errors: as values, in line order; nothing throws.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "siskin/config/config.hpp"

namespace siskin::config {

/// An error or a warning about one place of a file.
struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;    ///< 0: the file as a whole
  std::uint32_t column = 0;  ///< in characters, from 1
  std::string key;           ///< "section.key"; empty where no key is concerned
  std::string message;       ///< "what is wrong, what was expected[, did you mean ...?]"
};

/// "FILE:LINE:COLUMN: key: message", without the parts that are not there.
std::string to_string(const Diagnostic& diagnostic);

struct Loaded {
  Config config;
  std::string file;                  ///< as given; empty: no file
  std::vector<std::uint32_t> lines;  ///< by row of the option table; 0: default
  std::vector<Diagnostic> warnings;  ///< [laboratory] keys that differ from their default
};

using Outcome = boost::system::result<Loaded, std::vector<Diagnostic>>;

/// Reads at most 1 MiB of a regular file.  `machine_bytes` is what "50%" is taken of
/// (machine.hpp; 0: unknown, percentages are then refused).
Outcome load_file(const std::string& path, std::uint64_t machine_bytes);
/// The same for text in memory; `file` is the name that diagnostics show.
Outcome parse_text(std::string_view text, std::string_view file, std::uint64_t machine_bytes);
/// What an empty file gives.
Loaded defaults();

/// Where a value comes from: "siskin.toml:12" or "default".  `key` ("server.listen") must be one.
std::string origin(const Loaded& loaded, std::string_view key);

}  // namespace siskin::config
