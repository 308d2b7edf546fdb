#include "scenarios/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "scenarios/report.hpp"
#include "scenarios/rig.hpp"

namespace siskin::scenarios {
namespace {

constexpr unsigned kRoundsMax = 5000;

class Player {
 public:
  Player(const Scenario& scenario, const Setup& setup, const PlayOptions& options)
      : scenario_(scenario), options_(options), client_(setup.client), rig_(setup, options.seed) {}

  Outcome run() {
    unsigned rounds = 0;
    while (failure_.empty() && next_ < scenario_.steps.size()) {
      if (++rounds > kRoundsMax) {
        fail("more than 5000 rounds", "");
        break;
      }
      rig_.time().run_for(Duration{});
      round();
    }
    if (failure_.empty()) check_end();
    Outcome outcome;
    outcome.has_passed = failure_.empty();
    outcome.failure = std::move(failure_);
    for (const std::string& line : rig_.upstream().unanswered()) {
      outcome.notes.push_back("no range answers: " + line);
    }
    return outcome;
  }

 private:
  using Pending = ScriptUpstream::Pending;

  const Step& step() const { return scenario_.steps[next_]; }
  /// The step that selects ranges: behind the last one, still the last.
  unsigned number() const {
    return scenario_.steps[std::min(next_, scenario_.steps.size() - 1)].number;
  }

  void round() {
    if (step().type == StepType::check_out_query && check_out_query()) return;
    if (step().type == StepType::check_answer && !rig_.answers().empty()) return check_answer();
    if (answer_one()) return;
    carry_out();
  }

  bool check_out_query() {
    const Entry& entry = *step().entry;
    for (Pending* pending : rig_.upstream().pending()) {
      if (pending->is_dealt_with || mismatch(pending->query, entry)) continue;
      if (step().address && *step().address != pending->server) continue;
      if (entry.adjust.copy_id) answer(*pending, entry);
      ++next_;
      return true;
    }
    return false;
  }

  void check_answer() {
    auto& answers = rig_.answers();
    std::string why;
    for (auto at = answers.begin(); at != answers.end(); ++at) {
      if (at->client != step().address.value_or(at->client)) continue;
      const auto difference = mismatch(at->received, *step().entry, tolerance());
      if (!difference) {
        answers.erase(at);
        ++next_;
        return;
      }
      if (why.empty()) {
        why = *difference;
        shown_ = to_lines(at->received.message);
      }
    }
    if (why.empty()) return fail("no answer came to that client", "");
    fail(why, side_by_side(to_lines(step().entry->message), shown_));
  }

  /// Answers the newest query that some range has an entry for.
  bool answer_one() {
    for (Pending* pending : rig_.upstream().pending()) {
      if (pending->is_dealt_with) continue;
      const Entry* entry = find_entry(*pending);
      if (entry == nullptr) continue;
      answer(*pending, *entry);
      return true;
    }
    return false;
  }

  const Entry* find_entry(const Pending& pending) const {
    for (const Range& range : std::views::reverse(scenario_.ranges)) {
      if (number() < range.first || number() > range.last) continue;
      const auto& addresses = range.addresses;
      if (!addresses.empty() && std::ranges::find(addresses, pending.server) == addresses.end()) {
        continue;
      }
      for (const Entry& entry : range.entries) {
        if (!mismatch(pending.query, entry)) return &entry;
      }
    }
    return nullptr;
  }

  void answer(Pending& pending, const Entry& entry) {
    std::string note = fmt::format("entry of line {}", entry.line);
    if (entry.adjust.do_not_answer) return rig_.upstream().keep_silent(pending, std::move(note));
    rig_.upstream().answer(pending, canned_answer(entry, pending.query.message), std::move(note));
  }

  void carry_out() {
    switch (step().type) {
      case StepType::query: return query();
      case StepType::check_answer: return wait("no answer came");
      case StepType::check_out_query: return wait("the resolver did not ask this");
      case StepType::reply: return reply();
      case StepType::timeout: return time_out();
      case StepType::error: return end_newest(Errc::unreachable);
      case StepType::time_passes: return pass_time();
      case StepType::flush_message:
        rig_.cache().remove(step().question->name, step().question->type);
        rig_.cache().remove(step().question->name, cache::kNameSlot);
        break;
      case StepType::nothing:
      case StepType::traffic: break;
    }
    ++next_;
  }

  void query() {
    const Step& current = step();
    ++next_;  // ranges are chosen by what comes next
    const Entry& entry = *current.entry;
    rig_.ask(entry.raw ? *entry.raw : encode(entry.message),
             entry.match.transport.value_or(runtime::Transport::udp),
             current.address.value_or(client_));
  }

  /// Lets servers be silent until their time is up; fails the step when nobody waits any more.
  void wait(const std::string& trouble) {
    const auto deadline = rig_.time().timers().next();
    if (!rig_.is_busy() || !deadline) {
      return fail(trouble, indented(to_lines(step().entry->message)));
    }
    waited_ += *deadline - rig_.time().now();
    rig_.time().run_for(*deadline - rig_.time().now());
  }

  Pending* newest() {
    const auto pending = rig_.upstream().pending();
    if (!pending.empty()) return pending.front();
    fail("no query to a server is pending", "");
    return nullptr;
  }

  void reply() {
    Pending* pending = newest();
    if (pending == nullptr) return;
    answer(*pending, *step().entry);
    ++next_;
  }

  void end_newest(Errc how) {
    Pending* pending = newest();
    if (pending == nullptr) return;
    rig_.upstream().fail(*pending, how, "as the step says");
    ++next_;
  }

  /// The resolver waits as long as it likes to.
  void time_out() {
    Pending* pending = newest();
    if (pending == nullptr) return;
    rig_.upstream().keep_silent(*pending, "timeout, as the step says");
    const Duration rest = pending->deadline - rig_.time().now();
    ++next_;
    waited_ += rest;
    rig_.time().run_for(rest);
  }

  void pass_time() {
    const Instant end = rig_.time().now() + step().elapse;
    for (;;) {
      rig_.time().run_for(Duration{});
      if (answer_one()) continue;
      const auto timer = rig_.time().timers().next();
      if (!timer || *timer > end) break;
      rig_.time().run_for(std::max(*timer - rig_.time().now(), Duration{}));
    }
    rig_.time().run_for(end - rig_.time().now());
    ++next_;
  }

  void check_end() {
    rig_.time().run_for(Duration{});
    while (answer_one()) rig_.time().run_for(Duration{});
    if (!rig_.answers().empty()) {
      next_ = scenario_.steps.size() - 1;
      return fail("an answer is left that no step checks",
                  indented(to_lines(rig_.answers().front().received.message)));
    }
    if (options_.is_strict && !rig_.upstream().unanswered().empty()) {
      next_ = scenario_.steps.size() - 1;
      fail("a server was asked what no range answers", indented(rig_.upstream().unanswered()));
    }
  }

  /// Time that only we let pass.
  Tolerance tolerance() const {
    if (waited_ == Duration{}) return {};
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(waited_).count();
    return {static_cast<std::uint32_t>(seconds)};
  }

  void fail(const std::string& what, const std::string& shown) {
    const Step& at = step();
    failure_ = fmt::format("{}:{}: step {} {}: {}\n{}", scenario_.path, at.line, at.number,
                           to_string(at.type), what, shown);
    std::vector<std::string> asked = rig_.upstream().log();
    for (const Pending* pending : rig_.upstream().pending()) {
      asked.push_back(fmt::format("{} {}: pending", pending->server.to_text(),
                                  to_line(pending->query.message.questions.front())));
    }
    failure_ += "  servers were asked\n" + indented(asked);
  }

  const Scenario& scenario_;
  PlayOptions options_;
  IpAddress client_;  ///< where a step names none
  Rig rig_;
  std::size_t next_ = 0;  ///< the step to be carried out
  Duration waited_{};
  std::vector<std::string> shown_;
  std::string failure_;
};

}  // namespace

Outcome play(const Scenario& scenario, const Setup& setup, const PlayOptions& options) {
  if (scenario.steps.empty()) return {true, "", {"it has no steps"}};
  return Player(scenario, setup, options).run();
}

}  // namespace siskin::scenarios
