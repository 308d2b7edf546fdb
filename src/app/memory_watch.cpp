#include "app/memory_watch.hpp"

#include "app/events.hpp"

namespace siskin::app {
namespace {

constexpr auto kPeriod = std::chrono::seconds(1);

}  // namespace

MemoryWatch::MemoryWatch(boost::asio::io_context& io, cache::Cache& cache, std::size_t cache_bytes,
                         std::uint64_t limit)
    : timer_(io), cache_(cache), governor_(limit), cache_bytes_(cache_bytes), limit_(limit) {
  if (const auto figures = allocator_figures()) {
    allocated_before_ = figures->allocated - cache.usage().bytes;
  }
}

void MemoryWatch::start() {
  timer_.expires_after(kPeriod);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    look();
    start();
  });
}

void MemoryWatch::stop() {
  timer_.cancel();
}

void MemoryWatch::look() {
  const std::uint64_t resident = resident_bytes();
  const std::uint64_t next = governor_.next({resident, cache_.usage().bytes, cache_bytes_});
  if (next == cache_bytes_) return;
  cache_bytes_ = next;
  cache_.set_bytes_max(cache_bytes_);
}

void MemoryWatch::report() const {
  const cache::Ledger ledger = cache_.ledger();
  events::memory(limit_, resident_bytes(), cache_bytes_, ledger);
  if (const auto figures = allocator_figures()) {
    events::allocator(*figures, ledger.total().bytes, allocated_before_);
  }
}

}  // namespace siskin::app
