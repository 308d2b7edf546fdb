/// What app says in the log: the daemon's life.
#pragma once

#include <string>

#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"

namespace siskin::app::events {

inline void starting(unsigned workers, std::size_t cache_bytes) {
  log::info("siskind " SISKIN_VERSION ": {} worker{}, cache of {} MiB", workers,
            workers == 1 ? "" : "s", cache_bytes >> 20);
}

inline void listening(const Endpoint& endpoint) {
  log::info("listening on {} (UDP and TCP)", endpoint.to_text());
}

inline void ready() {
  log::info("ready");
}

inline void stopping(const char* signal) {
  log::info("{}: stopping", signal);
}

inline void stopped(std::size_t failed) {
  if (failed == 0) {
    log::info("stopped");
  } else {
    log::info("stopped; {} queries could not be answered in time and were failed", failed);
  }
}

inline void few_descriptors(std::size_t have, std::size_t want) {
  log::warn("only {} file descriptors are allowed, {} are wanted: fewer queries to servers at once",
            have, want);
}

}  // namespace siskin::app::events
