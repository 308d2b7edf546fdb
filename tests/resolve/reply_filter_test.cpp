#include "resolve/reply_filter.hpp"

#include "resolve/message.hpp"
#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using runtime::ReplyVerdict;

constexpr std::string_view kQuestion = "03'wWw'07'exAmple'00 0001 0001";

/// The verdict on one message that comes first.
ReplyVerdict judged(std::string_view message, bool exact_case = true) {
  const std::vector<std::uint8_t> query = encode(query_for("wWw.exAmple."));
  QueryMatch match(query, exact_case);
  return match.judge(from_hex(message));
}

/// The verdicts on several.
std::string judged_all(std::initializer_list<std::string_view> messages) {
  const std::vector<std::uint8_t> query = encode(query_for("wWw.exAmple."));
  QueryMatch match(query, true);
  std::string verdicts;
  for (const auto message : messages) {
    switch (match.judge(from_hex(message))) {
      case ReplyVerdict::take: verdicts += "take "; break;
      case ReplyVerdict::ignore: verdicts += "ignore "; break;
      case ReplyVerdict::give_up: verdicts += "give_up "; break;
    }
  }
  return verdicts;
}

std::string reply(std::string_view id, std::string_view flags = "8400",
                  std::string_view question = kQuestion) {
  return std::string(id) + std::string(flags) + "0001 0000 0000 0000" + std::string(question);
}

const std::string kTrue = reply("1234");
const std::string kWrongId = reply("1235");
const std::string kWrongName = reply("1234", "8400", "03'wWw'07'exAmplf'00 0001 0001");

}  // namespace

TEST_CASE("resolve/reply_filter: our ID and our question are taken, whatever follows",
          "[resolve]") {
  CHECK(judged(kTrue) == ReplyVerdict::take);
  CHECK(judged(reply("1234", "8403")) == ReplyVerdict::take);
  CHECK(judged(reply("1234", "8200")) == ReplyVerdict::take);
  CHECK(judged(kTrue + "c00c 0001") == ReplyVerdict::take);
  CHECK(judged("1234 8400 0001 ffff ffff ffff" + std::string(kQuestion)) == ReplyVerdict::take);
}

TEST_CASE("resolve/reply_filter: in another letter case it ends the exchange over UDP",
          "[resolve]") {
  const std::string lower = reply("1234", "8400", "03'www'07'example'00 0001 0001");
  const std::string flipped = reply("1234", "8400", "03'WwW'07'EXaMPLE'00 0001 0001");
  CHECK(judged(lower) == ReplyVerdict::give_up);
  CHECK(judged(flipped) == ReplyVerdict::give_up);
  CHECK(judged(lower, false) == ReplyVerdict::take);
  CHECK(judged(flipped, false) == ReplyVerdict::take);
}

TEST_CASE("resolve/reply_filter: only letters have a case", "[resolve]") {
  // "[" and "{" differ by the bit that makes letters small.
  const std::vector<std::uint8_t> query = encode(query_for("[."));
  QueryMatch match(query, false);
  CHECK(match.judge(from_hex("1234 8400 0001 0000 0000 0000 01'{'00 0001 0001")) ==
        ReplyVerdict::ignore);
  CHECK(match.judge(from_hex("1234 8400 0001 0000 0000 0000 01'['00 0001 0001")) ==
        ReplyVerdict::take);
}

TEST_CASE("resolve/reply_filter: an error without a question is taken by its ID alone",
          "[resolve]") {
  CHECK(judged("1234 8001 0000 0000 0000 0000") == ReplyVerdict::take);  // FORMERR
  CHECK(judged("1234 8004 0000 0000 0000 0000") == ReplyVerdict::take);  // NOTIMP
  CHECK(judged("1234 8001 0000 0000 0000 0001 00 0029 0200 00000000 0000") == ReplyVerdict::take);
  CHECK(judged("1235 8001 0000 0000 0000 0000") == ReplyVerdict::ignore);
  CHECK(judged("1234 0001 0000 0000 0000 0000") == ReplyVerdict::ignore);  // QR = 0
}

TEST_CASE("resolve/reply_filter: what is no answer is ignored, fault A11", "[resolve]") {
  struct Row {
    std::string what, message;
  };
  for (const Row& row : {
           Row{"nothing", ""},
           Row{"one octet", "12"},
           Row{"eleven octets", "1234 8400 0001 0000 0000 00"},
           Row{"a header only", "1234 8400 0001 0000 0000 0000"},
           Row{"a header only, no counts", "1234 8400 0000 0000 0000 0000"},
           Row{"QR = 0", reply("1234", "0400")},
           Row{"opcode 4", reply("1234", "a400")},
           Row{"opcode 15", reply("1234", "fc00")},
           Row{"no question but records",
               "1234 8400 0000 0001 0000 0000 00 0001 0001 00000000"
               "0004 c0000201"},
           Row{"an error without a question but with records",
               "1234 8003 0000 0001 0000 0000 00 0001 0001 00000000 0004 c0000201"},
           Row{"two questions",
               "1234 8400 0002 0000 0000 0000" + std::string(kQuestion) + std::string(kQuestion)},
           Row{"the question's name cut", reply("1234", "8400", "03'wWw'07'exA'")},
           Row{"the question's type cut", reply("1234", "8400", "03'wWw'07'exAmple'00 00")},
           Row{"the question's class cut", reply("1234", "8400", "03'wWw'07'exAmple'00 0001 00")},
           Row{"a compressed question", reply("1234", "8400", "03'wWw'c010 0001 0001")},
       }) {
    CAPTURE(row.what);
    CHECK(judged(row.message) == ReplyVerdict::ignore);
    CHECK(judged_all({row.message, kTrue}) == "ignore take ");
  }
}

TEST_CASE("resolve/reply_filter: near misses are ignored, the third ends the exchange, fault A1",
          "[resolve]") {
  CHECK(judged_all({kWrongId, kWrongId, kTrue}) == "ignore ignore take ");
  CHECK(judged_all({kWrongId, kWrongId, kWrongId}) == "ignore ignore give_up ");
  CHECK(judged_all({kWrongId, kWrongName, kWrongId, kTrue}) == "ignore ignore give_up take ");
}

TEST_CASE("resolve/reply_filter: wrong ID, name, type and class are all near misses, fault A1",
          "[resolve]") {
  for (const std::string& message :
       {kWrongId, kWrongName, reply("1234", "8400", "03'wWw'07'exAmple'00 001c 0001"),
        reply("1234", "8400", "03'wWw'07'exAmple'00 0001 0003"),
        reply("1234", "8400", "07'exAmple'00 0001 0001"),
        reply("1234", "8400", "01'a'03'wWw'07'exAmple'00 0001 0001"),
        reply("1234", "8400", "00 0001 0001"), std::string("1235 8001 0000 0000 0000 0000"),
        std::string("1234 8400 0001 0000 0000 0000")}) {
    CAPTURE(message);
    CHECK(judged_all({message, message, message}) == "ignore ignore give_up ");
  }
}

TEST_CASE("resolve/reply_filter: noise is no sign of forgery", "[resolve]") {
  const std::string short_one = "1234 84";
  const std::string query = reply("1234", "0000");
  CHECK(judged_all({short_one, short_one, short_one, query, query, query, kTrue}) ==
        "ignore ignore ignore ignore ignore ignore take ");
}

TEST_CASE("resolve/reply_filter: the root's question has no letters to compare", "[resolve]") {
  const std::vector<std::uint8_t> query = encode(query_for(".", RRType::ns));
  QueryMatch match(query, true);
  CHECK(match.judge(from_hex("1234 8400 0001 0000 0000 0000 00 0002 0001")) == ReplyVerdict::take);
}

}  // namespace siskin::resolve::test
