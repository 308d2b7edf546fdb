/// Look-ups made ready for a batch of queries, so that the batch waits for memory once.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "siskin/cache/cache.hpp"

namespace siskin::serve {

/// One batch at a time; a query is known again by where it lies.
class Hints {
 public:
  static constexpr std::size_t kQueriesMax = 64;  ///< those beyond get no hint

  void make(const cache::Cache& cache, std::span<const wire::Bytes> queries) noexcept;

  /// What make() learnt of `message`; nothing when it was not among its queries, or out of order.
  std::optional<cache::Cache::Hint> take(wire::Bytes message) noexcept;

 private:
  struct Item {
    const std::uint8_t* message = nullptr;
    std::optional<cache::Cache::Hint> hint;
  };

  std::array<Item, kQueriesMax> items_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace siskin::serve
