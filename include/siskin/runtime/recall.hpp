/// Ending an exchange before its time.
#pragma once

#include <functional>
#include <utility>

namespace siskin::runtime {

/// Whoever begins an exchange holds one and may give it; the exchange listens while it is under way
/// and then ends with Errc::closed.  Serves one exchange at a time.
/// Threads:  one core.
/// Lifetime: outlives the exchange.
class Recall {
 public:
  Recall() = default;
  Recall(const Recall&) = delete;
  Recall& operator=(const Recall&) = delete;

  bool is_given() const noexcept { return is_given_; }

  /// May resume the exchange's coroutine before it returns.  Only the first time counts, and
  /// nothing is to be begun with a recall that is given.
  void give() {
    is_given_ = true;
    if (const auto listener = std::exchange(listener_, nullptr)) listener();
  }

  /// The exchange's side: `on_recall` is called at most once, and not after the listener's end.
  class Listener {
   public:
    Listener(Recall& recall, std::function<void()> on_recall) : recall_(recall) {
      recall_.listener_ = std::move(on_recall);
    }
    ~Listener() { recall_.listener_ = nullptr; }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

   private:
    Recall& recall_;
  };

 private:
  bool is_given_ = false;
  std::function<void()> listener_;
};

}  // namespace siskin::runtime
