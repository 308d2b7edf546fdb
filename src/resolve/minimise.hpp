/// QNAME minimisation (RFC 9156): which name to show to a zone's servers next.
#pragma once

#include <algorithm>

#include "siskin/wire/name.hpp"

namespace siskin::resolve {

/// One walk's steps down a name.  The first kOneLabelSteps steps add one label each, later ones
/// more, so that a name of 127 labels costs at most kStepsMax steps (RFC 9156 §2.3).
class Minimiser {
 public:
  static constexpr std::size_t kStepsMax = 10;
  static constexpr std::size_t kOneLabelSteps = 4;

  Minimiser(wire::Name name, bool enabled) : name_(std::move(name)), enabled_(enabled) {}

  /// The name to ask the servers of `zone` for; the whole name when it is the last step.
  /// Each call is a step.
  wire::Name next(const wire::Name& zone);

  /// The last `labels` labels need no asking: what that would bring is known.
  void skip(std::size_t labels) noexcept { shown_ = std::max(shown_, labels); }

  /// From now on the whole name is shown: a server could not cope, or said NXDOMAIN for a part
  /// of the name, which some do for empty non-terminals.
  void give_up() noexcept { enabled_ = false; }

 private:
  wire::Name name_;
  bool enabled_;
  std::size_t steps_ = 0;
  std::size_t shown_ = 0;  ///< labels shown so far
};

}  // namespace siskin::resolve
