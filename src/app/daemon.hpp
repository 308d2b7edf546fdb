/// The whole process: builds one worker a core from the configuration, runs them, stops them.
#pragma once

#include "siskin/base/result.hpp"
#include "siskin/config/config.hpp"

namespace siskin::app {

/// Serves until SIGTERM or SIGINT.  Error: it could not start; the text says what to do.
Result<void> run_daemon(const config::Config& config);

}  // namespace siskin::app
