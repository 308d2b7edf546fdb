/// Keeps trust anchors up to date (RFC 5011) and takes negative ones back (RFC 7646): two tasks
/// that ask now and then what the zones say, and tell what is to be trusted from now on.
///
/// Threads:  one core; what they are told by and tell may be on others.
/// Lifetime: everything in a Context outlives the keeper; the keeper outlives its task, which ends
///           soon after stop() once the question on its way is answered.
/// Errors:   there are none: what goes wrong is in the log, and all stays as it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "siskin/dnssec/rollover.hpp"
#include "siskin/resolve/resolver.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::resolve {

/// Looks at each zone's DNSKEY set at once, and then as often as RFC 5011 §2.3 says.
class AnchorKeeper {
 public:
  struct Context {
    /// As Resolver::resolve().
    std::function<runtime::Task<Outcome>(Question)> resolve;
    dnssec::Verifier& verifier;
    const runtime::Clock& clock;
    const runtime::WallClock& wall_clock;
    runtime::TimerQueue& timers;
  };
  /// Called after each change of a key's state with all points; they are the keeper's.
  using Changed = std::function<void(std::span<const dnssec::TrustPoint>)>;

  AnchorKeeper(Context context, std::vector<dnssec::TrustPoint> points, Changed changed);
  ~AnchorKeeper();

  std::span<const dnssec::TrustPoint> points() const noexcept;

  void start(const runtime::Executor& executor);
  /// Begins nothing any more and tells nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A zone whose signatures are known to be broken, perhaps for a time only.
struct NegativeAnchor {
  wire::Name zone;
  std::optional<WallTime> until;  ///< nothing: until the operator takes it out
};

/// Zones of those that are in force.
std::vector<wire::Name> in_force(std::span<const NegativeAnchor> anchors, WallTime now);

/// Takes a negative anchor that has an end back at its end, or before that when the zone can be
/// validated again; every five minutes it is looked whether that is so.
class NegativeAnchorKeeper {
 public:
  struct Context {
    /// As Resolver::would_answer().
    std::function<runtime::Task<bool>(wire::Name)> would_answer;
    const runtime::Clock& clock;
    const runtime::WallClock& wall_clock;
    runtime::TimerQueue& timers;
  };
  /// Called after each change with the zones of those that are in force.
  using Changed = std::function<void(std::vector<wire::Name>)>;

  NegativeAnchorKeeper(Context context, std::vector<NegativeAnchor> anchors, Changed changed);
  ~NegativeAnchorKeeper();

  void start(const runtime::Executor& executor);
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::resolve
