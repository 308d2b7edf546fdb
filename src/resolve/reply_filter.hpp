/// Which datagram from a server's address is the reply to our query (RFC 5452 §9).
#pragma once

#include "siskin/runtime/upstream.hpp"
#include "siskin/wire/cookie.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::resolve {

/// Takes a message with our ID and our question, letter case included over UDP when `exact_case`.
/// An error without a question is taken by its ID alone: servers without EDNS answer so.
/// Near misses, right port but wrong ID, question or cookie, are signs of forgery (fault A1): after
/// kNearMissesMax of them the exchange gives up, and the asker repeats it over TCP.
class QueryMatch final : public runtime::ReplyFilter {
 public:
  static constexpr unsigned kNearMissesMax = 3;

  /// Why the exchange ended, where it gave up.
  enum class Doubt : std::uint8_t { near_misses, letter_case, no_cookie };

  /// `query` is the message as sent; it outlives the filter.
  QueryMatch(wire::Bytes query, bool exact_case) : query_(query), exact_case_(exact_case) {}

  /// With the query went this cookie.  `is_due`: a reply without one is not taken.
  void expect_cookie(const wire::Cookie::Client& client, bool is_due) {
    client_ = client;
    is_cookie_due_ = is_due;
  }

  runtime::ReplyVerdict judge(std::span<const std::uint8_t> message) override;

  unsigned near_misses() const noexcept { return near_misses_; }
  Doubt doubt() const noexcept { return doubt_; }
  /// Of the message that was taken; nothing: it had none, or none was expected.
  const std::optional<wire::Cookie>& cookie() const noexcept { return cookie_; }

 private:
  enum class Likeness { ours, other_case, different };
  Likeness compare_question(wire::Bytes message) const noexcept;
  runtime::ReplyVerdict check_cookie(wire::Bytes message) noexcept;
  runtime::ReplyVerdict near_miss() noexcept;
  runtime::ReplyVerdict give_up(Doubt doubt) noexcept;

  wire::Bytes query_;
  bool exact_case_;
  bool is_cookie_due_ = false;
  Doubt doubt_ = Doubt::near_misses;
  unsigned near_misses_ = 0;
  std::optional<wire::Cookie::Client> client_;
  std::optional<wire::Cookie> cookie_;
};

}  // namespace siskin::resolve
