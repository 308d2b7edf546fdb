#include "serve/fetch_group.hpp"

#include <algorithm>
#include <iterator>

#include "siskin/base/check.hpp"

namespace siskin::serve {

bool FetchGroup::add(const std::optional<Network>& subnet, OnOutcome on_outcome) {
  const auto found = std::ranges::find(fetches_, subnet, &Fetch::subnet);
  const bool is_new = found == fetches_.end();
  Fetch& fetch = is_new ? fetches_.emplace_back() : *found;
  fetch.subnet = subnet;
  if (on_outcome) fetch.askers.push_back(std::move(on_outcome));
  return is_new;
}

std::optional<resolve::Question> FetchGroup::begin_next() {
  if (running_ >= (is_tailored_ ? kTailoredMax : 1)) return std::nullopt;
  const auto next = std::ranges::find(fetches_, false, &Fetch::is_running);
  if (next == fetches_.end()) return std::nullopt;
  next->is_running = true;
  ++running_;
  resolve::Question question = question_;
  question.subnet = next->subnet;
  return question;
}

std::vector<OnOutcome> FetchGroup::end(const std::optional<Network>& subnet,
                                       const resolve::Outcome& outcome) {
  const auto ended = std::ranges::find(fetches_, subnet, &Fetch::subnet);
  SISKIN_CHECK(ended != fetches_.end() && ended->is_running);
  std::vector<OnOutcome> askers = std::move(ended->askers);
  fetches_.erase(ended);
  --running_;
  if (outcome.scope > 0) is_tailored_ = true;
  const bool is_for_some = subnet && subnet->prefix_length() == 0;  // who opted out
  if (outcome.scope > 0 || is_for_some) return askers;
  std::erase_if(fetches_, [&askers](Fetch& waiting) {
    if (waiting.is_running) return false;
    std::ranges::move(waiting.askers, std::back_inserter(askers));
    return true;
  });
  return askers;
}

std::vector<std::pair<OnOutcome, SharedOutcome>> FetchGroup::release(const Find& find) {
  std::vector<std::pair<OnOutcome, SharedOutcome>> released;
  for (Fetch& fetch : fetches_) {
    const SharedOutcome outcome = fetch.askers.empty() ? nullptr : find(fetch.subnet);
    if (!outcome) continue;
    for (OnOutcome& asker : fetch.askers) released.emplace_back(std::move(asker), outcome);
    fetch.askers.clear();
  }
  return released;
}

std::size_t FetchGroup::askers() const noexcept {
  std::size_t count = 0;
  for (const Fetch& fetch : fetches_) count += fetch.askers.size();
  return count;
}

}  // namespace siskin::serve
