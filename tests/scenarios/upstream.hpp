/// The resolver's way to servers that say only what a scenario wrote down.
///
/// An exchange stays pending until somebody answers or fails it, or its own deadline comes.  Who
/// that is, and when, is the player's business.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/compare.hpp"
#include "scenarios/setup.hpp"
#include "sim/virtual_time.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::scenarios {

class ScriptUpstream final : public runtime::Upstream {
 public:
  using Bytes = std::vector<std::uint8_t>;

  /// One exchange under way.
  struct Pending {
    IpAddress server;
    Received query;
    Instant deadline;
    bool is_dealt_with = false;  ///< answered, or silent on purpose
    std::string note;            ///< how it ended, for the log
  };

  /// `time` and `stubs` outlive it.
  ScriptUpstream(sim::VirtualTime& time, const std::vector<StubZone>& stubs)
      : time_(time), stubs_(stubs) {}

  runtime::Task<Result<Bytes>> exchange(const Endpoint& server, runtime::Transport transport,
                                        std::span<const std::uint8_t> query,
                                        runtime::ReplyFilter& filter, Instant deadline,
                                        runtime::Recall& recall) override;

  /// Those under way, newest first.
  std::vector<Pending*> pending() const;

  /// Delivers a message; the resolver takes or ignores it.  It resumes with the next run of time.
  void answer(Pending& pending, const Bytes& message, std::string note);
  void fail(Pending& pending, Errc how, std::string note);
  /// Whoever is asked says nothing until the deadline.
  void keep_silent(Pending& pending, std::string note);

  /// One line an exchange, from the beginning.
  const std::vector<std::string>& log() const noexcept { return log_; }
  /// Exchanges that ended at their deadline although no scenario said so, as lines.
  const std::vector<std::string>& unanswered() const noexcept { return unanswered_; }

 private:
  struct Exchange;

  void end(Exchange& exchange, Result<Bytes> result);
  bool answer_stub(Exchange& exchange);
  std::string describe(const Pending& pending) const;

  sim::VirtualTime& time_;
  const std::vector<StubZone>& stubs_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;  ///< under way, oldest first
  std::vector<std::string> log_;
  std::vector<std::string> unanswered_;
};

/// `entry` as the answer to `query`: ID, and the letter case of a name that is equal, are the
/// query's; what ADJUST says is done.
std::vector<std::uint8_t> canned_answer(const Entry& entry, const Message& query);

}  // namespace siskin::scenarios
