#include "app/trust_keeper.hpp"

#include <utility>

#include "app/events.hpp"
#include "app/worker.hpp"
#include "siskin/dnssec/anchor_state.hpp"
#include "siskin/text/file.hpp"

namespace siskin::app {

TrustKeeper::TrustKeeper(boost::asio::io_context& io, const runtime::Clock& clock, Worker& worker,
                         Settings settings, Tell tell)
    : io_(io),
      state_path_(std::move(settings.state_path)),
      tell_(std::move(tell)),
      verifier_(settings.verifier),
      driver_(io, clock, timers_),
      resolution_(io),
      recheck_(io),
      negative_({[this, &worker](wire::Name zone) {
                   return recheck_.run([&worker, zone](Errand<bool>::Answer answer) {
                     worker.would_answer(zone, std::move(answer));
                   });
                 },
                 clock, wall_clock_, timers_},
                std::move(settings.negative), tell_.negative) {
  if (state_path_.empty()) return;
  const auto resolve = [this, &worker](resolve::Question question) {
    return resolution_.run([&worker, question](Errand<resolve::Outcome>::Answer answer) {
      worker.resolve(question, std::move(answer));
    });
  };
  anchors_.emplace(resolve::AnchorKeeper::Context{resolve, verifier_, clock, wall_clock_, timers_},
                   std::move(settings.points),
                   [this](std::span<const dnssec::TrustPoint> points) { anchors_changed(points); });
}

Result<void> TrustKeeper::save() const {
  if (!anchors_) return {};
  return write(anchors_->points());
}

Result<void> TrustKeeper::write(std::span<const dnssec::TrustPoint> points) const {
  return text::replace_file(state_path_, dnssec::print_anchor_state(points));
}

/// What the file says is trusted after a restart, so it is written first.
void TrustKeeper::anchors_changed(std::span<const dnssec::TrustPoint> points) const {
  if (auto saved = write(points); !saved) events::anchor_state_not_saved(saved.error().detail);
  std::vector<dnssec::TrustAnchor> anchors = dnssec::anchors_of(points);
  if (anchors.empty()) events::no_anchor_left();
  tell_.anchors(std::move(anchors));
}

void TrustKeeper::start() {
  if (anchors_) anchors_->start(io_.get_executor());
  negative_.start(io_.get_executor());
}

void TrustKeeper::stop() {
  if (anchors_) anchors_->stop();
  negative_.stop();
  resolution_.give_up();
  recheck_.give_up();
  driver_.stop();
}

}  // namespace siskin::app
