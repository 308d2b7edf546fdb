#include "siskin/resolve/anchor_keeper.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <limits>
#include <utility>

#include "resolve/events.hpp"
#include "siskin/runtime/sleeper.hpp"

namespace siskin::resolve {
namespace {

using dnssec::TrustPoint;
using runtime::Task;
using wire::RRset;

/// Seconds: what is cached is no news of the zone.
constexpr std::uint32_t kWhateverIsLeft = std::numeric_limits<std::uint32_t>::max() - 1;

WallTime wall_time(const runtime::WallClock& clock) {
  return WallTime{std::chrono::seconds(clock.seconds())};
}

const RRset* keys_in(const Outcome& outcome, const wire::Name& zone) {
  const auto at = std::ranges::find_if(outcome.answer, [&](const RRset& set) {
    return set.type == wire::RRType::dnskey && set.owner == zone;
  });
  return at == outcome.answer.end() ? nullptr : &*at;
}

std::string failure_of(const wire::Name& zone, const Outcome& outcome) {
  const bool has_words = outcome.error && !outcome.error->text.empty();
  return wire::brief_text(zone) + " DNSKEY: " + (has_words ? outcome.error->text : "no answer");
}

}  // namespace

struct AnchorKeeper::Impl {
  Impl(Context&& given, std::vector<TrustPoint>&& trust_points, Changed&& changed_to)
      : context(std::move(given)),
        points(std::move(trust_points)),
        changed(std::move(changed_to)),
        due(points.size(), context.clock.now()),
        sleeper(context.timers) {}

  Task<void> run() {
    while (!is_stopped && !points.empty()) {
      const auto next = static_cast<std::size_t>(std::ranges::min_element(due) - due.begin());
      if (due[next] > context.clock.now()) co_await sleeper.until(due[next]);
      if (is_stopped) break;
      const Duration wait = co_await look(points[next]);
      due[next] = context.clock.now() + wait;
    }
  }

  /// How long until the next look.
  Task<Duration> look(TrustPoint& point) {
    Question question{.name = point.zone(), .type = wire::RRType::dnskey};
    question.renew_below = kWhateverIsLeft;
    question.checking_disabled = true;
    const Outcome outcome = co_await context.resolve(question);
    if (is_stopped) co_return TrustPoint::kRetry;
    const RRset* const keys = keys_in(outcome, point.zone());
    if (keys == nullptr) {
      events::anchor_not_seen(failure_of(point.zone(), outcome), TrustPoint::kRetry);
      co_return TrustPoint::kRetry;
    }
    const WallTime now = wall_time(context.wall_clock);
    const auto seconds = static_cast<std::uint64_t>(now.time_since_epoch().count());
    dnssec::Work work{dnssec::Work::Limits{}};
    const TrustPoint::Seen seen =
        point.see(*keys, {.now = static_cast<std::uint32_t>(seconds)}, now, work, context.verifier);
    for (const TrustPoint::Change& change : seen.changes) {
      events::anchor_changed(point.zone(), change);
    }
    if (!seen.is_good) events::anchor_not_seen(seen.why.text, seen.next);
    if (!seen.changes.empty()) changed(points);
    co_return seen.next;
  }

  const Context context;
  std::vector<TrustPoint> points;
  const Changed changed;
  std::vector<Instant> due;  ///< one for each point
  runtime::Sleeper sleeper;
  bool is_stopped = false;
};

AnchorKeeper::AnchorKeeper(Context context, std::vector<TrustPoint> points, Changed changed)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(points), std::move(changed))) {}

AnchorKeeper::~AnchorKeeper() = default;

std::span<const TrustPoint> AnchorKeeper::points() const noexcept {
  return impl_->points;
}

void AnchorKeeper::start(const runtime::Executor& executor) {
  boost::asio::co_spawn(executor, impl_->run(), runtime::crash_on_exception);
}

void AnchorKeeper::stop() {
  impl_->is_stopped = true;
  impl_->sleeper.wake();
}

std::vector<wire::Name> in_force(std::span<const NegativeAnchor> anchors, WallTime now) {
  std::vector<wire::Name> zones;
  for (const NegativeAnchor& anchor : anchors) {
    if (!anchor.until || *anchor.until > now) zones.push_back(anchor.zone);
  }
  return zones;
}

struct NegativeAnchorKeeper::Impl {
  static constexpr Duration kRecheck = std::chrono::minutes(5);

  Impl(Context&& given, std::vector<NegativeAnchor>&& negative_anchors, Changed&& changed_to)
      : context(std::move(given)),
        anchors(std::move(negative_anchors)),
        changed(std::move(changed_to)),
        sleeper(context.timers) {}

  Task<void> run() {
    for (;;) {
      drop_those_over();
      const auto wait = until_next();
      if (!wait) co_return;
      co_await sleeper.until(context.clock.now() + *wait);
      if (is_stopped) co_return;
      drop_those_over();
      co_await recheck();
      if (is_stopped) co_return;
    }
  }

  /// The wall clock may jump, so it is looked at again after a recheck's time at the latest.
  /// Nothing: no anchor has an end.
  std::optional<Duration> until_next() const {
    std::optional<Duration> wait;
    const WallTime now = wall_time(context.wall_clock);
    for (const NegativeAnchor& anchor : anchors) {
      if (!anchor.until) continue;
      wait = std::min(wait.value_or(kRecheck), Duration(*anchor.until - now));
    }
    return wait;
  }

  void drop_those_over() {
    const WallTime now = wall_time(context.wall_clock);
    const auto is_over = [&](const NegativeAnchor& anchor) {
      if (!anchor.until || *anchor.until > now) return false;
      events::negative_anchor_over(anchor.zone);
      return true;
    };
    if (std::erase_if(anchors, is_over) > 0) changed(in_force(anchors, now));
  }

  Task<void> recheck() {
    std::vector<wire::Name> zones;
    for (const NegativeAnchor& anchor : anchors) {
      if (anchor.until) zones.push_back(anchor.zone);
    }
    for (const wire::Name& zone : zones) {
      const bool would_answer = co_await context.would_answer(zone);
      if (is_stopped) co_return;
      if (!would_answer) continue;
      events::negative_anchor_lifted(zone);
      std::erase_if(anchors,
                    [&](const NegativeAnchor& one) { return one.until && one.zone == zone; });
      changed(in_force(anchors, wall_time(context.wall_clock)));
    }
  }

  const Context context;
  std::vector<NegativeAnchor> anchors;
  const Changed changed;
  runtime::Sleeper sleeper;
  bool is_stopped = false;
};

NegativeAnchorKeeper::NegativeAnchorKeeper(Context context, std::vector<NegativeAnchor> anchors,
                                           Changed changed)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(anchors), std::move(changed))) {}

NegativeAnchorKeeper::~NegativeAnchorKeeper() = default;

void NegativeAnchorKeeper::start(const runtime::Executor& executor) {
  boost::asio::co_spawn(executor, impl_->run(), runtime::crash_on_exception);
}

void NegativeAnchorKeeper::stop() {
  impl_->is_stopped = true;
  impl_->sleeper.wake();
}

}  // namespace siskin::resolve
