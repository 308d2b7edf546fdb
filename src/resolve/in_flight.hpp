/// How many questions are in flight, by zone or by server, and whether there may be one more.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "siskin/base/time.hpp"

namespace siskin::resolve {

/// There is room while those in flight are fewer than `max`, or than the replies of this second and
/// the one before.  Who answers within a second never has more in flight than he answers in a
/// second (Little's law), so the limit only meets those who do not answer; and as many as they do
/// answer are still asked.
///
/// Threads: one core.  Memory: what is in flight, and nothing else.
class InFlight {
 public:
  using Id = std::uint64_t;  ///< a keyed hash: zones and servers are chosen by strangers

  explicit InFlight(std::uint32_t max) noexcept : max_(max) {}

  std::uint32_t max() const noexcept { return max_; }
  /// None has reached the limit: whoever would have to work out an Id need not.
  bool has_room_for_all() const noexcept { return total_ < max_; }
  bool has_room(Id id, Instant now) const;

  void begin(Id id);
  void replied(Id id, Instant now);  ///< between begin() and end()
  void end(Id id);
  /// Whether somebody was answered after `then`; between begin() and end().
  bool has_replied_since(Id id, Instant then) const;

  std::uint32_t count(Id id) const;
  std::size_t total() const noexcept { return total_; }

 private:
  struct Flow {
    std::uint32_t in_flight = 0;
    std::uint32_t replies = 0;         ///< in the second that began at `since`
    std::uint32_t replies_before = 0;  ///< in the one before
    Instant since{};
    Instant last_reply{};
  };

  std::unordered_map<Id, Flow> flows_;
  std::size_t total_ = 0;
  std::uint32_t max_;
};

}  // namespace siskin::resolve
