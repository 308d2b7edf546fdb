#include "siskin/runtime/task.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "siskin/base/result.hpp"
#include "support/catch.hpp"

using namespace siskin;
using runtime::OneShot;
using runtime::Task;
namespace asio = boost::asio;

namespace {

template <class T>
Task<void> take_into(OneShot<T>& shot, std::optional<T>& out) {
  out = co_await shot.wait();
}

void fail_on_exception(std::exception_ptr e) {
  CHECK_FALSE(static_cast<bool>(e));
}

}  // namespace

TEST_CASE("runtime/task: a value completed before the wait is there at once", "[runtime]") {
  asio::io_context io;
  OneShot<int> shot;
  std::optional<int> got;
  shot.complete(7);
  CHECK(shot.is_complete());
  asio::co_spawn(io, take_into(shot, got), fail_on_exception);
  io.run();
  CHECK(got == 7);
}

TEST_CASE("runtime/task: a value completed after the wait resumes the waiter before it returns",
          "[runtime]") {
  asio::io_context io;
  OneShot<std::string> shot;
  std::optional<std::string> got;
  asio::co_spawn(io, take_into(shot, got), fail_on_exception);
  io.poll();
  CHECK_FALSE(got.has_value());
  shot.complete("late");
  CHECK(got == "late");
}

TEST_CASE("runtime/task: only the first completion counts", "[runtime]") {
  asio::io_context io;
  OneShot<int> early;
  OneShot<int> late;
  std::optional<int> got_early;
  std::optional<int> got_late;
  early.complete(1);
  early.complete(2);
  asio::co_spawn(io, take_into(early, got_early), fail_on_exception);
  asio::co_spawn(io, take_into(late, got_late), fail_on_exception);
  io.poll();
  late.complete(3);
  late.complete(4);
  CHECK(got_early == 1);
  CHECK(got_late == 3);
}

TEST_CASE("runtime/task: values that can only be moved, and results, travel whole", "[runtime]") {
  asio::io_context io;
  OneShot<std::unique_ptr<int>> moved;
  OneShot<Result<std::vector<int>>> result;
  std::optional<std::unique_ptr<int>> got_moved;
  std::optional<Result<std::vector<int>>> got_result;
  asio::co_spawn(io, take_into(moved, got_moved), fail_on_exception);
  asio::co_spawn(io, take_into(result, got_result), fail_on_exception);
  io.poll();
  moved.complete(std::make_unique<int>(5));
  result.complete(std::vector{1, 2, 3});
  REQUIRE(got_moved.has_value());
  CHECK(**got_moved == 5);
  REQUIRE(got_result.has_value());
  CHECK(got_result->value() == std::vector{1, 2, 3});
}

TEST_CASE("runtime/task: the waiter may destroy the OneShot it waited for", "[runtime]") {
  asio::io_context io;
  auto shot = std::make_unique<OneShot<int>>();
  std::optional<int> got;
  asio::co_spawn(io, take_into(*shot, got), [&](std::exception_ptr) {
    shot.reset();
  });  // runs within complete() or soon after
  io.poll();
  shot->complete(1);
  io.restart();
  io.poll();
  CHECK(got == 1);
  CHECK(shot == nullptr);
}

TEST_CASE("runtime/task: a waiter whose OneShot never completes is destroyed with it",
          "[runtime]") {
  asio::io_context io;
  auto witness = std::make_shared<int>(1);
  const auto wait = [](std::unique_ptr<OneShot<int>> shot, std::shared_ptr<int>) -> Task<void> {
    co_await shot->wait();
  };
  auto owned = std::make_unique<OneShot<int>>();
  OneShot<int>& outer = *owned;
  {
    OneShot<int> doomed;
    const auto hold = [](OneShot<int>& shot, std::shared_ptr<int>) -> Task<void> {
      co_await shot.wait();
    };
    asio::co_spawn(io, hold(doomed, witness), asio::detached);
    io.poll();
    CHECK(witness.use_count() == 2);
  }
  io.restart();
  io.poll();
  CHECK(witness.use_count() == 1);

  asio::co_spawn(io, wait(std::move(owned), witness), asio::detached);
  io.restart();
  io.poll();
  outer.complete(1);
  io.restart();
  io.poll();
  CHECK(witness.use_count() == 1);
}
