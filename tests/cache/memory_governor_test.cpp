#include "siskin/cache/memory_governor.hpp"

#include <algorithm>

#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

constexpr std::uint64_t kMiB = 1U << 20;

/// A process around a cache that fills whatever it may: `waste` percent of it is what the allocator
/// cannot fill, and what was once resident stays so but for a little a second.
class Process {
 public:
  Process(std::uint64_t limit, std::uint64_t rest, unsigned waste)
      : governor_(limit),
        rest_(rest),
        waste_(waste),
        cache_max_(governor_.initial(rest, 4 * kMiB)) {}

  void run(unsigned seconds) {
    for (; seconds > 0; --seconds) {
      const std::uint64_t wanted = rest_ + cache_max_ + cache_max_ * waste_ / 100;
      resident_ = std::max(wanted, resident_ - resident_ / 256);
      highest_ = std::max(highest_, resident_);
      cache_max_ = governor_.next({resident_, cache_max_, cache_max_});
    }
  }

  void set_rest(std::uint64_t rest) { rest_ = rest; }
  std::uint64_t resident() const { return resident_; }
  std::uint64_t highest() const { return highest_; }
  std::uint64_t cache_max() const { return cache_max_; }

 private:
  MemoryGovernor governor_;
  std::uint64_t rest_;
  unsigned waste_;
  std::uint64_t cache_max_;
  std::uint64_t resident_ = 0;
  std::uint64_t highest_ = 0;
};

TEST_CASE("cache/memory_governor: a process settles just below its limit", "[cache]") {
  for (const std::uint64_t limit : {32 * kMiB, 256 * kMiB, 8192 * kMiB}) {
    for (const unsigned waste : {0U, 3U, 12U, 25U}) {
      CAPTURE(limit, waste);
      Process process(limit, 10 * kMiB, waste);
      process.run(300);
      CHECK(process.resident() >= limit / 100 * 95);
      CHECK(process.resident() <= limit);
      // Only what was not foreseen at all takes it above for a while.
      if (waste <= 12) CHECK(process.highest() <= limit);
    }
  }
}

TEST_CASE("cache/memory_governor: what the rest comes to need is taken from the cache", "[cache]") {
  Process process(256 * kMiB, 10 * kMiB, 5);
  process.run(300);
  const std::uint64_t before = process.cache_max();
  process.set_rest(40 * kMiB);
  process.run(300);
  CHECK(process.cache_max() < before - 25 * kMiB);
  CHECK(process.resident() <= 256 * kMiB);
  process.set_rest(10 * kMiB);
  process.run(300);
  CHECK(process.cache_max() > before - 5 * kMiB);
}

TEST_CASE("cache/memory_governor: whatever the rest takes, the cache keeps a quarter", "[cache]") {
  const MemoryGovernor governor(64 * kMiB);
  CHECK(governor.initial(500 * kMiB, kMiB) == 16 * kMiB);
  std::uint64_t max = 40 * kMiB;
  for (int i = 0; i < 1000; ++i) max = governor.next({500 * kMiB, max, max});
  CHECK(max == 16 * kMiB);
}

TEST_CASE("cache/memory_governor: a cache that is not full gets no more", "[cache]") {
  const MemoryGovernor governor(64 * kMiB);
  CHECK(governor.next({20 * kMiB, 10 * kMiB, 30 * kMiB}) == 30 * kMiB);
  CHECK(governor.next({20 * kMiB, 30 * kMiB, 30 * kMiB}) > 30 * kMiB);
  // Not readable: nothing is changed.
  CHECK(governor.next({0, 30 * kMiB, 30 * kMiB}) == 30 * kMiB);
}

}  // namespace
}  // namespace siskin::cache::test
