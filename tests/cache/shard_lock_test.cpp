#include "cache/shard_lock.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

constexpr int kRounds = 20'000;

TEST_CASE("cache/shard_lock: readers see all of a writer's change or nothing of it", "[cache]") {
  ShardLock lock;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::atomic<int> torn = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const auto hold = lock.write();
        ++first;
        ++second;
      }
    });
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const auto hold = lock.read();
        if (first != second) ++torn;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(torn == 0);
  CHECK(first == 2 * kRounds);
  CHECK(second == 2 * kRounds);
}

TEST_CASE("cache/shard_lock: readers do not exclude each other", "[cache]") {
  ShardLock lock;
  const auto mine = lock.read();
  std::atomic<bool> has_come = false;
  std::thread([&] {
    const auto theirs = lock.read();
    has_come = true;
  }).join();
  CHECK(has_come);
}

TEST_CASE("cache/shard_lock: a writer waits for the reader that is there", "[cache]") {
  ShardLock lock;
  std::atomic<bool> has_left = false;
  std::atomic<bool> came_early = false;
  std::thread writer;
  {
    const auto hold = lock.read();
    writer = std::thread([&] {
      const auto alone = lock.write();
      came_early = !has_left;
    });
    // Time enough for a writer that would not wait; one that does is right however long this is.
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    has_left = true;
  }
  writer.join();
  CHECK_FALSE(came_early);
}

}  // namespace
}  // namespace siskin::cache::test
