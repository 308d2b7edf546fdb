#include "siskin/wire/cursor.hpp"

#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

/// Twelve octets for the header, so that offsets below are those of a message.
const Octets kHeader(12, 0);

struct ReadName {
  bool good;
  std::string text;
  std::size_t position;
};

ReadName read_name(const Octets& message, std::size_t at) {
  Reader reader(message, at);
  const Name read = reader.name();
  return {!reader.failed(), read.to_text(), reader.position()};
}

}  // namespace

TEST_CASE("wire/cursor: numbers are big-endian", "[wire]") {
  const Octets octets = from_hex("01 0203 04050607 08090a");
  Reader reader(octets);
  CHECK(reader.u8() == 0x01);
  CHECK(reader.u16() == 0x0203);
  CHECK(reader.u32() == 0x04050607);
  CHECK(reader.position() == 7);
  CHECK(reader.remaining() == 3);
  reader.skip(1);
  CHECK(to_hex(reader.bytes(2)) == "090a");
  CHECK(reader.remaining() == 0);
  CHECK_FALSE(reader.failed());
}

TEST_CASE("wire/cursor: the first failure to read lasts and leaves nothing", "[wire]") {
  const Octets octets = from_hex("ffffff");
  Reader reader(octets);
  CHECK(reader.u32() == 0);
  CHECK(reader.failed());
  CHECK(reader.remaining() == 0);
  CHECK(reader.u8() == 0);
  CHECK(reader.bytes(1).empty());
  CHECK(reader.name().is_root());
  CHECK(reader.failed());

  CHECK(Reader(octets, 3).u8() == 0);
  CHECK_FALSE(Reader(octets, 3).failed());
  CHECK(Reader(octets, 4).failed());
  CHECK(Reader(octets, 4).remaining() == 0);
  Reader huge(octets);
  huge.skip(static_cast<std::size_t>(-1));
  CHECK(huge.failed());
}

TEST_CASE("wire/cursor: names are read through pointers", "[wire]") {
  // 12: example. 21: www + pointer to 12, 27: pointer to 21, 29: root
  const Octets message = kHeader + from_hex("07'example'00 03'www'c00c c015 00");
  CHECK(read_name(message, 12).text == "example.");
  CHECK(read_name(message, 12).position == 21);
  CHECK(read_name(message, 21).text == "www.example.");
  CHECK(read_name(message, 21).position == 27);
  CHECK(read_name(message, 27).text == "www.example.");
  CHECK(read_name(message, 27).position == 29);
  CHECK(read_name(message, 29).text == ".");
  CHECK(read_name(message, 29).position == 30);
}

TEST_CASE("wire/cursor: a pointer loop is refused, fault A67", "[wire]") {
  struct Row {
    std::string_view what;
    std::string_view message;  // behind twelve octets
    std::size_t at;
  };
  for (const Row& row : {
           Row{"to itself", "c00c", 12},
           Row{"to itself behind a label", "01'a'c00c", 12},
           Row{"into its own label", "03'aaa'c00d", 12},
           Row{"two at each other, first", "c00e c00c", 12},
           Row{"two at each other, second", "c00e c00c", 14},
           Row{"labels at each other", "01'a'c010 01'b'c00c", 16},
           Row{"forward", "c00e 01'a'00", 12},
           Row{"into the header", "01'a'c000", 12},
           Row{"to the header's last octet", "01'a'c00b", 12},
           Row{"to the end", "01'a'c010", 12},
           Row{"past the end", "01'a'ffff", 12},
           Row{"cut off", "01'a'c0", 12},
           Row{"back, then to where it began", "c012 00 00 00 00 c00c", 18},
           Row{"back, then forward to a name", "c00e 01'a'00 c00c", 17},
           Row{"back behind a label, then forward", "01'b'c010 01'a'00 c00c", 19},
           Row{"label type 01", "41'a'00", 12},
           Row{"label type 10", "81'a'00", 12},
           Row{"label type 01 behind a pointer", "41'a'00 c00c", 15},
           Row{"label past the end", "05'abc'", 12},
           Row{"no root at the end", "01'a'", 12},
           Row{"nothing at all", "", 12},
       }) {
    CAPTURE(row.what);
    const auto read = read_name(kHeader + from_hex(row.message), row.at);
    CHECK_FALSE(read.good);
    CHECK(read.text == ".");
  }
}

TEST_CASE("wire/cursor: chains of pointers end at 127, fault A67", "[wire]") {
  Octets message = kHeader + from_hex("01'a'00");
  std::size_t last = 12;
  const auto add_pointer = [&] {
    const std::size_t at = message.size();
    message.push_back(static_cast<std::uint8_t>(0xc0 | last >> 8));
    message.push_back(static_cast<std::uint8_t>(last));
    last = at;
  };
  for (int i = 0; i < 127; ++i) add_pointer();
  CHECK(read_name(message, last).text == "a.");
  add_pointer();
  CHECK_FALSE(read_name(message, last).good);
  while (message.size() < 12 + 3 + 2000) add_pointer();
  CHECK_FALSE(read_name(message, last).good);
}

TEST_CASE("wire/cursor: compressed names keep to 127 labels and 255 octets", "[wire]") {
  Octets message = kHeader;
  for (int i = 0; i < 126; ++i) message = message + from_hex("01'a'");
  message.push_back(0);  // at 12: 126 labels, 253 octets
  const std::size_t at = message.size();
  CHECK(read_name(message + from_hex("01'b'c00c"), at).good);
  CHECK_FALSE(read_name(message + from_hex("02'bb'c00c"), at).good);
  CHECK_FALSE(read_name(message + from_hex("01'b'01'b'c00c"), at).good);
  CHECK_FALSE(read_name(message + from_hex("01'b'c00c 01'b'c109"), at + 4).good);
}

TEST_CASE("wire/cursor: skipping ends where reading ends", "[wire]") {
  const Octets message = kHeader + from_hex("07'example'00 03'www'c00c c015 00");
  for (const std::size_t at : {12U, 21U, 27U, 29U}) {
    Reader reader(message, at);
    reader.skip_name();
    CHECK_FALSE(reader.failed());
    CHECK(reader.position() == read_name(message, at).position);
  }
  for (const auto* bad : {"", "01", "02'a'", "01'a'", "01'a'c0", "41'a'00", "81'a'00"}) {
    CAPTURE(bad);
    const Octets octets = from_hex(bad);
    Reader reader(octets);
    reader.skip_name();
    CHECK(reader.failed());
  }
  const Octets labels(254, 0x01);
  for (const auto& [tail, good] : {std::pair{"00", true}, std::pair{"0101 00", false}}) {
    const Octets octets = labels + from_hex(tail);
    Reader reader(octets);
    reader.skip_name();
    CHECK(reader.failed() != good);
  }
}

TEST_CASE("wire/cursor: writing mirrors reading", "[wire]") {
  std::array<std::uint8_t, 10> buffer{};
  Writer writer(buffer);
  writer.u8(1);
  writer.u16(0x0203);
  writer.u32(0x04050607);
  writer.bytes(from_hex("0809"));
  writer.u16_at(1, 0xabcd);
  CHECK(to_hex(writer.written()) == "01abcd040506070809");
  CHECK(writer.remaining() == 1);
  CHECK_FALSE(writer.failed());
}

TEST_CASE("wire/cursor: a full buffer fails once and for all, until rewound", "[wire]") {
  std::array<std::uint8_t, 3> buffer{};
  Writer writer(buffer);
  writer.u16(0x0102);
  writer.u16(0x0304);
  CHECK(writer.failed());
  CHECK(to_hex(writer.written()) == "0102");
  writer.u8(5);  // would fit, but the error is sticky
  CHECK(to_hex(writer.written()) == "0102");
  writer.u16_at(0, 0xffff);
  CHECK(to_hex(writer.written()) == "0102");
  writer.rewind(1);
  CHECK_FALSE(writer.failed());
  writer.u16(0x0708);
  CHECK(to_hex(writer.written()) == "010708");
}

TEST_CASE("wire/cursor: only what is written can be overwritten", "[wire]") {
  std::array<std::uint8_t, 8> buffer{};
  Writer writer(buffer);
  writer.u16(1);
  writer.u16_at(1, 7);
  CHECK(writer.failed());
  CHECK(to_hex(writer.written()) == "0001");
  CHECK(Writer(buffer, 9).failed());
  CHECK_FALSE(Writer(buffer, 8).failed());
}

}  // namespace siskin::wire::test
