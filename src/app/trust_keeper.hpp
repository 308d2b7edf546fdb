/// The keepers of trust anchors, with the file in which the anchors' state outlives the daemon.
#pragma once

#include <optional>
#include <string>

#include "app/errand.hpp"
#include "siskin/net/timer_driver.hpp"
#include "siskin/resolve/anchor_keeper.hpp"

namespace siskin::app {

class Worker;

/// Lives on the main thread's loop: writing the file may keep it waiting.
/// Lifetime: io, clock and the worker outlive it.
class TrustKeeper {
 public:
  struct Settings {
    std::string state_path;  ///< empty: anchors stay as they are
    std::vector<dnssec::TrustPoint> points;
    std::vector<resolve::NegativeAnchor> negative;
    dnssec::OpensslVerifier::Options verifier;
  };
  /// What is to be trusted from now on.
  struct Tell {
    std::function<void(std::vector<dnssec::TrustAnchor>)> anchors;
    std::function<void(std::vector<wire::Name>)> negative;
  };

  /// `worker` resolves what is asked.
  TrustKeeper(boost::asio::io_context& io, const runtime::Clock& clock, Worker& worker,
              Settings settings, Tell tell);

  /// Before start(): writes the state that there was.  Error: the file cannot be written.
  Result<void> save() const;

  void start();
  /// Nothing is told any more, and nothing keeps the loop.
  void stop();

 private:
  Result<void> write(std::span<const dnssec::TrustPoint> points) const;
  void anchors_changed(std::span<const dnssec::TrustPoint> points) const;

  boost::asio::io_context& io_;
  const std::string state_path_;
  const Tell tell_;
  runtime::SystemWallClock wall_clock_;
  dnssec::OpensslVerifier verifier_;
  runtime::TimerQueue timers_;
  net::TimerDriver driver_;
  Errand<resolve::Outcome> resolution_;
  Errand<bool> recheck_;
  std::optional<resolve::AnchorKeeper> anchors_;
  resolve::NegativeAnchorKeeper negative_;
};

}  // namespace siskin::app
