/// A resolver's core on one thread, with a network that plays a script.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <exception>
#include <functional>

#include "resolve/core.hpp"
#include "resolve/samples.hpp"
#include "siskin/wire/query.hpp"

namespace siskin::resolve::test {

class ManualClock final : public runtime::Clock {
 public:
  Instant now() const noexcept override { return now_; }
  void set(Instant now) { now_ = now; }
  void advance(Duration by) { now_ += by; }

 private:
  Instant now_ = at_second(1000);
};

class SeededRandom final : public runtime::Random {
 public:
  void fill(std::span<std::uint8_t> out) noexcept override {
    for (std::uint8_t& octet : out) octet = draw_.octet();
  }

 private:
  Draw draw_{7};
};

/// One exchange as the network saw it.
struct Seen {
  Endpoint server;
  runtime::Transport transport = runtime::Transport::udp;
  Octets query;
  Instant began;
  Instant deadline;

  wire::QueryView view() const {
    wire::QueryView view;
    SISKIN_CHECK(wire::parse_query(query, view) == wire::QueryVerdict::accept);
    return view;
  }
  bool has_edns() const { return view().edns.has_value(); }
  std::string name_as_sent() const { return wire::Name::from_wire(view().name).value().to_text(); }
};

/// What the network does with one exchange: messages, each `delay` after the one before, or an
/// error after `delay`.  Without a message that is taken: a time-out at the deadline.
struct Step {
  std::function<std::vector<Octets>(const Seen&)> messages;
  Duration delay = std::chrono::milliseconds(10);
  std::optional<Errc> error;
};

class ScriptedUpstream final : public runtime::Upstream {
 public:
  explicit ScriptedUpstream(ManualClock& clock) : clock_(clock) {}

  std::deque<Step> script;  ///< what is left of it; once empty, nobody answers
  std::vector<Seen> seen;

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& /*recall*/) override {
    seen.push_back({server, transport, {query.begin(), query.end()}, clock_.now(), deadline});
    Step step;
    if (!script.empty()) {
      step = std::move(script.front());
      script.pop_front();
    }
    co_return play(step, filter);
  }

 private:
  Result<std::vector<std::uint8_t>> play(const Step& step, runtime::ReplyFilter& filter) {
    const Seen exchange = seen.back();
    if (step.error) {
      clock_.set(std::min(clock_.now() + step.delay, exchange.deadline));
      return Error{*step.error, ""};
    }
    for (const Octets& message : step.messages ? step.messages(exchange) : std::vector<Octets>()) {
      clock_.advance(step.delay);
      if (clock_.now() >= exchange.deadline) break;
      const auto verdict = filter.judge(message);
      if (verdict == runtime::ReplyVerdict::take) return message;
      if (verdict == runtime::ReplyVerdict::give_up) return Error{Errc::spoof_suspected, ""};
    }
    clock_.set(exchange.deadline);
    return Error{Errc::timeout, ""};
  }

  ManualClock& clock_;
};

/// The reply to `seen` with its ID and question.
inline Octets reply_to(const Seen& seen, std::uint16_t flags, const Octets& answer = {}) {
  const wire::QueryView query = seen.view();
  Octets out = u16_octets(query.id) + u16_octets(0x8000U | flags) + u16_octets(1) +
               u16_octets(answer.empty() ? 0 : 1) + u16_octets(0) + u16_octets(0);
  out.insert(out.end(), query.name.begin(), query.name.end());
  return out + u16_octets(static_cast<std::size_t>(query.type)) + u16_octets(1) + answer;
}

/// A step with one message: the reply with these flags, and one record if any.
inline Step says(std::uint16_t flags, const Octets& answer = {}) {
  Step step;
  step.messages = [=](const Seen& seen) {
    return std::vector<Octets>{reply_to(seen, flags, answer)};
  };
  return step;
}

inline Step says_nothing() {
  return {};
}

inline Step fails(Errc error, Duration delay = std::chrono::milliseconds(10)) {
  Step step;
  step.error = error;
  step.delay = delay;
  return step;
}

/// Everything around one core.
struct CoreRig {
  explicit CoreRig(Options options = {})
      : core{{cache, upstream, clock, random, timers}, std::move(options), AddressPolicy({}), {}} {}

  /// Runs a task to its end.
  template <class T>
  T run(runtime::Task<T> task) {
    std::optional<T> result;
    boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr error, T value) {
      SISKIN_CHECK(!error);
      result = std::move(value);
    });
    io.restart();
    io.run();
    SISKIN_CHECK(result);
    return std::move(*result);
  }

  boost::asio::io_context io{1};
  cache::Cache cache{cache::Cache::Options{}};
  ManualClock clock;
  ScriptedUpstream upstream{clock};
  SeededRandom random;
  runtime::TimerQueue timers;
  Core core;
};

}  // namespace siskin::resolve::test
