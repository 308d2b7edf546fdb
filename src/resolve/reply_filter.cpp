#include "resolve/reply_filter.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"
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
  if (questions == 0 && !has_records && wire::rcode_bits(flags) != 0) return ReplyVerdict::take;
  if (questions != 1) return near_miss();
  switch (compare_question(message)) {
    case Likeness::ours: return ReplyVerdict::take;
    case Likeness::other_case: return ReplyVerdict::give_up;
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

ReplyVerdict QueryMatch::near_miss() noexcept {
  return ++near_misses_ >= kNearMissesMax ? ReplyVerdict::give_up : ReplyVerdict::ignore;
}

}  // namespace siskin::resolve
