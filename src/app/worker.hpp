/// One core: a thread with its own loop, timers, sockets, resolver.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "siskin/dnssec/verifier.hpp"
#include "siskin/net/tcp_listener.hpp"
#include "siskin/net/timer_driver.hpp"
#include "siskin/net/udp_listener.hpp"
#include "siskin/net/upstream_exchange.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::app {

/// As serve::Fetches::Stale has them.
struct StaleTimes {
  Duration client_wait;
  Duration recheck;
};

/// What all workers share or are built from; outlives them.
struct WorkerSettings {
  cache::Cache& cache;
  const policy::AccessList& access;
  const runtime::Clock& clock;
  serve::Crew& crew;
  HashKey owner_key;
  resolve::Options resolver;
  dnssec::OpensslVerifier::Options verifier;
  serve::Frontend::Options frontend;
  serve::Fetches::Options fetches;
  std::optional<StaleTimes> stale;  ///< nothing: expired answers are never given
  net::UpstreamExchangeOptions upstream;
  net::TcpListenerOptions tcp;  ///< but for the endpoint
  const policy::ClientSubnets* subnets = nullptr;
};

/// Threads: open() and the destructor on the thread that owns the workers, before start() and after
/// join(); post() from anywhere; all else runs on the worker's own thread.
class Worker {
 public:
  Worker(const WorkerSettings& settings, unsigned number);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Error: which endpoint, why, and what to do.
  Result<void> open(const Endpoint& endpoint);
  void start();
  void join();

  void post(std::function<void()> work);
  serve::Fetches& fetches() noexcept { return fetches_; }

  /// Own thread: see Resolver.
  void use_root_zone(std::shared_ptr<const resolve::RootZone> zone) noexcept {
    resolver_.use_root_zone(std::move(zone));
  }

  /// Own thread: see Resolver.
  void use_anchors(std::vector<dnssec::TrustAnchor> anchors) noexcept {
    resolver_.use_anchors(std::move(anchors));
  }
  void use_negative_anchors(std::vector<wire::Name> zones) noexcept {
    resolver_.use_negative_anchors(std::move(zones));
  }

  /// From any thread: as Resolver's; `answer` is called on the worker's thread, or never when it
  /// stops before.
  void resolve(resolve::Question question, std::function<void(resolve::Outcome)> answer);
  void would_answer(wire::Name name, std::function<void(bool)> answer);

  /// Own thread: reads no more queries; `on_drained` is called on this thread once nothing is
  /// pending.
  void begin_stop(std::function<void()> on_drained);
  /// Own thread: fails what is pending and ends every exchange; returns how many were failed.
  std::size_t give_up();
  /// Own thread: closes everything, so that the loop runs out of work.
  void finish();
  std::size_t pending() const noexcept { return frontend_.pending(); }

  /// From any thread.
  const stats::Counters& counters() const noexcept { return counters_; }

 private:
  std::optional<serve::Fetches::Stale> stale(const WorkerSettings& settings);
  void check_drained();

  const net::TcpListenerOptions tcp_options_;
  const runtime::Clock& clock_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  runtime::SystemRandom random_;
  runtime::SystemWallClock wall_clock_;
  dnssec::OpensslVerifier verifier_;
  stats::Counters counters_;
  runtime::TimerQueue timers_;
  net::TimerDriver driver_;
  net::UpstreamExchange upstream_;
  resolve::Resolver resolver_;
  serve::ResolverQuestioner questioner_;
  serve::Fetches fetches_;
  serve::Frontend frontend_;
  std::vector<std::unique_ptr<net::UdpListener>> udp_;
  std::vector<std::unique_ptr<net::TcpListener>> tcp_;
  runtime::Timer drain_timer_;
  std::function<void()> on_drained_;
  std::thread thread_;
};

}  // namespace siskin::app
