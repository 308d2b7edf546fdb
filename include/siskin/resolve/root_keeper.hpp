/// Keeps a copy of the root zone, so that the root servers need not be asked (RFC 8806).
///
/// Threads:  one core.  The copies it publishes are immutable and may go anywhere.
/// Lifetime: everything in Context outlives the keeper; the keeper outlives its task, which ends
///           soon after stop(), or with the loop.
/// Errors:   there are none: whatever goes wrong, there is no copy or the one before, and a line in
///           the log.
/// RFC:      1034 §4.3.5 (refresh, retry, expire), 1982 (serials), 5936 (AXFR), 8806, 8976.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/runtime/timer_queue.hpp"
#include "siskin/runtime/transfer.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::resolve {

class RootZone;

/// The zone is fetched at once and then, when a server's SOA has a newer serial, again; the SOA is
/// asked for as often as the zone's own timers say.  Servers take turns: from a random one on, and
/// from one that failed to the next.  While there is no copy, rounds of all servers are ten seconds
/// apart at first and up to an hour later.  A zone that is not confirmed until its EXPIRE is given
/// up.
class RootKeeper {
 public:
  struct Context {
    runtime::Upstream& upstream;
    runtime::Transfer& transfer;
    const runtime::Clock& clock;
    runtime::Random& random;
    runtime::TimerQueue& timers;
  };
  /// Null: there is none any more.
  using Publish = std::function<void(std::shared_ptr<const RootZone>)>;

  /// REQUIRES: there are servers.
  RootKeeper(const Context& context, std::vector<Endpoint> servers, Publish publish);
  ~RootKeeper();

  void start(const runtime::Executor& executor);
  /// Begins nothing any more and calls what is under way back; publishes nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::resolve
