/// Many client queries at a time, each a resolution of its own.
#pragma once

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <list>
#include <string>

#include "sim/sim_resolver.hpp"

namespace siskin::sim {

class Crowd {
 public:
  struct Asker {
    Instant began;
    Instant ended;
    std::optional<resolve::Outcome> outcome;

    bool failed() const { return outcome && outcome->rcode == wire::Rcode::servfail; }
    Duration took() const { return ended - began; }
    std::string reason() const { return outcome && outcome->error ? outcome->error->text : ""; }
  };

  /// Goes before the resolver does, and with nothing in flight.
  explicit Crowd(SimResolver& resolver) : resolver_(resolver) {}

  const Asker& ask(const std::string& name, wire::RRType type = wire::RRType::a) {
    Asker& asker = askers_.emplace_back();
    VirtualTime& time = resolver_.time();
    asker.began = time.now();
    ++pending_;
    pending_max_ = std::max(pending_max_, pending_);
    boost::asio::co_spawn(
        time.io().get_executor(),
        resolver_.resolver().resolve({wire::Name::from_text(name).value(), type}),
        [this, &asker, &time](const std::exception_ptr& error, resolve::Outcome outcome) {
          if (error) std::rethrow_exception(error);
          asker.outcome = std::move(outcome);
          asker.ended = time.now();
          --pending_;
        });
    return asker;
  }

  std::size_t pending() const noexcept { return pending_; }
  std::size_t pending_max() const noexcept { return pending_max_; }
  const std::list<Asker>& askers() const noexcept { return askers_; }
  std::size_t failures() const {
    return static_cast<std::size_t>(std::ranges::count_if(askers_, &Asker::failed));
  }

 private:
  SimResolver& resolver_;
  std::list<Asker> askers_;  ///< their addresses stay
  std::size_t pending_ = 0;
  std::size_t pending_max_ = 0;
};

}  // namespace siskin::sim
