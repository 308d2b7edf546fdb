/// How long to remember that a question failed (RFC 9520 §3.2).
#pragma once

#include <list>
#include <map>
#include <utility>

#include "siskin/base/time.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::resolve {

/// Five seconds, and twice as long with each failure in a row up to half a minute: RFC 9520 allows
/// five, but a line that is whole again is to be found so soon (faults B61, B125).  In a row: not
/// more than ten minutes after the one before was forgotten, and without an answer in between.
/// Bounded: of too many questions those that failed longest ago begin anew.
/// Threads: one core.
class Failures {
 public:
  static constexpr std::uint32_t kFirst = 5;     ///< seconds
  static constexpr std::uint32_t kLongest = 30;  ///< seconds
  static constexpr std::uint32_t kForgotten = 600;
  static constexpr std::size_t kQuestionsMax = 4096;

  /// Counts one more, and says for how many seconds it is to be remembered.
  std::uint32_t failed(const wire::Name& name, wire::RRType type, Instant now);
  void answered(const wire::Name& name, wire::RRType type);
  std::size_t size() const noexcept { return order_.size(); }

 private:
  using Key = std::pair<wire::RRType, wire::Name>;  ///< names compare in any letter case
  struct Failure {
    Key key;
    std::uint32_t seconds = 0;
    std::uint32_t until = 0;
  };
  using Order = std::list<Failure>;  ///< the last one in front

  Order order_;
  std::map<Key, Order::iterator> by_key_;  ///< ordered: clients choose the names
};

}  // namespace siskin::resolve
