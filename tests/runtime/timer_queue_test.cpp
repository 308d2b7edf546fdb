#include "siskin/runtime/timer_queue.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace siskin;
using runtime::Timer;
using runtime::TimerQueue;

namespace {

Instant at(int milliseconds) {
  return Instant(std::chrono::milliseconds(milliseconds));
}

}  // namespace

TEST_CASE("runtime/timer_queue: timers run in order of deadline, none before its time",
          "[runtime]") {
  TimerQueue queue;
  std::string log;
  Timer c(queue, [&] { log += 'c'; });
  Timer a(queue, [&] { log += 'a'; });
  Timer b(queue, [&] { log += 'b'; });
  CHECK_FALSE(queue.next().has_value());
  c.arm(at(30));
  a.arm(at(10));
  b.arm(at(20));
  CHECK(queue.next() == at(10));

  queue.run_expired(at(9));
  CHECK(log.empty());
  queue.run_expired(at(20));
  CHECK(log == "ab");
  CHECK_FALSE(a.is_armed());
  CHECK(c.is_armed());
  CHECK(queue.next() == at(30));
  queue.run_expired(at(1000));
  CHECK(log == "abc");
  CHECK_FALSE(queue.next().has_value());
}

TEST_CASE("runtime/timer_queue: a timer can be moved, disarmed and used again", "[runtime]") {
  TimerQueue queue;
  int runs = 0;
  Timer timer(queue, [&] { ++runs; });
  timer.arm(at(10));
  timer.arm(at(20));
  CHECK(timer.deadline() == at(20));
  queue.run_expired(at(10));
  CHECK(runs == 0);
  timer.disarm();
  timer.disarm();
  queue.run_expired(at(20));
  CHECK(runs == 0);
  timer.arm(at(30));
  queue.run_expired(at(30));
  timer.arm(at(40));
  queue.run_expired(at(40));
  CHECK(runs == 2);
}

TEST_CASE("runtime/timer_queue: a timer that arms itself for now runs in the next call",
          "[runtime]") {
  TimerQueue queue;
  int runs = 0;
  Timer timer(queue, [&] {
    ++runs;
    timer.arm(at(10));
  });
  timer.arm(at(10));
  queue.run_expired(at(10));
  CHECK(runs == 1);
  CHECK(queue.next() == at(10));
  queue.run_expired(at(10));
  CHECK(runs == 2);
}

TEST_CASE("runtime/timer_queue: a callback may disarm and destroy due timers, itself included",
          "[runtime]") {
  TimerQueue queue;
  std::string log;
  auto gone = std::make_unique<Timer>(queue, [&] { log += "gone"; });
  Timer silenced(queue, [&] { log += "silenced"; });
  Timer moved(queue, [&] { log += "moved"; });
  std::unique_ptr<Timer> first;
  const std::string captured(100, 'x');
  first = std::make_unique<Timer>(queue, [&, captured] {
    gone.reset();
    silenced.disarm();
    moved.arm(at(50));
    first.reset();
    log += captured;  // the callback's own captures are still there
  });
  first->arm(at(1));
  gone->arm(at(2));
  silenced.arm(at(3));
  moved.arm(at(4));
  queue.run_expired(at(10));
  CHECK(log == captured);
  CHECK(first == nullptr);
  CHECK(queue.next() == at(50));
  queue.run_expired(at(50));
  CHECK(log == captured + "moved");
}

TEST_CASE("runtime/timer_queue: on_earlier tells when a timer became the first", "[runtime]") {
  TimerQueue queue;
  std::vector<Instant> firsts;
  queue.set_on_earlier([&] { firsts.push_back(*queue.next()); });
  Timer a(queue, [] {});
  Timer b(queue, [] {});
  a.arm(at(20));
  b.arm(at(30));
  b.arm(at(10));
  b.arm(at(40));
  CHECK(firsts == std::vector{at(20), at(10)});
  a.disarm();
  CHECK(queue.next() == at(40));
}

TEST_CASE("runtime/timer_queue: timers may outlive their queue", "[runtime]") {
  auto queue = std::make_unique<TimerQueue>();
  Timer timer(*queue, [] {});
  timer.arm(at(1));
  queue.reset();
  CHECK_FALSE(timer.is_armed());
}

TEST_CASE("runtime/timer_queue: it behaves as a sorted map under random use", "[runtime]") {
  TimerQueue queue;
  std::mt19937 random(7);  // NOLINT: the same every run on purpose
  std::vector<int> ran;
  std::vector<std::unique_ptr<Timer>> timers;
  std::map<int, int> model;  // timer -> deadline
  for (int i = 0; i < 50; ++i) {
    timers.push_back(std::make_unique<Timer>(queue, [&ran, i] { ran.push_back(i); }));
  }
  int now = 0;
  for (int step = 0; step < 5000; ++step) {
    const int i = static_cast<int>(random() % 50);
    switch (random() % 4) {
      case 0:
      case 1:
        model[i] = now + static_cast<int>(random() % 100);
        timers[static_cast<std::size_t>(i)]->arm(at(model[i]));
        break;
      case 2:
        model.erase(i);
        timers[static_cast<std::size_t>(i)]->disarm();
        break;
      default: {
        now += static_cast<int>(random() % 20);
        ran.clear();
        queue.run_expired(at(now));
        std::multimap<int, int> expected;
        for (const auto& [timer, deadline] : model) {
          if (deadline <= now) expected.emplace(deadline, timer);
        }
        REQUIRE(ran.size() == expected.size());
        int last = 0;
        for (const int timer : ran) {
          REQUIRE(model.at(timer) <= now);
          REQUIRE(model.at(timer) >= last);
          last = model.at(timer);
        }
        for (const int timer : ran) model.erase(timer);
      }
    }
  }
}
