#include "app/memory_watch.hpp"

#include "app/events.hpp"

namespace siskin::app {
namespace {

constexpr auto kPeriod = std::chrono::seconds(1);

}  // namespace

MemoryWatch::MemoryWatch(boost::asio::io_context& io, cache::Cache& cache, std::size_t cache_bytes,
                         std::uint64_t limit)
    : timer_(io), cache_(cache), keeper_(cache, cache_bytes, limit) {
  if (const auto figures = cache::allocator_figures()) {
    allocated_before_ = figures->allocated - cache.usage().bytes;
  }
}

void MemoryWatch::start() {
  timer_.expires_after(kPeriod);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    keeper_.look();
    start();
  });
}

void MemoryWatch::stop() {
  timer_.cancel();
}

void MemoryWatch::report() const {
  const cache::Ledger ledger = cache_.ledger();
  events::memory(keeper_.limit(), cache::resident_bytes(), keeper_.cache_max(), ledger);
  if (const auto figures = cache::allocator_figures()) {
    events::allocator(*figures, ledger.total().bytes, allocated_before_);
  }
}

}  // namespace siskin::app
