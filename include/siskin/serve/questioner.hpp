/// What serve needs of resolution: a question in, an outcome out.
#pragma once

#include "siskin/resolve/resolver.hpp"

namespace siskin::serve {

/// Threads: one core.
class Questioner {
 public:
  virtual ~Questioner() = default;
  /// Ends with an outcome whatever happens; an exception from it ends the process.
  virtual runtime::Task<resolve::Outcome> resolve(resolve::Question question) = 0;
  /// An answer from what has expired, if there is one; asks nobody.
  virtual std::optional<resolve::Outcome> stale(const resolve::Question& /*question*/) {
    return std::nullopt;
  }
};

/// The resolver as a Questioner; it must outlive this.
class ResolverQuestioner final : public Questioner {
 public:
  explicit ResolverQuestioner(resolve::Resolver& resolver) noexcept : resolver_(resolver) {}

  runtime::Task<resolve::Outcome> resolve(resolve::Question question) override {
    return resolver_.resolve(question);
  }
  std::optional<resolve::Outcome> stale(const resolve::Question& question) override {
    return resolver_.stale(question);
  }

 private:
  resolve::Resolver& resolver_;
};

}  // namespace siskin::serve
