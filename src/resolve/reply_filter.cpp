#include "resolve/reply_filter.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"

namespace siskin::resolve {

using runtime::ReplyVerdict;
using wire::Bytes;

ReplyVerdict QueryMatch::judge(Bytes message) {
  wire::Reader reader(message);
  const std::uint16_t id = reader.u16();
  const std::uint16_t flags = reader.u16();
  const std::uint16_t questions = reader.u16();
  const bool has_records = reader.u32() != 0;  // of answer and authority
  reader.skip(2);
  if (reader.failed() || !(flags & wire::flag::qr)) return ReplyVerdict::ignore;
  if (id != wire::Reader(query_).u16()) return near_miss();
  if (wire::opcode_of(flags) != wire::Opcode::query) return ReplyVerdict::ignore;
  if (questions == 0 && !has_records && wire::rcode_bits(flags) != 0) return check_cookie(message);
  if (questions != 1) return near_miss();
  switch (compare_question(message)) {
    case Likeness::ours: return check_cookie(message);
    case Likeness::other_case: return give_up(Doubt::letter_case);
    case Likeness::different: return near_miss();
  }
  return ReplyVerdict::ignore;
}

/// Both questions lie uncompressed behind the header: a first name has nothing to point back to.
QueryMatch::Likeness QueryMatch::compare_question(Bytes message) const noexcept {
  const Bytes ours = query_.subspan(wire::kHeaderSize);
  const std::size_t name_size = wire::name_size(ours);
  const std::size_t size = name_size + 4;
  const Bytes theirs = message.subspan(wire::kHeaderSize);
  if (theirs.size() < size || wire::name_size(theirs) != name_size ||
      !std::ranges::equal(ours.subspan(name_size, 4), theirs.subspan(name_size, 4)) ||
      !wire::equal_names(ours.first(name_size), theirs.first(name_size))) {
    return Likeness::different;
  }
  const bool same_case = std::ranges::equal(ours.first(name_size), theirs.first(name_size));
  return same_case || !exact_case_ ? Likeness::ours : Likeness::other_case;
}

/// A cookie of a length that there is not counts as none.
ReplyVerdict QueryMatch::check_cookie(Bytes message) noexcept {
  if (!client_) return ReplyVerdict::take;
  const auto options = wire::find_opt(message);
  const auto option =
      options ? wire::find_option(*options, wire::EdnsOption::cookie) : std::optional<Bytes>();
  const auto cookie = option ? wire::Cookie::parse(*option) : std::optional<wire::Cookie>();
  if (!cookie) return is_cookie_due_ ? give_up(Doubt::no_cookie) : ReplyVerdict::take;
  if (cookie->client != *client_) return near_miss();
  cookie_ = cookie;
  return ReplyVerdict::take;
}

ReplyVerdict QueryMatch::near_miss() noexcept {
  return ++near_misses_ >= kNearMissesMax ? give_up(Doubt::near_misses) : ReplyVerdict::ignore;
}

ReplyVerdict QueryMatch::give_up(Doubt doubt) noexcept {
  doubt_ = doubt;
  return ReplyVerdict::give_up;
}

}  // namespace siskin::resolve
