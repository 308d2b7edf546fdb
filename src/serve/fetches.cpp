#include "siskin/serve/fetches.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

#include "serve/fetch_group.hpp"
#include "serve/recheck.hpp"

namespace siskin::serve {
namespace {

/// Lowered wire form, type, and whether what comes of it may be unchecked.
std::string key_of(const resolve::Question& question) {
  const wire::Name name = question.name.lowered();
  const auto type = static_cast<std::uint16_t>(question.type);
  std::string key(name.wire().begin(), name.wire().end());
  key.push_back(static_cast<char>(type >> 8));
  key.push_back(static_cast<char>(type & 0xff));
  key.push_back(static_cast<char>(question.checking_disabled ? 1 : 0));
  return key;
}

SharedOutcome limit_hit(std::size_t limit, const char* what) {
  resolve::Outcome outcome;
  outcome.rcode = wire::Rcode::servfail;
  outcome.error = wire::ExtendedError{wire::Ede::other, std::to_string(limit) + what};
  return std::make_shared<const resolve::Outcome>(std::move(outcome));
}

}  // namespace

struct Fetches::Impl : std::enable_shared_from_this<Impl> {
  struct Group : FetchGroup {
    using FetchGroup::FetchGroup;
    bool is_beginning = false;  ///< begin_all() is at it, perhaps further up the stack
    bool is_late = false;       ///< what has expired is good enough by now
    std::optional<runtime::Timer> lateness = {};
  };

  Impl(Questioner& asked, runtime::Executor core, const Options& given,
       const std::optional<Stale>& given_stale)
      : questioner(asked),
        executor(std::move(core)),
        options(given),
        stale(given_stale),
        recheck(given.hash_key),
        groups(0, Recheck::KeyHash{given.hash_key}) {}

  void join(const resolve::Question& question, OnOutcome on_outcome);
  void renew(const resolve::Question& question);
  SharedOutcome stale_outcome(const resolve::Question& question);
  SharedOutcome stale_at_once(const std::string& key, const resolve::Question& question);
  void watch(const std::string& key, Group& group);
  void on_late(const std::string& key);
  void note_end(const std::string& key, const resolve::Question& question,
                resolve::Outcome& outcome);
  void begin_all(const std::string& key);
  void end(const std::string& key, const std::optional<Network>& subnet, resolve::Outcome outcome);
  void forget_if_empty(const std::string& key);
  static runtime::Task<void> run(std::weak_ptr<Impl> fetches, Questioner* questioner,
                                 resolve::Question question, std::string key);

  Questioner& questioner;
  const runtime::Executor executor;
  const Options options;
  const std::optional<Stale> stale;
  Recheck recheck;
  std::size_t fetch_count = 0;  ///< running and waiting
  std::size_t running = 0;
  std::unordered_map<std::string, Group, Recheck::KeyHash> groups;
};

void Fetches::Impl::join(const resolve::Question& question, OnOutcome on_outcome) {
  const std::string key = key_of(question);
  if (const SharedOutcome old = stale_at_once(key, question)) return on_outcome(old);
  Group& group = groups.try_emplace(key, question).first->second;
  if (group.askers() >= options.waiters_max) {
    forget_if_empty(key);
    on_outcome(limit_hit(options.waiters_max, " clients wait for this answer already"));
    return;
  }
  if (running >= options.fetches_max && group.size() == 0) {
    forget_if_empty(key);
    on_outcome(limit_hit(options.fetches_max, " questions are in flight already"));
    return;
  }
  if (group.add(question.subnet, std::move(on_outcome))) ++fetch_count;
  watch(key, group);
  begin_all(key);
}

void Fetches::Impl::renew(const resolve::Question& question) {
  const std::string key = key_of(question);
  if (running >= options.fetches_max / 2 || groups.contains(key)) return;
  groups.try_emplace(key, question).first->second.add(question.subnet, {});
  ++fetch_count;
  begin_all(key);
}

SharedOutcome Fetches::Impl::stale_outcome(const resolve::Question& question) {
  auto outcome = stale ? questioner.stale(question) : std::nullopt;
  if (!outcome) return nullptr;
  return std::make_shared<const resolve::Outcome>(std::move(*outcome));
}

/// Where renewing failed lately, or is taking long already.
SharedOutcome Fetches::Impl::stale_at_once(const std::string& key,
                                           const resolve::Question& question) {
  if (!stale) return nullptr;
  const auto group = groups.find(key);
  const bool is_late = group != groups.end() && group->second.is_late;
  if (!is_late && !recheck.is_waiting(key, stale->clock.now())) return nullptr;
  return stale_outcome(question);
}

/// Begins to count the time that askers wait, with the first of them.
void Fetches::Impl::watch(const std::string& key, Group& group) {
  if (!stale || group.lateness) return;
  group.lateness.emplace(stale->timers, [this, key] { on_late(key); });
  group.lateness->arm(stale->clock.now() + stale->client_wait);
}

void Fetches::Impl::on_late(const std::string& key) {
  const auto self = shared_from_this();
  Group& group = groups.at(key);
  group.is_late = true;
  const auto released = group.release([&](const std::optional<Network>& subnet) {
    resolve::Question question = group.question();
    question.subnet = subnet;
    return stale_outcome(question);
  });
  for (const auto& [on_outcome, outcome] : released) on_outcome(outcome);
}

/// A failure gives way to what has expired, which is then good for a while.
void Fetches::Impl::note_end(const std::string& key, const resolve::Question& question,
                             resolve::Outcome& outcome) {
  if (!stale) return;
  if (outcome.rcode != wire::Rcode::servfail) return recheck.worked(key);
  auto old = questioner.stale(question);
  if (!old) return;
  const Instant now = stale->clock.now();
  recheck.failed(key, now + stale->recheck, now);
  old->exchanges = outcome.exchanges;
  outcome = std::move(*old);
}

/// Begins what may begin; of a group in which somebody waits, one is always running.  A fetch that
/// needs nobody ends at once and comes back here by way of end(): then the call that is at it goes
/// on.
void Fetches::Impl::begin_all(const std::string& key) {
  const auto found = groups.find(key);
  if (found == groups.end() || found->second.is_beginning) return;
  const auto self = shared_from_this();  // an asker may drop the last other reference
  Group& group = found->second;
  group.is_beginning = true;
  while (running < options.fetches_max || group.running() == 0) {
    const auto question = group.begin_next();
    if (!question) break;
    ++running;
    boost::asio::co_spawn(executor, run(weak_from_this(), &questioner, *question, key),
                          runtime::crash_on_exception);
  }
  group.is_beginning = false;
  forget_if_empty(key);
}

runtime::Task<void> Fetches::Impl::run(std::weak_ptr<Impl> fetches, Questioner* questioner,
                                       resolve::Question question, std::string key) {
  resolve::Outcome outcome = co_await questioner->resolve(question);
  if (const auto alive = fetches.lock()) alive->end(key, question.subnet, std::move(outcome));
}

void Fetches::Impl::end(const std::string& key, const std::optional<Network>& subnet,
                        resolve::Outcome outcome) {
  const auto found = groups.find(key);
  SISKIN_CHECK(found != groups.end());
  Group& group = found->second;
  resolve::Question question = group.question();
  question.subnet = subnet;
  note_end(key, question, outcome);
  const std::size_t before = group.size();
  const std::vector<OnOutcome> askers = group.end(subnet, outcome);
  fetch_count -= before - group.size();
  --running;
  forget_if_empty(key);  // before the calls, for an asker may join anew
  const auto shared = std::make_shared<const resolve::Outcome>(std::move(outcome));
  for (const OnOutcome& on_outcome : askers) on_outcome(shared);
  begin_all(key);
}

void Fetches::Impl::forget_if_empty(const std::string& key) {
  const auto found = groups.find(key);
  if (found->second.size() == 0 && !found->second.is_beginning) groups.erase(found);
}

Fetches::Fetches(Questioner& questioner, const runtime::Executor& executor, const Options& options,
                 const std::optional<Stale>& stale)
    : impl_(std::make_shared<Impl>(questioner, executor, options, stale)) {}

void Fetches::join(const resolve::Question& question, OnOutcome on_outcome) {
  impl_->join(question, std::move(on_outcome));
}

void Fetches::renew(const resolve::Question& question) {
  impl_->renew(question);
}

std::size_t Fetches::in_flight() const noexcept {
  return impl_->fetch_count;
}

}  // namespace siskin::serve
