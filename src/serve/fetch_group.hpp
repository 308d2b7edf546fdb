/// The askers of one question, by the client subnet that they ask for.
#pragma once

#include <optional>
#include <vector>

#include "siskin/serve/fetches.hpp"

namespace siskin::serve {

/// Plain bookkeeping: says which fetches may begin, and whom an outcome is for.
///
///   group: a name and type     running fetches <= limit
///     fetch: a subnet            running, or waiting for its turn
///       askers
///
/// Each query in flight for one name is a chance more to hit with a forged reply (RFC 7871 §11.2,
/// fault A3).  So one fetch goes first, and most of the time its outcome is for everybody; only
/// where it is tailored do others begin, at most kTailoredMax at a time.
class FetchGroup {
 public:
  static constexpr unsigned kTailoredMax = 8;

  explicit FetchGroup(const resolve::Question& question) : question_(question) {}

  const resolve::Question& question() const noexcept { return question_; }

  /// True: it is a new fetch.  `on_outcome` may be empty: nobody waits for it.
  bool add(const std::optional<Network>& subnet, OnOutcome on_outcome);

  /// The question of a fetch that may begin, which counts as running from now on.
  std::optional<resolve::Question> begin_next();

  /// The fetch for `subnet` has ended.  The askers whom the outcome is for: its own, and where it
  /// holds for everybody those that wait.
  std::vector<OnOutcome> end(const std::optional<Network>& subnet, const resolve::Outcome& outcome);

  /// Those who need not wait any longer: `find` has something for their subnet.
  using Find = std::function<SharedOutcome(const std::optional<Network>&)>;
  std::vector<std::pair<OnOutcome, SharedOutcome>> release(const Find& find);

  std::size_t askers() const noexcept;
  std::size_t size() const noexcept { return fetches_.size(); }  ///< running and waiting
  unsigned running() const noexcept { return running_; }

 private:
  struct Fetch {
    std::optional<Network> subnet;
    bool is_running = false;
    std::vector<OnOutcome> askers;
  };

  resolve::Question question_;
  std::vector<Fetch> fetches_;  ///< in order of arrival
  unsigned running_ = 0;
  bool is_tailored_ = false;
};

}  // namespace siskin::serve
