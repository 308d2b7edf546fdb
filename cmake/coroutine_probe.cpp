// Exit 0 when temporaries inside a co_await statement are destroyed exactly once.
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace {

int live = 0;

struct Counted {
  Counted() { ++live; }
  Counted(const Counted&) { ++live; }
  Counted(Counted&&) noexcept { ++live; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --live; }
};

struct Request {
  Counted counted;
  std::string text;
};

struct Task {
  struct promise_type {
    Task get_return_object() {
      return Task{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

struct Awaiter {
  std::coroutine_handle<>* slot;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) const noexcept { *slot = h; }
  void await_resume() const noexcept {}
};

Awaiter take(Request, std::coroutine_handle<>* slot) {
  return Awaiter{slot};
}

Awaiter call(std::function<void()> f, std::coroutine_handle<>* slot) {
  f();
  return Awaiter{slot};
}

Task run(std::coroutine_handle<>* slot) {
  auto shared = std::make_shared<Counted>();
  Counted kept;
  co_await take(Request{kept, std::string(100, 'x')}, slot);
  co_await call([shared, kept] {}, slot);
}

}  // namespace

int main() {
  std::coroutine_handle<> slot;
  Task task = run(&slot);
  while (!task.handle.done()) slot.resume();
  task.handle.destroy();
  return live == 0 ? 0 : 1;
}
