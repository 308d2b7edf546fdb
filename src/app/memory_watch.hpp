/// Once a second: how much memory the process takes, and what the cache may hold therefore.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "siskin/base/memory.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/cache/memory_governor.hpp"

namespace siskin::app {

/// Runs on the daemon's own loop; the cache must outlive it.
class MemoryWatch {
 public:
  MemoryWatch(boost::asio::io_context& io, cache::Cache& cache, std::size_t cache_bytes,
              std::uint64_t limit);

  void start();
  void stop();
  /// Into the log: what the memory is spent on.
  void report() const;

 private:
  void look();

  boost::asio::steady_timer timer_;
  cache::Cache& cache_;
  cache::MemoryGovernor governor_;
  std::size_t cache_bytes_;
  std::uint64_t limit_;
  std::uint64_t allocated_before_ = 0;  ///< by the rest of the process, when the cache was empty
};

}  // namespace siskin::app
