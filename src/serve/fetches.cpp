#include "siskin/serve/fetches.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

#include "serve/fetch_group.hpp"

namespace siskin::serve {
namespace {

/// Lowered wire form and type.
std::string key_of(const resolve::Question& question) {
  const wire::Name name = question.name.lowered();
  const auto type = static_cast<std::uint16_t>(question.type);
  std::string key(name.wire().begin(), name.wire().end());
  key.push_back(static_cast<char>(type >> 8));
  key.push_back(static_cast<char>(type & 0xff));
  return key;
}

struct KeyHash {
  HashKey key;
  std::size_t operator()(const std::string& text) const noexcept {
    return siphash13(key, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
};

SharedOutcome limit_hit(std::size_t limit, const char* what) {
  resolve::Outcome outcome;
  outcome.rcode = wire::Rcode::servfail;
  outcome.error = wire::ExtendedError{wire::Ede::other, std::to_string(limit) + what};
  return std::make_shared<const resolve::Outcome>(std::move(outcome));
}

/// Outcomes are never errors, so an exception is a bug: terminate() prints its text.
void crash_on_exception(const std::exception_ptr& exception) noexcept {
  if (exception) std::rethrow_exception(exception);
}

}  // namespace

struct Fetches::Impl : std::enable_shared_from_this<Impl> {
  struct Group : FetchGroup {
    using FetchGroup::FetchGroup;
    bool is_beginning = false;  ///< begin_all() is at it, perhaps further up the stack
  };

  Impl(Questioner& asked, runtime::Executor core, const Options& given)
      : questioner(asked),
        executor(std::move(core)),
        options(given),
        groups(0, KeyHash{given.hash_key}) {}

  void join(const resolve::Question& question, OnOutcome on_outcome);
  void begin_all(const std::string& key);
  void end(const std::string& key, const std::optional<Network>& subnet, resolve::Outcome outcome);
  void forget_if_empty(const std::string& key);
  static runtime::Task<void> run(std::weak_ptr<Impl> fetches, Questioner* questioner,
                                 resolve::Question question, std::string key);

  Questioner& questioner;
  const runtime::Executor executor;
  const Options options;
  std::size_t fetch_count = 0;  ///< running and waiting
  std::size_t running = 0;
  std::unordered_map<std::string, Group, KeyHash> groups;
};

void Fetches::Impl::join(const resolve::Question& question, OnOutcome on_outcome) {
  const std::string key = key_of(question);
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
  begin_all(key);
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
                          &crash_on_exception);
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

Fetches::Fetches(Questioner& questioner, const runtime::Executor& executor, const Options& options)
    : impl_(std::make_shared<Impl>(questioner, executor, options)) {}

void Fetches::join(const resolve::Question& question, OnOutcome on_outcome) {
  impl_->join(question, std::move(on_outcome));
}

std::size_t Fetches::in_flight() const noexcept {
  return impl_->fetch_count;
}

}  // namespace siskin::serve
