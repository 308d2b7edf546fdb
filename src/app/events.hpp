/// What app says in the log: the daemon's life.
#pragma once

#include <string>

#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"
#include "siskin/cache/ledger.hpp"
#include "siskin/cache/process_memory.hpp"
#include "siskin/stats/metrics.hpp"

namespace siskin::app::events {

inline void starting(unsigned workers, std::size_t cache_bytes, std::uint64_t limit) {
  log::info("siskind " SISKIN_VERSION
            ": {} worker{}, memory {} MiB, of which the cache begins with {}",
            workers, workers == 1 ? "" : "s", limit >> 20, cache_bytes >> 20);
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

inline void no_root_servers() {
  log::warn("local root: no server is of an address family that is used; root servers are asked");
}

inline void anchor_state_not_saved(const std::string& why) {
  log::error("trust anchor: the state could not be written, and is lost with the next stop: {}",
             why);
}

inline void no_anchor_left() {
  log::error("trust anchor: all keys are revoked, nothing is validated any more");
}

inline double mib(std::uint64_t octets) {
  return static_cast<double>(octets) / (1U << 20);
}

/// One line for the whole, one for each kind of entry there is.
inline void memory(std::uint64_t limit, std::uint64_t resident, std::uint64_t cache_max,
                   const cache::Ledger& ledger) {
  const cache::Ledger::Line total = ledger.total();
  log::info(
      "memory: {:.1f} MiB resident of {:.1f}, cache {:.1f} MiB of {:.1f} in {} entries, index "
      "{:.1f} "
      "MiB",
      mib(resident), mib(limit), mib(total.bytes), mib(cache_max), total.entries,
      mib(ledger.index_bytes));
  for (std::size_t i = 0; i < cache::kLedgerRows; ++i) {
    const auto row = static_cast<cache::LedgerRow>(i);
    const cache::Ledger::Line all = ledger.sum(row);
    if (all.entries == 0) continue;
    log::info("memory: {}: {} entries, {:.1f} MiB, {} of them tailored to subnets",
              cache::to_text(row), all.entries, mib(all.bytes), ledger.at(row, true).entries);
  }
}

inline void counted(const stats::MetricRow& row, std::uint64_t value) {
  log::info("metric: {} {}", stats::full_name(row), value);
}

/// What is beside the cache should stay as it was: growth is the ledger's error, or somebody's
/// leak.
inline void allocator(const cache::AllocatorFigures& figures, std::uint64_t cache_bytes,
                      std::uint64_t rest_before) {
  log::info(
      "memory: allocator: {:.1f} MiB handed out, {:.1f} beside the cache ({:.1f} when it was "
      "empty), "
      "pages {:.1f}, bookkeeping {:.1f}",
      mib(figures.allocated), mib(figures.allocated) - mib(cache_bytes), mib(rest_before),
      mib(figures.active), mib(figures.metadata));
}

}  // namespace siskin::app::events
