#include "siskin/wire/writer.hpp"

#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

RRset set_of(std::string_view owner, RRType type, std::uint32_t ttl,
             std::initializer_list<std::string_view> rdata) {
  return {name(owner), type, ttl, records(rdata), {}};
}

/// A message in the making, for a question at a.example with type A unless told otherwise.
struct Draft {
  explicit Draft(std::size_t limit = 512, std::size_t reserved = 0,
                 std::string_view question = "a.example")
      : writer(buffer, limit, reserved) {
    writer.begin(0x1234, flag::qr);
    writer.question(name(question).wire(), RRType::a, RRClass::in);
  }

  std::string finished(Rcode rcode = Rcode::noerror, const MessageWriter::Opt* opt = nullptr) {
    return to_hex(writer.finish(rcode, opt));
  }

  std::array<std::uint8_t, 4096> buffer{};
  MessageWriter writer;
};

/// `records`: what follows the question of a Draft.
std::string message(std::string_view flags, std::string_view counts, std::string_view records) {
  return to_hex(from_hex("1234") + from_hex(flags) + from_hex("0001") + from_hex(counts) +
                from_hex("01'a'07'example'00 0001 0001") + from_hex(records));
}

}  // namespace

TEST_CASE("wire/writer: owners that are the question become a pointer to it", "[wire]") {
  std::array<std::uint8_t, 512> buffer{};
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0x1234, flag::qr | flag::rd | flag::ra);
  writer.question(name("wWw.example.").wire(), RRType::a, RRClass::in);
  CHECK(writer.add(Section::answer,
                   set_of("www.EXAMPLE.", RRType::a, 300, {"c0000201", "c0000202"}), true));
  CHECK(to_hex(writer.finish(Rcode::noerror, nullptr)) ==
        to_hex(from_hex("1234 8180 0001 0002 0000 0000"
                        "03'wWw'07'example'00 0001 0001"
                        "c00c 0001 0001 0000012c 0004 c0000201"
                        "c00c 0001 0001 0000012c 0004 c0000202")));
  CHECK(writer.count(Section::answer) == 2);
  CHECK(writer.TEST_compression_work() == 0);
}

TEST_CASE("wire/writer: names in RDATA share their suffixes with what came before", "[wire]") {
  Draft draft;
  auto& writer = draft.writer;
  CHECK(writer.add(Section::answer,
                   set_of("a.example", RRType::mx, 1, {"000a 02'mx'07'EXAMPLE'00"}), true));
  CHECK(writer.add(Section::authority,
                   set_of("example", RRType::ns, 2, {"02'ns'02'mx'07'example'00"}), true));
  CHECK(writer.add(Section::additional,
                   set_of("NS.MX.example", RRType::a, 3, {"c0000201", "c0000202"}), true));
  const MessageWriter::Opt opt{1232, true, nullptr};
  CHECK(draft.finished(Rcode::noerror, &opt) ==
        message("8000", "0001 0001 0003",
                "c00c 000f 0001 00000001 0007 000a 02'mx'c00e"  // mx at 41
                "c00e 0002 0001 00000002 0005 02'ns'c029"       // ns at 58
                "c03a 0001 0001 00000003 0004 c0000201"
                "c03a 0001 0001 00000003 0004 c0000202"
                "00 0029 04d0 00008000 0000"));
}

TEST_CASE("wire/writer: an owner is written once and then pointed at", "[wire]") {
  Draft draft;
  CHECK(draft.writer.add(Section::answer, set_of("other.", RRType::a, 1, {"01", "02"}), true));
  CHECK(draft.finished() == message("8000", "0002 0000 0000",
                                    "05'other'00 0001 0001 00000001 0001 01"
                                    "c01b 0001 0001 00000001 0001 02"));
}

TEST_CASE("wire/writer: both names of SOA are compressed, the root never", "[wire]") {
  Draft draft;
  CHECK(draft.writer.add(Section::authority,
                         set_of(".", RRType::soa, 9,
                                {"01'm'07'example'00 00 00000001 00000002 00000003 00000004"
                                 "00000005",
                                 "01'm'01'a'07'example'00 01'M'07'example'00"
                                 "00000001 00000002 00000003 00000004 00000005"}),
                         true));
  CHECK(draft.finished() == message("8000", "0000 0002 0000",
                                    "00 0006 0001 00000009 0019 01'm'c00e 00"  // m at 38
                                    "00000001 00000002 00000003 00000004 00000005"
                                    "00 0006 0001 00000009 001a 01'm'c00c c026"
                                    "00000001 00000002 00000003 00000004 00000005"));
}

TEST_CASE("wire/writer: names in newer types are left alone, RFC 3597 §4", "[wire]") {
  Draft draft;
  CHECK(draft.writer.add(Section::answer,
                         set_of("a.example", RRType::srv, 1, {"0001 0002 0003 07'example'00"}),
                         true));
  CHECK(draft.writer.add(Section::answer, set_of("a.example", RRType::dname, 1, {"07'example'00"}),
                         true));
  CHECK(draft.finished() == message("8000", "0002 0000 0000",
                                    "c00c 0021 0001 00000001 000f 0001 0002 0003 07'example'00"
                                    "c00c 0027 0001 00000001 0009 07'example'00"));
}

TEST_CASE("wire/writer: labels with the same octets are told apart by what follows", "[wire]") {
  Draft draft(512, 0, "x.a.b");
  // x.b shares b, not x.a.b; a.x.a.b hangs before the whole question; b.x shares nothing.
  CHECK(draft.writer.add(
      Section::answer,
      set_of(".", RRType::ns, 0, {"01'x'01'b'00", "01'a'01'x'01'a'01'b'00", "01'b'01'x'00"}),
      true));
  const std::string expected =
      to_hex(from_hex("1234 8000 0001 0003 0000 0000 01'x'01'a'01'b'00 0001 0001"
                      "00 0002 0001 00000000 0004 01'x'c010"
                      "00 0002 0001 00000000 0004 01'a'c00c"
                      "00 0002 0001 00000000 0005 01'b'01'x'00"));
  CHECK(draft.finished() == expected);
}

TEST_CASE("wire/writer: rotation begins with any record", "[wire]") {
  const auto set = set_of("a.example", RRType::a, 1, {"01", "02", "03"});
  for (const auto& [first, order] :
       {std::pair{0U, "010203"}, std::pair{1U, "020301"}, std::pair{2U, "030102"},
        std::pair{3U, "010203"}, std::pair{1000U, "020301"}}) {
    CAPTURE(first);
    Draft draft;
    CHECK(draft.writer.add(Section::answer, set, true, first));
    const Octets octets = from_hex(draft.finished());
    const std::size_t begin = kHeaderSize + 11 + 4;
    CHECK(to_hex(Octets{octets[begin + 12], octets[begin + 25], octets[begin + 38]}) == order);
  }
}

TEST_CASE("wire/writer: signatures go with their set when wanted", "[wire]") {
  auto set = set_of("a.example", RRType::a, 7, {"c0000201"});
  set.signatures = records({"0001", "0002"});
  Draft with;
  CHECK(with.writer.add(Section::answer, set, true));
  CHECK(with.finished() == message("8000", "0003 0000 0000",
                                   "c00c 0001 0001 00000007 0004 c0000201"
                                   "c00c 002e 0001 00000007 0002 0001"
                                   "c00c 002e 0001 00000007 0002 0002"));
  Draft without;
  CHECK(without.writer.add(Section::answer, set, false));
  CHECK(without.finished() ==
        message("8000", "0001 0000 0000", "c00c 0001 0001 00000007 0004 c0000201"));
}

TEST_CASE("wire/writer: records have the question's class", "[wire]") {
  for (const auto& [klass, octets] :
       {std::pair{RRClass::ch, "0003"}, std::pair{RRClass::in, "0001"},
        std::pair{RRClass::any, "0001"}}) {
    std::array<std::uint8_t, 512> buffer{};
    MessageWriter writer(buffer, buffer.size(), 0);
    writer.begin(1, 0);
    writer.question(from_hex("00"), RRType::txt, klass);
    CHECK(writer.add(Section::answer, set_of(".", RRType::txt, 0, {"01'x'"}), true));
    const std::string text = to_hex(writer.finish(Rcode::noerror, nullptr));
    CHECK(text.substr((12 + 5 + 3) * 2, 4) == octets);
  }
}

TEST_CASE("wire/writer: a reply may have a header only", "[wire]") {
  std::array<std::uint8_t, 12> buffer{};
  MessageWriter writer(buffer, 12, 0);
  writer.begin(0xfefe, flag::qr);
  CHECK(to_hex(writer.finish(Rcode::formerr, nullptr)) == "fefe80010000000000000000");
}

TEST_CASE("wire/writer: twelve bits of RCODE are split between header and OPT", "[wire]") {
  const MessageWriter::Opt opt;
  CHECK(Draft().finished(Rcode::refused) == message("8005", "0000 0000 0000", ""));
  CHECK(Draft().finished(Rcode::badvers, &opt) ==
        message("8000", "0000 0000 0001", "00 0029 04d0 01000000 0000"));
  CHECK(Draft().finished(Rcode::badcookie, &opt) ==
        message("8007", "0000 0000 0001", "00 0029 04d0 01000000 0000"));
  CHECK(Draft().finished(static_cast<Rcode>(0xabc), &opt) ==
        message("800c", "0000 0000 0001", "00 0029 04d0 ab000000 0000"));
  // Nowhere to put the upper bits: not to be read as NOERROR.
  CHECK(Draft().finished(Rcode::badvers) == message("8002", "0000 0000 0000", ""));
}

TEST_CASE("wire/writer: RCODE and TC of the given flags do not survive", "[wire]") {
  std::array<std::uint8_t, 12> buffer{};
  MessageWriter writer(buffer, 12, 0);
  writer.begin(1, 0xffff);
  CHECK(to_hex(writer.finish(Rcode::noerror, nullptr)) == "0001fdf00000000000000000");
}

TEST_CASE("wire/writer: an extended error travels in OPT, RFC 8914", "[wire]") {
  const ExtendedError error{Ede::dnssec_bogus, "why"};
  const MessageWriter::Opt opt{1232, true, &error};
  CHECK(MessageWriter::opt_size(nullptr) == 11);
  CHECK(MessageWriter::opt_size(&error) == 20);
  Draft draft(512, MessageWriter::opt_size(&error));
  CHECK(draft.finished(Rcode::servfail, &opt) ==
        message("8002", "0000 0000 0001", "00 0029 04d0 00008000 0009 000f 0005 0006 'why'"));
  const ExtendedError bare{Ede::network_error, ""};
  const MessageWriter::Opt bare_opt{512, false, &bare};
  CHECK(Draft().finished(Rcode::servfail, &bare_opt) ==
        message("8002", "0000 0000 0001", "00 0029 0200 00000000 0006 000f 0002 0017"));
}

TEST_CASE("wire/writer: an extended error without room loses its text, then itself", "[wire]") {
  const ExtendedError error{Ede::dnssec_bogus, "why"};
  const MessageWriter::Opt opt{1232, false, &error};
  constexpr std::size_t kQuestionEnd = kHeaderSize + 15;
  const auto tail = [&](std::size_t room) {
    Draft draft(kQuestionEnd + room);
    return draft.finished(Rcode::servfail, &opt).substr(kQuestionEnd * 2);
  };
  CHECK(tail(20) == to_hex(from_hex("00 0029 04d0 00000000 0009 000f 0005 0006 'why'")));
  CHECK(tail(19) == to_hex(from_hex("00 0029 04d0 00000000 0006 000f 0002 0006")));
  CHECK(tail(17) == to_hex(from_hex("00 0029 04d0 00000000 0006 000f 0002 0006")));
  CHECK(tail(16) == to_hex(from_hex("00 0029 04d0 00000000 0000")));
  CHECK(tail(11) == to_hex(from_hex("00 0029 04d0 00000000 0000")));
  CHECK(tail(10).empty());
}

TEST_CASE("wire/writer: begin() starts anew", "[wire]") {
  Draft draft(50);
  CHECK(draft.writer.add(Section::answer, set_of("b.example", RRType::ns, 1, {"01'c'00"}), true));
  CHECK_FALSE(draft.writer.add(Section::answer, set_of("x", RRType::a, 1, {"01"}), true));
  CHECK(draft.writer.truncated());
  draft.writer.begin(0x1234, flag::qr);
  CHECK_FALSE(draft.writer.truncated());
  draft.writer.question(name("a.example").wire(), RRType::a, RRClass::in);
  CHECK(draft.writer.add(Section::answer, set_of("c.", RRType::a, 1, {"01"}), true));
  CHECK(draft.finished() ==
        message("8000", "0001 0000 0000", "01'c'00 0001 0001 00000001 0001 01"));
}

}  // namespace siskin::wire::test
