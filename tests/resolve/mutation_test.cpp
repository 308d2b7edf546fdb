// Replies that are almost right, in bulk; the body also runs as a fuzz target.
#include <map>

#include "resolve/describe.hpp"
#include "resolve/fuzz_bodies.hpp"
#include "resolve/reply_samples.hpp"
#include "resolve/samples.hpp"
#include "support/catch.hpp"
#include "wire/mutate.hpp"

namespace siskin::resolve::test {

TEST_CASE("resolve/mutation: the good replies are read as what they are", "[resolve]") {
  constexpr std::array<std::string_view, kGoodReplies.size()> words{
      "answer", "referral", "nxdomain", "nodata", "answer",
      "alias",  "lame",     "answer",   "answer", "broken"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    CAPTURE(i);
    const auto kind = fuzz::check_message(from_hex(kGoodReplies[i]));
    REQUIRE(kind);
    CHECK(word(*kind) == words[i]);
  }
}

TEST_CASE("resolve/mutation: no prefix of a good reply is decoded", "[resolve]") {
  for (const auto text : kGoodReplies) {
    const Octets whole = from_hex(text);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(text, size);
      const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      CHECK_FALSE(fuzz::check_message(cut));
    }
  }
}

TEST_CASE("resolve/mutation: 100,000 mutations of replies keep every promise", "[resolve]") {
  Draw draw(73);
  std::map<std::optional<ReplyKind>, std::size_t> kinds;
  for (int i = 0; i < 100'000; ++i) {
    Octets message = from_hex(draw.of(kGoodReplies));
    for (std::size_t left = 1 + draw.below(4); left > 0; --left) wire::test::mutate(message, draw);
    ++kinds[fuzz::check_message(message)];
  }
  // The mutations reach everything.
  CHECK(kinds[std::nullopt] > 20'000);
  for (const ReplyKind kind :
       {ReplyKind::answer, ReplyKind::alias, ReplyKind::referral, ReplyKind::nodata,
        ReplyKind::nxdomain, ReplyKind::lame, ReplyKind::broken}) {
    CAPTURE(static_cast<int>(kind));
    CHECK(kinds[kind] > 500);
  }
}

TEST_CASE("resolve/mutation: noise behind a good header is survived", "[resolve]") {
  Draw draw(74);
  for (int i = 0; i < 20'000; ++i) {
    Octets message = from_hex("00 1234 8400 0001 0001 0001 0001 01'a'00 0001 0001");
    fuzz::check_message(message + draw.octets(draw.below(200)));
  }
}

}  // namespace siskin::resolve::test
