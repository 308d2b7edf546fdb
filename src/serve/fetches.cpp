#include "siskin/serve/fetches.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

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
  using Askers = std::vector<OnOutcome>;

  Impl(Questioner& asked, runtime::Executor core, const Options& given)
      : questioner(asked),
        executor(std::move(core)),
        options(given),
        fetches(0, KeyHash{given.hash_key}) {}

  void join(const resolve::Question& question, OnOutcome on_outcome);
  void begin(const resolve::Question& question, const std::string& key);
  void end(const std::string& key, resolve::Outcome outcome);
  static runtime::Task<void> run(std::weak_ptr<Impl> fetches, Questioner* questioner,
                                 resolve::Question question, std::string key);

  Questioner& questioner;
  const runtime::Executor executor;
  const Options options;
  std::unordered_map<std::string, Askers, KeyHash> fetches;
};

void Fetches::Impl::join(const resolve::Question& question, OnOutcome on_outcome) {
  std::string key = key_of(question);
  if (const auto found = fetches.find(key); found != fetches.end()) {
    Askers& askers = found->second;
    if (askers.size() >= options.waiters_max) {
      on_outcome(limit_hit(options.waiters_max, " clients wait for this answer already"));
      return;
    }
    askers.push_back(std::move(on_outcome));
    return;
  }
  if (fetches.size() >= options.fetches_max) {
    on_outcome(limit_hit(options.fetches_max, " questions are in flight already"));
    return;
  }
  fetches[key].push_back(std::move(on_outcome));
  begin(question, key);
}

void Fetches::Impl::begin(const resolve::Question& question, const std::string& key) {
  boost::asio::co_spawn(executor, run(weak_from_this(), &questioner, question, key),
                        &crash_on_exception);
}

runtime::Task<void> Fetches::Impl::run(std::weak_ptr<Impl> fetches, Questioner* questioner,
                                       resolve::Question question, std::string key) {
  resolve::Outcome outcome = co_await questioner->resolve(question);
  if (const auto alive = fetches.lock()) alive->end(key, std::move(outcome));
}

void Fetches::Impl::end(const std::string& key, resolve::Outcome outcome) {
  const auto found = fetches.find(key);
  SISKIN_CHECK(found != fetches.end());
  const Askers askers = std::move(found->second);
  fetches.erase(found);  // before the calls, for an asker may join anew
  const auto shared = std::make_shared<const resolve::Outcome>(std::move(outcome));
  for (const OnOutcome& on_outcome : askers) on_outcome(shared);
}

Fetches::Fetches(Questioner& questioner, const runtime::Executor& executor, const Options& options)
    : impl_(std::make_shared<Impl>(questioner, executor, options)) {}

void Fetches::join(const resolve::Question& question, OnOutcome on_outcome) {
  impl_->join(question, std::move(on_outcome));
}

std::size_t Fetches::in_flight() const noexcept {
  return impl_->fetches.size();
}

}  // namespace siskin::serve
