#include "serve/hints.hpp"

#include <algorithm>

#include "siskin/wire/query.hpp"

namespace siskin::serve {

void Hints::make(const cache::Cache& cache, std::span<const wire::Bytes> queries) noexcept {
  next_ = 0;
  count_ = std::min(queries.size(), kQueriesMax);
  for (std::size_t i = 0; i < count_; ++i) {
    const wire::QuestionPeek question = wire::peek_question(queries[i]);
    items_[i] = {queries[i].data(), {}};
    if (!question.name.empty()) items_[i].hint = cache.expect(question.name, question.type);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (items_[i].hint) cache.fetch(*items_[i].hint);
  }
}

std::optional<cache::Cache::Hint> Hints::take(wire::Bytes message) noexcept {
  while (next_ < count_ && items_[next_].message != message.data()) ++next_;
  return next_ < count_ ? items_[next_++].hint : std::nullopt;
}

}  // namespace siskin::serve
