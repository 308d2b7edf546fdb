/// Which datagram from a server's address is the reply to our query (RFC 5452 §9).
#pragma once

#include "siskin/runtime/upstream.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::resolve {

/// Takes a message with our ID and our question, letter case included over UDP when `exact_case`.
/// An error without a question section is taken by its ID alone: servers without EDNS answer so.
/// Near misses, right port but wrong ID or question, are signs of forgery (fault A1): after
/// kNearMissesMax of them the exchange gives up, and the asker repeats it over TCP.
class QueryMatch final : public runtime::ReplyFilter {
 public:
  static constexpr unsigned kNearMissesMax = 3;

  /// `query` is the message as sent; it outlives the filter.
  QueryMatch(wire::Bytes query, bool exact_case) : query_(query), exact_case_(exact_case) {}

  runtime::ReplyVerdict judge(std::span<const std::uint8_t> message) override;

 private:
  enum class Likeness { ours, other_case, different };
  Likeness compare_question(wire::Bytes message) const noexcept;
  runtime::ReplyVerdict near_miss() noexcept;

  wire::Bytes query_;
  bool exact_case_;
  unsigned near_misses_ = 0;
};

}  // namespace siskin::resolve
