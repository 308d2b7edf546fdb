/// Replies from what the cache holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "serve/request.hpp"
#include "siskin/cache/cache.hpp"

namespace siskin::serve {

/// Aliases followed for one query; as many as the resolver follows (resolve::Limits).
inline constexpr unsigned kAliasesMax = 11;

struct Hit {
  std::size_t size = 0;            ///< octets of the reply
  std::uint32_t seconds_left = 0;  ///< of the link that ends first; of a failure: the most there is
};

/// The reply's size, when the cache holds the answer or the whole chain of aliases that leads to
/// one; nothing when any link is missing.  A chain that ends in a failure, runs in a circle or is
/// longer than kAliasesMax is a SERVFAIL.  Allocates only for failures.
std::optional<Hit> answer_from_cache(const Request& request, const cache::Cache& cache, Instant now,
                                     std::size_t rotation, std::span<std::uint8_t> buffer);

}  // namespace siskin::serve
