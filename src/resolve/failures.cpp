#include "resolve/failures.hpp"

#include <algorithm>

namespace siskin::resolve {

std::uint32_t Failures::failed(const wire::Name& name, wire::RRType type, Instant now) {
  const Key key{type, name};
  const std::uint32_t second = whole_seconds(now);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    if (order_.size() >= kQuestionsMax) {
      by_key_.erase(order_.back().key);
      order_.pop_back();
    }
    order_.push_front({key, kFirst, second + kFirst});
    by_key_[key] = order_.begin();
    return kFirst;
  }
  order_.splice(order_.begin(), order_, found->second);
  Failure& failure = order_.front();
  const bool is_in_a_row = second < failure.until + kForgotten;
  failure.seconds = is_in_a_row ? std::min(2 * failure.seconds, kLongest) : kFirst;
  failure.until = second + failure.seconds;
  return failure.seconds;
}

void Failures::answered(const wire::Name& name, wire::RRType type) {
  if (order_.empty()) return;
  const auto found = by_key_.find({type, name});
  if (found == by_key_.end()) return;
  order_.erase(found->second);
  by_key_.erase(found);
}

}  // namespace siskin::resolve
