/// Whom to ask next.
#pragma once

#include <optional>
#include <ranges>
#include <vector>

#include "resolve/core.hpp"

namespace siskin::resolve {

/// The addresses of a zone's servers in the order in which to ask them: a plain decision maker.
/// First those not asked yet that are alive, quickest first; then those that timed out, again;
/// dead ones last, and once if they were dead before.  Among equals, those of a family that rests
/// come last.
class Candidates {
 public:
  explicit Candidates(unsigned tries_max) : tries_max_(tries_max) {}

  void add(const IpAddress& address);
  /// One never asked and alive.
  std::optional<IpAddress> fresh(Core& core);
  /// One that timed out and may be asked again, or a dead one not asked yet.
  std::optional<IpAddress> again(Core& core);
  /// One alive that is not being asked, to be asked beside those that are: never asked if there is
  /// one, and of the other family where theirs does not seem to work.
  std::optional<IpAddress> rival(Core& core, bool may_ask_again);
  void asked(const IpAddress& address, bool is_dead);
  /// It has answered or not, and is not being asked any more.
  void ended(const IpAddress& address);
  /// Not to be asked again: it answered, uselessly.
  void exclude(const IpAddress& address);
  bool empty() const noexcept { return candidates_.empty(); }
  auto addresses() const { return candidates_ | std::views::transform(&Candidate::address); }
  std::size_t size() const noexcept { return candidates_.size(); }
  /// One that was passed over because too many questions are in flight there.
  const std::optional<IpAddress>& crowded() const noexcept { return crowded_; }

 private:
  struct Candidate {
    IpAddress address;
    unsigned tries = 0;
    bool excluded = false;
    bool was_dead = false;  ///< when it was asked
    bool is_running = false;
  };

  template <class Suitable>
  std::optional<IpAddress> best(Core& core, Suitable suitable);
  bool is_doubtful(Core& core, Family family) const;
  Candidate* find(const IpAddress& address);

  std::vector<Candidate> candidates_;
  std::optional<IpAddress> crowded_;
  unsigned tries_max_;
};

}  // namespace siskin::resolve
