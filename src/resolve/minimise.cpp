#include "resolve/minimise.hpp"

#include <algorithm>

namespace siskin::resolve {

wire::Name Minimiser::next(const wire::Name& zone) {
  const std::size_t all = name_.label_count();
  if (!enabled_ || steps_ >= kStepsMax) return name_;
  shown_ = std::max(shown_, zone.label_count());
  const std::size_t hidden = all - std::min(all, shown_);
  std::size_t add = 1;
  if (steps_ >= kOneLabelSteps) {
    const std::size_t steps_left = kStepsMax - steps_;
    add = (hidden + steps_left - 1) / steps_left;
  }
  ++steps_;
  shown_ += std::min(hidden, std::max<std::size_t>(add, 1));
  return shown_ >= all ? name_ : name_.suffix(shown_);
}

}  // namespace siskin::resolve
