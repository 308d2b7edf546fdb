#include "resolve/race.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>

namespace siskin::resolve {

Race::Race(Core& core, ServerAsker& asker, runtime::Executor executor, Query& query,
           const Asked& asked)
    : core_(core),
      asker_(asker),
      executor_(std::move(executor)),
      query_(query),
      asked_(asked),
      lateness_(core.context.timers, [this] {
        is_late_ = true;
        tell();
      }) {}

void Race::start(const IpAddress& server) {
  Runner& runner = runners_.emplace_back();
  runner.server = server;
  core_.servers_in_flight.begin(core_.id_of(server));
  runner.leash.on_sent = [this](Instant late_at) {
    is_late_ = false;
    lateness_.arm(late_at);
  };
  boost::asio::co_spawn(executor_, run(this, &runner), runtime::crash_on_exception);
}

runtime::Task<void> Race::run(Race* race, Runner* runner) {
  Attempt attempt =
      co_await race->asker_.ask(race->query_, runner->server, race->asked_, runner->leash);
  runner->attempt = std::move(attempt);
  race->tell();  // the last act: both may be gone
}

runtime::Task<std::optional<Race::Finish>> Race::next() {
  if (!has_finished() && !is_late_) co_await news();
  is_late_ = false;
  co_return take_finished();
}

runtime::Task<void> Race::end() {
  lateness_.disarm();
  for (Runner& runner : runners_) runner.leash.recall.give();
  while (!runners_.empty()) {
    if (!has_finished()) co_await news();
    take_finished();
  }
}

std::optional<Race::Finish> Race::take_finished() {
  const auto at =
      std::ranges::find_if(runners_, &std::optional<Attempt>::has_value, &Runner::attempt);
  if (at == runners_.end()) return std::nullopt;
  Finish finish{at->server, std::move(*at->attempt)};
  const InFlight::Id id = core_.id_of(finish.server);
  if (finish.attempt.end == Attempt::End::reply) core_.servers_in_flight.replied(id, core_.now());
  core_.servers_in_flight.end(id);
  runners_.erase(at);
  if (runners_.empty()) lateness_.disarm();
  return finish;
}

bool Race::has_finished() const {
  return std::ranges::any_of(runners_, &std::optional<Attempt>::has_value, &Runner::attempt);
}

runtime::Task<void> Race::news() {
  signal_.emplace();
  co_await signal_->wait();
  signal_.reset();
}

void Race::tell() {
  if (signal_) signal_->complete(true);
}

}  // namespace siskin::resolve
