/// Once a second: whether the process keeps its memory limit.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "siskin/cache/cache.hpp"
#include "siskin/cache/memory_keeper.hpp"
#include "siskin/cache/process_memory.hpp"

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
  boost::asio::steady_timer timer_;
  cache::Cache& cache_;
  cache::MemoryKeeper keeper_;
  std::uint64_t allocated_before_ = 0;  ///< by the rest of the process, when the cache was empty
};

}  // namespace siskin::app
