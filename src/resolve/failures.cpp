#include "resolve/failures.hpp"

#include <algorithm>

namespace siskin::resolve {

std::string Failures::key_of(const wire::Name& name, wire::RRType type) {
  const wire::Name lowered = name.lowered();
  std::string key(lowered.wire().begin(), lowered.wire().end());
  const auto number = static_cast<std::uint16_t>(type);
  key.push_back(static_cast<char>(number >> 8));
  key.push_back(static_cast<char>(number & 0xff));
  return key;
}

std::uint32_t Failures::failed(const wire::Name& name, wire::RRType type, Instant now) {
  const std::string key = key_of(name, type);
  const std::uint32_t second = whole_seconds(now);
  const auto found = by_question_.find(key);
  if (found == by_question_.end()) {
    if (order_.size() >= kQuestionsMax) {
      by_question_.erase(order_.back().question);
      order_.pop_back();
    }
    order_.push_front({key, kFirst, second + kFirst});
    by_question_[key] = order_.begin();
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
  const auto found = by_question_.find(key_of(name, type));
  if (found == by_question_.end()) return;
  order_.erase(found->second);
  by_question_.erase(found);
}

}  // namespace siskin::resolve
