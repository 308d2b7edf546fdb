/// A resolver with its own cache in a World, driven in virtual time.
#pragma once

#include <string>
#include <string_view>

#include "sim/outcome_text.hpp"
#include "sim/upstream.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/dnssec/verifier.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::sim {

class SimResolver {
 public:
  struct Settings {
    std::uint64_t seed = 1;
    resolve::Options resolve = default_options();
    cache::Cache::Options cache;
    policy::ClientSubnets::Options subnets;  ///< for SimFrontend, where resolve.subnet_zones are
    /// For SimFrontend too: expired answers are given where cache.stale_max is not 0.
    Duration stale_wait = std::chrono::milliseconds(1800);
    Duration stale_recheck = std::chrono::seconds(30);
    /// Seconds since 1970 at the beginning of virtual time, for the periods of signatures.  Answers
    /// are validated where resolve.validation has anchors.
    std::int64_t began_at = 1'800'000'000;
    /// In place of the real one, which it outlives.
    dnssec::Verifier* verifier = nullptr;
    std::uint32_t renew_below = 0;  ///< likewise: answers with so few seconds left are renewed
  };

  /// As the daemon's, but without priming, so that tests can count exchanges.
  static resolve::Options default_options();

  /// The root hints come from the world when `settings` has none.  `world` outlives it.
  explicit SimResolver(const World& world) : SimResolver(world, Settings{}) {}
  SimResolver(const World& world, Settings settings);
  SimResolver(const SimResolver&) = delete;
  SimResolver& operator=(const SimResolver&) = delete;

  /// Resolves to the end, however long that takes in virtual time; throws std::runtime_error when
  /// the resolution never ends.
  resolve::Outcome ask(std::string_view name, wire::RRType type);
  resolve::Outcome ask(const resolve::Question& question);

  /// ask(), printed.
  std::string answer(std::string_view name, wire::RRType type) { return to_text(ask(name, type)); }

  /// Lets time pass.
  void advance(Duration duration) { time_.run_for(duration); }

  /// What the last ask() sent.
  std::size_t exchanges() const noexcept { return upstream_.count() - asked_at_; }
  std::size_t exchanges(std::string_view server) const {
    return upstream_.count(server, asked_at_);
  }
  std::string log() const { return upstream_.log(asked_at_); }
  /// The time the last ask() took.
  Duration took() const noexcept { return took_; }

  VirtualTime& time() noexcept { return time_; }
  SimUpstream& upstream() noexcept { return upstream_; }
  cache::Cache& cache() noexcept { return cache_; }
  resolve::Resolver& resolver() noexcept { return resolver_; }
  const runtime::WallClock& date() const noexcept { return date_; }
  dnssec::Verifier& verifier() noexcept { return verifier_; }
  std::uint64_t counted(stats::Metric metric) const noexcept { return counters_.value(metric); }

 private:
  /// The date that goes with virtual time.
  class Date final : public runtime::WallClock {
   public:
    Date(const VirtualTime& time, std::int64_t began_at) : time_(time), began_at_(began_at) {}
    std::int64_t seconds() const noexcept override {
      return began_at_ + std::chrono::duration_cast<std::chrono::seconds>(time_.elapsed()).count();
    }

   private:
    const VirtualTime& time_;
    std::int64_t began_at_;
  };

  VirtualTime time_;
  Date date_;
  dnssec::OpensslVerifier verifier_{{}};
  stats::Counters counters_;
  SimRandom weather_;
  SimRandom draws_;
  SimUpstream upstream_;
  cache::Cache cache_;
  resolve::Resolver resolver_;
  std::size_t asked_at_ = 0;
  Duration took_{};
};

}  // namespace siskin::sim
