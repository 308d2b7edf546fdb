/// The one way to the log: spdlog, behind the words of <room>/events.hpp.
/// Nothing that happens per query is logged above debug.
#pragma once

#include <spdlog/spdlog.h>

#include <cstdint>
#include <string>

#include "siskin/base/result.hpp"

namespace siskin::log {

enum class Level : std::uint8_t { trace, debug, info, warn, error };
enum class Format : std::uint8_t { text, json };

struct Options {
  Level level = Level::info;
  Format format = Format::text;
  std::string target = "stderr";  ///< "stderr", "syslog", or a file's path
};

/// Makes the process-wide logger.  Call once, before threads exist.  Error: the file cannot be
/// opened for writing.
Result<void> configure(const Options& options);

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::trace;
using spdlog::warn;

}  // namespace siskin::log
