#include "siskin/wire/writer.hpp"

#include "support/catch.hpp"
#include "support/hex.hpp"

using namespace siskin;
using namespace siskin::wire;
using test::from_hex;
using test::to_hex;

namespace {

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

RecordList list(std::initializer_list<std::string_view> rdata) {
  RecordList records;
  for (const auto text : rdata) records.add(from_hex(text));
  return records;
}

}  // namespace

TEST_CASE("wire/writer: owners that are the question become a pointer to it", "[wire]") {
  std::array<std::uint8_t, 512> buffer{};
  MessageWriter writer(buffer, buffer.size(), 0);
  writer.begin(0x1234, flag::qr | flag::rd | flag::ra);
  writer.question(name("wWw.example.").wire(), RRType::a, RRClass::in);
  const RRset set{name("www.example."), RRType::a, 300, list({"c0000201", "c0000202"}), {}};
  CHECK(writer.add(Section::answer, set, true));
  CHECK(to_hex(writer.finish(Rcode::noerror, nullptr)) ==
        to_hex(from_hex("1234 8180 0001 0002 0000 0000"
                        "03'wWw'07'example'00 0001 0001"
                        "c00c 0001 0001 0000012c 0004 c0000201"
                        "c00c 0001 0001 0000012c 0004 c0000202")));
}

TEST_CASE("wire/writer: names in RDATA share their suffixes with what came before", "[wire]") {
  std::array<std::uint8_t, 512> buffer{};
  MessageWriter writer(buffer, buffer.size(), 11);
  writer.begin(1, flag::qr);
  writer.question(name("a.example.").wire(), RRType::mx, RRClass::in);
  const RRset mx{name("a.example."), RRType::mx, 1, list({"000a 02'mx'07'EXAMPLE'00"}), {}};
  const RRset ns{name("example."), RRType::ns, 2, list({"02'ns'02'mx'07'example'00"}), {}};
  const RRset glue{name("NS.MX.example."), RRType::a, 3, list({"c0000201", "c0000202"}), {}};
  CHECK(writer.add(Section::answer, mx, true));
  CHECK(writer.add(Section::authority, ns, true));
  CHECK(writer.add(Section::additional, glue, true));
  const MessageWriter::Opt opt{1232, true, nullptr};
  CHECK(to_hex(writer.finish(Rcode::noerror, &opt)) ==
        to_hex(from_hex("0001 8000 0001 0001 0001 0003"
                        "01'a'07'example'00 000f 0001"                  // 12
                        "c00c 000f 0001 00000001 0007 000a 02'mx'c00e"  // mx at 41
                        "c00e 0002 0001 00000002 0005 02'ns'c029"       // ns at 58
                        "c03a 0001 0001 00000003 0004 c0000201"
                        "c03a 0001 0001 00000003 0004 c0000202"
                        "00 0029 04d0 00008000 0000")));
}
