// What the message writer does when room, table or pointers end.
#include "siskin/wire/writer.hpp"
#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

constexpr std::size_t kQuestionEnd = kHeaderSize + 5 + 4;  // "abc."

/// A writer behind the question "abc. A" with `room` octets left for records.
struct Cramped {
  explicit Cramped(std::size_t room, std::size_t reserved = 0)
      : writer(buffer, kQuestionEnd + room + reserved, reserved) {
    writer.begin(0, 0);
    writer.question(name("abc").wire(), RRType::a, RRClass::in);
  }

  std::array<std::uint8_t, 1024> buffer{};
  MessageWriter writer;
};

const RRset kAddress{name("abc"), RRType::a, 1, records({"c0000201"}), {}};  // 16 octets written

bool has_tc(Bytes message) {
  return (message[2] & 0x02) != 0;
}

struct Work {
  std::size_t done = 0;
  std::size_t name_octets = 0;  ///< of the question, owners and targets
};

/// Fills `buffer` with one-record NS sets whose target is their owner.
Work work_on(const std::vector<Name>& owners, std::span<std::uint8_t> buffer) {
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0, 0);
  writer.question(name("abc").wire(), RRType::ns, RRClass::in);
  Work work{0, 5};
  for (const Name& owner : owners) {
    RecordList target;
    target.add(owner.wire());
    work.name_octets += 2 * owner.size();
    if (!writer.add_rrset(Section::answer, owner.wire(), RRType::ns, 0, target.bytes())) break;
  }
  work.done = writer.TEST_compression_work();
  return work;
}

}  // namespace

TEST_CASE("wire/writer: a set that fits to the last octet is written", "[wire]") {
  Cramped exact(16);
  CHECK(exact.writer.add(Section::answer, kAddress, true));
  CHECK_FALSE(exact.writer.truncated());
  CHECK(exact.writer.finish(Rcode::noerror, nullptr).size() == kQuestionEnd + 16);

  Cramped short_of_one(15);
  CHECK_FALSE(short_of_one.writer.add(Section::answer, kAddress, true));
  CHECK(short_of_one.writer.truncated());
  const Bytes message = short_of_one.writer.finish(Rcode::noerror, nullptr);
  CHECK(message.size() == kQuestionEnd);
  CHECK(has_tc(message));
  CHECK(message[7] == 0);
}

TEST_CASE("wire/writer: every cut leaves whole sets with all signatures", "[wire]") {
  RRset set = kAddress;
  set.records = records({"c0000201", "c0000202"});
  set.signatures = records({"00010203"});
  constexpr std::size_t kSize = 3 * 16;
  for (std::size_t room = 0; room <= kSize + 16; ++room) {
    CAPTURE(room);
    Cramped cramped(room);
    CHECK(cramped.writer.add(Section::answer, set, true) == (room >= kSize));
    CHECK(cramped.writer.truncated() == (room < kSize));
    CHECK(cramped.writer.count(Section::answer) == (room >= kSize ? 3 : 0));
    CHECK(cramped.writer.finish(Rcode::noerror, nullptr).size() ==
          kQuestionEnd + (room >= kSize ? kSize : 0));
  }
}

TEST_CASE("wire/writer: after a cut answer and authority are closed", "[wire]") {
  Cramped cramped(32);
  RRset big = kAddress;
  big.records.add(from_hex("c0000202"));
  big.records.add(from_hex("c0000203"));
  CHECK_FALSE(cramped.writer.add(Section::answer, big, true));
  CHECK_FALSE(cramped.writer.add(Section::answer, kAddress, true));
  CHECK_FALSE(cramped.writer.add(Section::authority, kAddress, true));
  CHECK_FALSE(cramped.writer.add_rrset(Section::authority, name("abc").wire(), RRType::a, 1,
                                       kAddress.records.bytes()));
  CHECK(cramped.writer.count(Section::answer) == 0);
  CHECK(has_tc(cramped.writer.finish(Rcode::noerror, nullptr)));
}

TEST_CASE("wire/writer: additional sets without room are left out silently", "[wire]") {
  Cramped cramped(32 + 15);
  RRset big = kAddress;
  big.records = records({"c0000201", "c0000202"});
  CHECK(cramped.writer.add(Section::answer, kAddress, true));
  CHECK_FALSE(cramped.writer.add(Section::additional, big, true));
  CHECK(cramped.writer.add(Section::additional, kAddress, true));
  CHECK_FALSE(cramped.writer.add(Section::additional, kAddress, true));
  CHECK_FALSE(cramped.writer.truncated());
  const Bytes message = cramped.writer.finish(Rcode::noerror, nullptr);
  CHECK(message.size() == kQuestionEnd + 32);
  CHECK_FALSE(has_tc(message));
  CHECK(message[11] == 1);
}

TEST_CASE("wire/writer: reserved octets are for OPT alone", "[wire]") {
  Cramped cramped(16, MessageWriter::opt_size(nullptr));
  CHECK(cramped.writer.add(Section::answer, kAddress, true));
  CHECK_FALSE(cramped.writer.add(Section::additional, kAddress, true));
  const MessageWriter::Opt opt;
  const Bytes message = cramped.writer.finish(Rcode::noerror, &opt);
  CHECK(message.size() == kQuestionEnd + 16 + 11);
  CHECK(message[11] == 1);
}

TEST_CASE("wire/writer: a question without room is left out, with TC", "[wire]") {
  std::array<std::uint8_t, 20> buffer{};
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0, 0);
  writer.question(name("abc").wire(), RRType::a, RRClass::in);
  CHECK(to_hex(writer.finish(Rcode::noerror, nullptr)) == "000002000000000000000000");
}

TEST_CASE("wire/writer: names of a set taken back are not pointed at", "[wire]") {
  Cramped cramped(60);
  RRset lost{name("abc"), RRType::ns, 1, records({"01'z'00"}), {}};
  const std::string too_long(50, 'a');
  lost.records.add(name(too_long).wire());
  CHECK_FALSE(cramped.writer.add(Section::additional, lost, true));
  // The same octets at the same place, but they are no name.
  const RRset opaque{name("abc"), RRType::null, 1, records({"01'z'00"}), {}};
  CHECK(cramped.writer.add(Section::additional, opaque, true));
  const RRset kept{name("z"), RRType::a, 1, records({"01"}), {}};
  CHECK(cramped.writer.add(Section::additional, kept, true));
  const Bytes message = cramped.writer.finish(Rcode::noerror, nullptr);
  CHECK(to_hex(message.subspan(kQuestionEnd)) ==
        to_hex(from_hex("c00c 000a 0001 00000001 0003 01'z'00"
                        "01'z'00 0001 0001 00000001 0001 01")));
}

TEST_CASE("wire/writer: names beyond the reach of pointers are written out", "[wire]") {
  const auto tail_at = [](std::size_t start) {
    std::vector<std::uint8_t> buffer(65535);
    MessageWriter writer(buffer, buffer.size(), 0);
    writer.begin(0, 0);
    writer.question(name("abc").wire(), RRType::a, RRClass::in);
    RecordList filler;
    filler.add(Octets(start - kQuestionEnd - 12, 0));
    CHECK(writer.add_rrset(Section::answer, name("abc").wire(), RRType::null, 0, filler.bytes()));
    const RRset last{name("x.y"), RRType::ns, 0, records({"01'x'01'y'00", "01'y'00"}), {}};
    CHECK(writer.add(Section::answer, last, true));
    return to_hex(writer.finish(Rcode::noerror, nullptr).subspan(start));
  };
  // The first label is in reach, so the whole name is; the second label is not.
  CHECK(tail_at(0x3fff) == to_hex(from_hex("01'x'01'y'00 0002 0001 00000000 0005 01'x'01'y'00"
                                           "ffff 0002 0001 00000000 0003 01'y'00")));
  CHECK(tail_at(0x4000) == to_hex(from_hex("01'x'01'y'00 0002 0001 00000000 0005 01'x'01'y'00"
                                           "01'x'01'y'00 0002 0001 00000000 0003 01'y'00")));
}

TEST_CASE("wire/writer: a message ends at 65535 octets", "[wire]") {
  std::vector<std::uint8_t> buffer(70000);
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0, 0);
  writer.question(name("abc").wire(), RRType::a, RRClass::in);
  RecordList records;
  records.add(Octets(65535 - kQuestionEnd - 12, 1));
  CHECK(writer.add_rrset(Section::answer, name("abc").wire(), RRType::null, 0, records.bytes()));
  CHECK_FALSE(writer.add(Section::answer, kAddress, true));
  CHECK(writer.finish(Rcode::noerror, nullptr).size() == 65535);
}

TEST_CASE("wire/writer: compression costs linear work whatever the names, fault A69", "[wire]") {
  // Each octet of a name is hashed at most twice (find, enter) and compared at most four times.
  constexpr std::size_t kWorkPerOctet = 6;
  std::vector<std::uint8_t> buffer(65535);
  struct Kind {
    std::string_view what;
    std::size_t count;
    std::string (*text)(std::size_t);
  };
  const auto deep = [](std::size_t i) {  // 120 labels; only the last differs
    std::string text;
    for (int label = 0; label < 120; ++label) text += "a.";
    return text + "x" + std::to_string(i);
  };
  for (const Kind& kind : {
           Kind{"unrelated", 3000, [](std::size_t i) { return "n" + std::to_string(i); }},
           Kind{"siblings", 3000, [](std::size_t i) { return std::to_string(i) + ".example"; }},
           Kind{"long labels that differ at the end", 480,
                [](std::size_t i) { return std::string(50, 'a') + std::to_string(10000 + i); }},
           Kind{"deep", 200, deep},
           Kind{"one name", 3000, [](std::size_t) { return std::string("a.b.c.d.e.f"); }},
       }) {
    CAPTURE(kind.what);
    std::vector<Name> names;
    for (std::size_t i = 0; i < kind.count; ++i) names.push_back(name(kind.text(i)));
    const Work work = work_on(names, buffer);
    CHECK(work.name_octets > 20'000);
    CHECK(work.done <= kWorkPerOctet * work.name_octets);
  }
}

}  // namespace siskin::wire::test
