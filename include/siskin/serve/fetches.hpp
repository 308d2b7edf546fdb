/// One fetch for many askers of the same question, in the whole process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "siskin/base/siphash.hpp"
#include "siskin/runtime/timer_queue.hpp"
#include "siskin/serve/questioner.hpp"

namespace siskin::serve {

using SharedOutcome = std::shared_ptr<const resolve::Outcome>;

/// Called once, on the core that asked.
using OnOutcome = std::function<void(SharedOutcome)>;

/// The questions in flight that one core owns, and the coroutines that resolve them.
/// Questions are equal when name (letter case ignored), type, CD and subnet are.  Of those that
/// differ in the subnet alone few are in flight at a time (src/serve/fetch_group.hpp); the others
/// wait. Threads:  its core only; all calls, and the executor's, come from there. Lifetime: may go
/// while coroutines are in flight: their askers are then never called.  The
///           questioner must live until its tasks have ended or the executor is gone.
/// Errors:   none; a limit that was hit is a SERVFAIL whose EDE text names it.
class Fetches {
 public:
  struct Options {
    std::size_t fetches_max = 4096;  ///< names and types in flight; beyond: SERVFAIL at once
    std::size_t waiters_max = 1024;  ///< askers of one name and type; beyond: SERVFAIL at once
    HashKey hash_key;                ///< clients choose the keys of the table
  };

  /// When answers that have expired are given (RFC 8767 §5).  What it refers to outlives Fetches.
  struct Stale {
    const runtime::Clock& clock;
    runtime::TimerQueue& timers;
    /// A fetch that takes longer goes on, but its askers need not wait for it; 0: not at all.
    Duration client_wait = std::chrono::milliseconds(1800);
    /// After a fetch that failed, so long nothing is asked.
    Duration recheck = std::chrono::seconds(30);
  };

  /// Without `stale`, nothing that has expired is given.
  Fetches(Questioner& questioner, const runtime::Executor& executor, const Options& options,
          const std::optional<Stale>& stale = std::nullopt);
  Fetches(const Fetches&) = delete;
  Fetches& operator=(const Fetches&) = delete;

  /// Joins the fetch for `question`, or begins it.  `on_outcome` may be called before this returns.
  /// An asker called at the end of a fetch may join again: that begins a new one.
  void join(const resolve::Question& question, OnOutcome on_outcome);

  /// Begins a fetch that nobody waits for, unless the same is in flight or half of those that may
  /// be are.
  void renew(const resolve::Question& question);

  std::size_t in_flight() const noexcept;  ///< those that wait for their turn included

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  ///< coroutines hold it weakly
};

/// All cores as serve sees them: who owns a question, and how to get work there.
class Crew {
 public:
  virtual ~Crew() = default;
  virtual unsigned size() const noexcept = 0;
  /// Runs `work` on that core's thread soon; at once or later when it is the caller's own.
  virtual void post(unsigned core, std::function<void()> work) = 0;
  /// To be used on that core only.
  virtual Fetches& fetches(unsigned core) noexcept = 0;
};

}  // namespace siskin::serve
