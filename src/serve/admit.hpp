/// What is to become of a query, judged by its form, its sender and its question alone.
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/wire/query.hpp"

namespace siskin::serve {

enum class Step : std::uint8_t {
  drop,         ///< no reply
  error,        ///< reply with `rcode` and nothing else
  chaos,        ///< a question about the server itself
  minimal_any,  ///< RFC 8482
  from_cache,   ///< RD clear: what is known, and no question to anybody
  resolve,      ///< from the cache, else by asking
};

struct Admission {
  Step step = Step::drop;
  wire::Rcode rcode = wire::Rcode::noerror;
  std::optional<wire::Ede> reason;

  friend bool operator==(const Admission&, const Admission&) = default;
};

Admission admit(wire::QueryVerdict verdict, const wire::QueryView& query,
                bool client_allowed) noexcept;

}  // namespace siskin::serve
