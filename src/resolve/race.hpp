/// The same question to several servers of a zone, each begun when the one before is late.
#pragma once

#include <list>

#include "resolve/server_asker.hpp"

namespace siskin::resolve {

/// Knows nothing of which server is next: whoever holds the race starts them, and hears of each end
/// and of lateness.
/// Threads:  one core.
/// Lifetime: not to end while somebody runs: see end().  What the constructor is given outlives it.
class Race {
 public:
  static constexpr std::size_t kRunnersMax = 2;

  struct Finish {
    IpAddress server;
    Attempt attempt;
  };

  Race(Core& core, ServerAsker& asker, runtime::Executor executor, Query& query,
       const Asked& asked);
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  bool is_empty() const noexcept { return runners_.empty(); }
  bool has_room() const noexcept { return runners_.size() < kRunnersMax; }

  void start(const IpAddress& server);
  /// The next end, or nothing when whoever was asked last is late.  Not of an empty race.
  runtime::Task<std::optional<Finish>> next();
  /// Whoever still runs is recalled; what comes of it is forgotten.
  runtime::Task<void> end();

 private:
  struct Runner {
    IpAddress server;
    Leash leash;
    std::optional<Attempt> attempt;  ///< has ended
  };

  static runtime::Task<void> run(Race* race, Runner* runner);
  std::optional<Finish> take_finished();
  bool has_finished() const;
  runtime::Task<void> news();
  void tell();

  Core& core_;
  ServerAsker& asker_;
  runtime::Executor executor_;
  Query& query_;
  const Asked& asked_;
  std::list<Runner> runners_;  ///< their addresses stay
  runtime::Timer lateness_;
  bool is_late_ = false;
  std::optional<runtime::OneShot<bool>> signal_;  ///< while next() or end() waits
};

}  // namespace siskin::resolve
