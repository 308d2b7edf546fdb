#include "siskin/resolve/root_keeper.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "resolve/events.hpp"
#include "resolve/root_source.hpp"
#include "siskin/base/check.hpp"
#include "siskin/runtime/sleeper.hpp"

namespace siskin::resolve {
namespace {

using runtime::Task;
using std::chrono::seconds;

constexpr Duration kFirstRetry = seconds(10);  ///< without a copy; then twice that each time
constexpr Duration kLastRetry = seconds(3600);
/// The zone's own timers count within these: a mistake there must not make us a nuisance, nor keep
/// a copy for years.
constexpr Duration kTimerMin = seconds(60);
constexpr Duration kTimerMax = seconds(86'400);
constexpr Duration kExpireMax = seconds(28 * 86'400);

Duration timer_of(std::uint32_t from_zone, Duration most) {
  return std::clamp<Duration>(seconds(from_zone), kTimerMin, most);
}

}  // namespace

struct RootKeeper::Impl {
  Impl(const Context& given, std::vector<Endpoint>&& endpoints, Publish&& publish_to)
      : context(given),
        servers(std::move(endpoints)),
        publish(std::move(publish_to)),
        source(context, recall),
        expiry(context.timers, [this] { expire(); }),
        sleeper(context.timers) {
    SISKIN_CHECK(!servers.empty());
    current = context.random.u16() % servers.size();
  }

  Task<void> run() {
    while (!is_stopped) {
      const bool is_done = zone ? co_await refresh() : co_await fetch();
      if (is_stopped) break;
      co_await sleeper.until(is_done ? confirmed() : failed());
    }
  }

  /// From one server after the other.
  Task<bool> fetch() {
    for (std::size_t i = 0; i < servers.size() && !is_stopped; ++i, go_on()) {
      if (co_await copy_from(servers[current])) co_return true;
    }
    co_return false;
  }

  /// True when a server says that the copy is current, or has given a newer one.
  Task<bool> refresh() {
    for (std::size_t i = 0; i < servers.size() && !is_stopped; ++i, go_on()) {
      const Endpoint server = servers[current];
      const Result<SoaNumbers> soa = co_await source.soa(server);
      if (is_stopped) break;
      if (!soa) {
        events::root_soa_failed(server, to_string(soa.error()));
        continue;
      }
      if (zone && soa->serial == zone->soa().serial) {
        events::root_confirmed(server, soa->serial);
        co_return true;
      }
      if (is_behind(soa->serial)) continue;
      if (co_await copy_from(server)) co_return true;
    }
    co_return false;
  }

  Task<bool> copy_from(Endpoint server) {
    Result<RootZone> copy = co_await source.zone(server);
    if (is_stopped) co_return false;
    if (copy && is_behind(copy->soa().serial)) {
      copy = Error{Errc::malformed, "it is older than the copy"};
    }
    if (!copy) {
      events::root_not_copied(server, to_string(copy.error()));
      co_return false;
    }
    zone = std::make_shared<const RootZone>(std::move(*copy));
    events::root_copied(server, zone->soa().serial, zone->records(), zone->octets());
    publish(zone);
    co_return true;
  }

  /// RFC 1982 has pairs of serials of which none is newer: such a server is not believed either.
  bool is_behind(std::uint32_t serial) const {
    return zone && serial != zone->soa().serial && !is_newer(serial, zone->soa().serial);
  }

  void go_on() { current = (current + 1) % servers.size(); }

  /// Until when to sleep after success.
  Instant confirmed() {
    const Instant now = context.clock.now();
    next_retry = kFirstRetry;
    expiry.arm(now + timer_of(zone->soa().expire, kExpireMax));
    return now + timer_of(zone->soa().refresh, kTimerMax);
  }

  /// Likewise after failure.
  Instant failed() {
    Duration wait = next_retry;
    if (zone) {
      wait = timer_of(zone->soa().retry, kTimerMax);
    } else {
      next_retry = std::min(2 * next_retry, kLastRetry);
    }
    events::root_round_failed(zone != nullptr, wait);
    return context.clock.now() + wait;
  }

  void expire() {
    events::root_expired(zone->soa().serial);
    zone = nullptr;
    publish(nullptr);
    sleeper.wake();
  }

  void stop() {
    is_stopped = true;
    expiry.disarm();
    recall.give();
    sleeper.wake();
  }

  const Context context;
  const std::vector<Endpoint> servers;
  const Publish publish;
  runtime::Recall recall;
  RootSource source;
  runtime::Timer expiry;
  runtime::Sleeper sleeper;
  std::shared_ptr<const RootZone> zone;
  std::size_t current = 0;  ///< of the servers: whose turn it is
  Duration next_retry = kFirstRetry;
  bool is_stopped = false;
};

RootKeeper::RootKeeper(const Context& context, std::vector<Endpoint> servers, Publish publish)
    : impl_(std::make_unique<Impl>(context, std::move(servers), std::move(publish))) {}

RootKeeper::~RootKeeper() = default;

void RootKeeper::start(const runtime::Executor& executor) {
  boost::asio::co_spawn(executor, impl_->run(), runtime::crash_on_exception);
}

void RootKeeper::stop() {
  impl_->stop();
}

}  // namespace siskin::resolve
