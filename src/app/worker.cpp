#include "app/worker.hpp"

#include <pthread.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <string>

namespace siskin::app {
namespace {

constexpr Duration kDrainLook = std::chrono::milliseconds(10);

}  // namespace

Worker::Worker(const WorkerSettings& settings, unsigned number)
    : tcp_options_(settings.tcp),
      clock_(settings.clock),
      work_(io_.get_executor()),
      verifier_(settings.verifier),
      driver_(io_, settings.clock, timers_),
      upstream_(io_, clock_, timers_, random_, settings.upstream),
      resolver_({settings.cache, upstream_, settings.clock, random_, timers_, &verifier_,
                 &wall_clock_, &counters_},
                settings.resolver),
      questioner_(resolver_),
      fetches_(questioner_, io_.get_executor(), settings.fetches, stale(settings)),
      frontend_({settings.cache, settings.access, settings.clock, random_, settings.crew, number,
                 settings.owner_key, settings.subnets},
                settings.frontend),
      drain_timer_(timers_, [this] { check_drained(); }) {}

Worker::~Worker() = default;

Result<void> Worker::open(const Endpoint& endpoint) {
  net::UdpListenerOptions udp_options;
  udp_options.endpoint = endpoint;
  auto udp = net::UdpListener::open(io_, udp_options, frontend_);
  if (!udp) return udp.error();
  udp_.push_back(std::move(*udp));

  net::TcpListenerOptions tcp_options = tcp_options_;
  tcp_options.endpoint = endpoint;
  auto tcp = net::TcpListener::open({io_, clock_, timers_, frontend_}, tcp_options);
  if (!tcp) return tcp.error();
  tcp_.push_back(std::move(*tcp));
  return {};
}

std::optional<serve::Fetches::Stale> Worker::stale(const WorkerSettings& settings) {
  if (!settings.stale) return std::nullopt;
  return serve::Fetches::Stale{clock_, timers_, settings.stale->client_wait,
                               settings.stale->recheck};
}

void Worker::start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "siskin worker");
    io_.run();
  });
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

void Worker::post(std::function<void()> work) {
  boost::asio::post(io_, std::move(work));
}

void Worker::resolve(resolve::Question question, std::function<void(resolve::Outcome)> answer) {
  boost::asio::co_spawn(
      io_, resolver_.resolve(std::move(question)),
      [answer = std::move(answer)](const std::exception_ptr& exception, resolve::Outcome outcome) {
        runtime::crash_on_exception(exception);
        answer(std::move(outcome));
      });
}

void Worker::would_answer(wire::Name name, std::function<void(bool)> answer) {
  boost::asio::co_spawn(
      io_, resolver_.would_answer(std::move(name)),
      [answer = std::move(answer)](const std::exception_ptr& exception, bool would_answer) {
        runtime::crash_on_exception(exception);
        answer(would_answer);
      });
}

void Worker::begin_stop(std::function<void()> on_drained) {
  for (auto& listener : udp_) listener->stop_receiving();
  for (auto& listener : tcp_) listener->stop_receiving();
  on_drained_ = std::move(on_drained);
  check_drained();
}

void Worker::check_drained() {
  if (frontend_.pending() > 0) {
    drain_timer_.arm(clock_.now() + kDrainLook);
    return;
  }
  const auto on_drained = std::move(on_drained_);
  on_drained_ = nullptr;
  if (on_drained) on_drained();
}

std::size_t Worker::give_up() {
  drain_timer_.disarm();
  const std::size_t failed = frontend_.pending();
  frontend_.fail_pending();
  resolver_.stop();
  upstream_.shutdown();
  return failed;
}

void Worker::finish() {
  for (auto& listener : udp_) listener->stop();
  for (auto& listener : tcp_) listener->stop();
  driver_.stop();
  work_.reset();
}

}  // namespace siskin::app
