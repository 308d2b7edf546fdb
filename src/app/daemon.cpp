#include "app/daemon.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "app/events.hpp"
#include "app/local_root.hpp"
#include "app/memory_watch.hpp"
#include "app/notify.hpp"
#include "app/privileges.hpp"
#include "app/settings.hpp"
#include "app/trust_keeper.hpp"
#include "app/worker.hpp"
#include "siskin/net/bind.hpp"

namespace siskin::app {
namespace {

/// SIGTERM to exit is at most two seconds; replies to what is failed then need a moment to leave.
constexpr auto kDrainTime = std::chrono::milliseconds(1500);

/// Below, what huge pages take in advance would be missed elsewhere.
constexpr std::uint64_t kHugePagesFrom = std::uint64_t{128} << 20;

class Daemon final : public serve::Crew {
 public:
  Daemon(const config::Config& config, resolve::Options resolver,
         std::vector<dnssec::TrustPoint> points, unsigned workers)
      : config_(config),
        clock_(config.laboratory.ttl_clock == config::TtlClock::wall
                   ? runtime::SystemClock::Source::wall
                   : runtime::SystemClock::Source::monotonic),
        cache_options_(cache_options(config, workers, random_)),
        cache_(cache_options_),
        access_(config.access.allow),
        subnets_(client_subnets(config)) {
    events::starting(workers, cache_options_.bytes_max, config.memory.limit.bytes);
    WorkerSettings settings{
        cache_, access_, clock_, *this, random_key(random_), std::move(resolver), {}, {},
        {},     {},      {},     {}};
    settings.verifier = verifier_options(config);
    settings.frontend = frontend_options(config);
    settings.fetches.hash_key = random_key(random_);
    if (config.cache.serve_stale) {
      settings.stale = {config.cache.stale_wait, config.cache.stale_recheck};
    }
    settings.upstream = upstream_options(config, workers);
    settings.tcp = tcp_options(config, workers);
    settings.subnets = subnets_ ? &*subnets_ : nullptr;
    for (unsigned i = 0; i < workers; ++i) {
      workers_.push_back(std::make_unique<Worker>(settings, i));
    }
    make_local_root(workers);
    make_trust_keeper(std::move(points));
  }

  unsigned size() const noexcept override { return static_cast<unsigned>(workers_.size()); }

  void post(unsigned core, std::function<void()> work) override {
    workers_[core]->post(std::move(work));
  }

  serve::Fetches& fetches(unsigned core) noexcept override { return workers_[core]->fetches(); }

  Result<void> open() {
    for (const Endpoint& endpoint : config_.server.listen) {
      if (auto r = net::check_bindable(endpoint); !r) return r.error();
      for (auto& worker : workers_) {
        if (auto r = worker->open(endpoint); !r) return r.error();
      }
      events::listening(endpoint);
    }
    return {};
  }

  /// Once it is known as whom: what is followed must be written.
  Result<void> save_state() const { return trust_keeper_->save(); }

  void run() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (!error) begin_stop(signal);
    });
    wait_for_report();
    memory_.start();
    for (auto& worker : workers_) worker->start();
    if (local_root_) local_root_->start();
    trust_keeper_->start();
    events::ready();
    notify_service_manager("READY=1");
    io_.run();
    for (auto& worker : workers_) worker->join();
    events::stopped(failed_);
  }

 private:
  void make_local_root(unsigned workers) {
    if (!config_.local_root.enabled) return;
    std::vector<Endpoint> servers = local_root_servers(config_);
    if (servers.empty()) return events::no_root_servers();
    local_root_.emplace(io_, clock_, upstream_options(config_, workers), std::move(servers),
                        [this](const LocalRoot::Zone& zone) {
                          for (auto& worker : workers_) {
                            worker->post([w = worker.get(), zone] { w->use_root_zone(zone); });
                          }
                        });
  }

  void make_trust_keeper(std::vector<dnssec::TrustPoint> points) {
    const auto tell_all = [this](const auto& tell) {
      for (auto& worker : workers_) {
        worker->post([w = worker.get(), tell] { tell(*w); });
      }
    };
    trust_keeper_.emplace(
        io_, clock_, *workers_.front(),
        TrustKeeper::Settings{config_.dnssec.trust_anchor_state, std::move(points),
                              negative_anchors(config_), verifier_options(config_)},
        TrustKeeper::Tell{[tell_all](const std::vector<dnssec::TrustAnchor>& anchors) {
                            tell_all([anchors](Worker& worker) { worker.use_anchors(anchors); });
                          },
                          [tell_all](const std::vector<wire::Name>& zones) {
                            tell_all(
                                [zones](Worker& worker) { worker.use_negative_anchors(zones); });
                          }});
  }

  /// SIGUSR1: into the log with what the memory is spent on, and what was counted.
  void wait_for_report() {
    report_signal_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      memory_.report();
      report_counters();
      wait_for_report();
    });
  }

  void report_counters() const {
    for (const stats::MetricRow& row : stats::metric_table()) {
      std::uint64_t sum = 0;
      for (const auto& worker : workers_) sum += worker->counters().value(row.metric);
      if (sum > 0) events::counted(row, sum);
    }
  }

  void begin_stop(int signal) {
    memory_.stop();
    if (local_root_) local_root_->stop();
    trust_keeper_->stop();
    report_signal_.cancel();
    notify_service_manager("STOPPING=1");
    events::stopping(signal == SIGINT ? "SIGINT" : "SIGTERM");
    undrained_ = workers_.size();
    deadline_.expires_after(kDrainTime);
    deadline_.async_wait([this](const boost::system::error_code& error) {
      if (!error) give_up();
    });
    for (auto& worker : workers_) drain(*worker);
  }

  void drain(Worker& worker) {
    worker.post([this, &worker] {
      worker.begin_stop([this] { boost::asio::post(io_, [this] { one_is_drained(); }); });
    });
  }

  void one_is_drained() {
    if (--undrained_ == 0) give_up();
  }

  /// Nothing is pending, or time is up: each worker fails what is left, and once all have done so
  /// (their replies may come from each other's fetches) each closes.
  void give_up() {
    if (given_up_) return;
    given_up_ = true;
    deadline_.cancel();
    not_given_up_ = workers_.size();
    for (auto& worker : workers_) {
      worker->post([this, w = worker.get()] {
        const std::size_t failed = w->give_up();
        boost::asio::post(io_, [this, failed] { one_gave_up(failed); });
      });
    }
  }

  void one_gave_up(std::size_t failed) {
    failed_ += failed;
    if (--not_given_up_ > 0) return;
    stopping_.reset();
    for (auto& worker : workers_) {
      // One turn of the loop later: late replies leave at the end of a turn.
      worker->post([w = worker.get()] { w->post([w] { w->finish(); }); });
    }
  }

  const config::Config& config_;
  runtime::SystemRandom random_;
  runtime::SystemClock clock_;
  const cache::Cache::Options cache_options_;
  cache::Cache cache_;
  policy::AccessList access_;
  std::optional<policy::ClientSubnets> subnets_;
  std::vector<std::unique_ptr<Worker>> workers_;
  boost::asio::io_context io_{1};
  /// While the workers are asked to stop, nothing else keeps the loop until they report.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> stopping_{
      io_.get_executor()};
  boost::asio::signal_set signals_{io_, SIGTERM, SIGINT};
  boost::asio::signal_set report_signal_{io_, SIGUSR1};
  MemoryWatch memory_{io_, cache_, cache_options_.bytes_max, config_.memory.limit.bytes};
  boost::asio::steady_timer deadline_{io_};
  std::optional<LocalRoot> local_root_;
  std::optional<TrustKeeper> trust_keeper_;
  std::size_t undrained_ = 0;
  std::size_t not_given_up_ = 0;
  std::size_t failed_ = 0;
  bool given_up_ = false;
};

}  // namespace

Result<void> run_daemon(const config::Config& config) {
  if (config.memory.limit.bytes >= kHugePagesFrom) cache::prefer_huge_pages();
  std::signal(SIGPIPE, SIG_IGN);
  const unsigned workers = worker_count(config);
  auto points = trust_points(config);
  if (!points) return points.error();
  auto resolver = resolver_options(config, workers, *points);
  if (!resolver) return resolver.error();
  const std::size_t wanted = descriptors_wanted(config, workers);
  if (const std::size_t have = raise_descriptor_limit(wanted); have < wanted) {
    events::few_descriptors(have, wanted);
  }
  Daemon daemon(config, std::move(*resolver), std::move(*points), workers);
  if (auto r = daemon.open(); !r) return r.error();
  if (auto r = become_user(config.server.user); !r) return r.error();
  if (auto r = daemon.save_state(); !r) return r.error();
  daemon.run();
  return {};
}

}  // namespace siskin::app
