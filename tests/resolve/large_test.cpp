// Replies of 65,535 octets made to cost as much as they can, fault A69.  Time is not asserted on:
// work that grows with the square of the records would run into the test's time-out.
#include "resolve/classify.hpp"
#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

constexpr std::size_t kMessageMax = 65535;
constexpr std::size_t kQuestionEnd = 29;  ///< of RawReply's question, www.example.

/// As many of `make(i)` as fit, in the answer section.
template <class Make>
RawReply fill(Make make, std::size_t size = kQuestionEnd) {
  RawReply reply;
  for (std::size_t i = 0;; ++i) {
    Octets next = make(i);
    size += next.size();
    if (size > kMessageMax) return reply;
    reply.answer.push_back(std::move(next));
  }
}

/// A label of two octets for each number up to 65535.
std::string label(std::size_t number) {
  return "02" + to_hex(u16_octets(number));
}

Reply classified(const Message& message) {
  const wire::Name qname = name("www.example.");
  const wire::Name zone = name("example.");
  return classify(message, {qname, RRType::a, zone}, 20);
}

}  // namespace

TEST_CASE("resolve/large: a reply of thousands of owners", "[resolve]") {
  const RawReply reply =
      fill([](std::size_t i) { return record(label(i) + "c010", RRType::a, "c0000201"); });
  REQUIRE(reply.answer.size() == 3447);
  const auto message = decode_reply(reply).value();
  CHECK(message.answer.size() == 3447 - 360);  // "A" and "a" are one
  CHECK(classified(message).kind == ReplyKind::nodata);
}

TEST_CASE("resolve/large: a reply of one owner with thousands of types", "[resolve]") {
  const RawReply reply =
      fill([](std::size_t i) { return record("c00c", static_cast<RRType>(10'000 + i), ""); });
  REQUIRE(reply.answer.size() == 5458);
  CHECK(decode_reply(reply).value().answer.size() == 5458);
}

TEST_CASE("resolve/large: a reply of two sets with their records interleaved", "[resolve]") {
  const RawReply reply = fill([](std::size_t i) {
    return record(i % 2 == 0 ? "c00c" : "c010", RRType::a, "c000" + to_hex(u16_octets(i)));
  });
  REQUIRE(reply.answer.size() == 4094);
  const auto message = decode_reply(reply).value();
  REQUIRE(message.answer.size() == 2);
  CHECK(message.answer[0].records.count() == 2047);
  CHECK(message.answer[1].records.count() == 2047);
  CHECK(classified(message).set->records.count() == 2047);
}

TEST_CASE("resolve/large: a reply of thousands of signatures of one set", "[resolve]") {
  const RawReply reply = fill([](std::size_t i) {
    if (i == 0) return record("c00c", RRType::a, "c0000201");
    return record("c00c", RRType::rrsig,
                  "0001 0d 02 0000003c 65000000 64000000 1234 00" + to_hex(u16_octets(i)));
  });
  const auto message = decode_reply(reply).value();
  REQUIRE(message.answer.size() == 1);
  CHECK(message.answer[0].signatures.count() == reply.answer.size() - 1);
}

TEST_CASE("resolve/large: a reply of the longest names, all alike but for their ends",
          "[resolve]") {
  std::string labels_text;
  std::string labels;
  for (int i = 0; i < 124; ++i) labels_text += "a.";
  for (int i = 0; i < 124; ++i) labels += "01'a'";
  RawReply reply{.question = labels_text + "b."};
  // Each owner is a label and a pointer to the labels of the question with another end.
  reply.answer = {record("c00c", static_cast<RRType>(65280), labels + "01'c'00")};
  const std::size_t question_end = wire::kHeaderSize + name(reply.question).size() + 4;
  const std::string pointer = to_hex(u16_octets(0xc000 + question_end + 12));
  const RawReply rest = fill(
      [&](std::size_t i) {
        return record("01" + to_hex({{static_cast<std::uint8_t>(i)}}) + pointer,
                      static_cast<RRType>(10'000 + i), "");
      },
      question_end + reply.answer[0].size());
  reply.answer.insert(reply.answer.end(), rest.answer.begin(), rest.answer.end());

  const wire::Name original = name("A." + reply.question.substr(2));
  const auto message = decode(reply.octets(), query_for(reply.question), original).value();
  CHECK(message.answer.size() == reply.answer.size());
  CHECK(message.answer.front().owner.to_text() == original.to_text());
  CHECK(message.answer.back().owner.size() == 253);
}

TEST_CASE("resolve/large: a long way of pointers to each name is refused, fault A67", "[resolve]") {
  // 8170 pointers, each to the one before it, and then as many names as fit that begin at the last.
  constexpr std::size_t chain_at = kQuestionEnd + 12;
  Octets chain{0};
  std::size_t last = chain_at;
  while (chain_at + chain.size() < 0x4000) {
    const std::size_t at = chain_at + chain.size();
    for (const std::uint8_t octet : u16_octets(0xc000 + last)) chain.push_back(octet);
    last = at;
  }
  RawReply reply;
  reply.answer = {record("c00c", static_cast<RRType>(65280), chain)};
  CHECK(decode_reply(reply));

  const Octets pointer = u16_octets(0xc000 + last);
  const RawReply rest =
      fill([&](std::size_t) { return record(to_hex(pointer), RRType::minfo, pointer + pointer); },
           kQuestionEnd + reply.answer[0].size());
  reply.answer.insert(reply.answer.end(), rest.answer.begin(), rest.answer.end());
  CHECK(decoded(reply) == "malformed");
}

TEST_CASE("resolve/large: tens of thousands of empty strings in one TXT are refused", "[resolve]") {
  // ldns takes the memory of the whole RDATA for each of its strings.
  RawReply reply;
  reply.answer = {record("c00c", RRType::txt, Octets(65'000))};
  CHECK(decoded(reply) == "malformed");
}

TEST_CASE("resolve/large: the longest TXT of full strings is taken", "[resolve]") {
  Octets full;
  for (int i = 0; i < 255; ++i) full = full + Octets{255} + Octets(255, 'x');
  RawReply reply;
  reply.answer = {record("c00c", RRType::txt, full)};
  const auto message = decode_reply(reply).value();
  CHECK((*message.answer.at(0).records.begin()).size() == 65'280);
}

}  // namespace siskin::resolve::test
