#include "sim/sim_resolver.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

namespace siskin::sim {
namespace {

resolve::Options with_hints(resolve::Options options, const World& world) {
  if (options.root_hints.empty()) options.root_hints = world.root_hints();
  return options;
}

cache::Cache::Options with_key(cache::Cache::Options options, std::uint64_t seed) {
  options.hash_key = {seed, ~seed};
  return options;
}

}  // namespace

resolve::Options SimResolver::default_options() {
  resolve::Options options;
  options.priming = false;
  return options;
}

SimResolver::SimResolver(const World& world, Settings settings)
    : date_(time_, settings.began_at),
      weather_(settings.seed),
      draws_(settings.seed ^ 0x5157),
      upstream_(time_, world, weather_),
      cache_(with_key(settings.cache, settings.seed)),
      resolver_({cache_, upstream_, time_.clock(), draws_, time_.timers(),
                 settings.verifier != nullptr ? settings.verifier : &verifier_, &date_, &counters_},
                with_hints(settings.resolve, world)) {
  upstream_.port = settings.resolve.upstream_port;
}

resolve::Outcome SimResolver::ask(std::string_view name, wire::RRType type) {
  return ask({wire::Name::from_text(name).value(), type});
}

resolve::Outcome SimResolver::ask(const resolve::Question& question) {
  asked_at_ = upstream_.count();
  const Instant began = time_.now();
  std::optional<resolve::Outcome> outcome;
  std::exception_ptr failure;
  boost::asio::co_spawn(time_.io().get_executor(), resolver_.resolve(question),
                        [&](std::exception_ptr error, resolve::Outcome result) {
                          failure = error;
                          outcome = std::move(result);
                        });
  time_.run_until([&] { return outcome.has_value(); });
  took_ = time_.now() - began;
  if (failure) std::rethrow_exception(failure);
  if (!outcome) throw std::runtime_error("no outcome for " + question.name.to_text());
  return std::move(*outcome);
}

}  // namespace siskin::sim
