#include "siskin/text/print.hpp"

#include <array>
#include <vector>

#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

using siskin::wire::Bytes;
using siskin::wire::Name;
using siskin::wire::RRType;
namespace text = siskin::text;

namespace {

/// "www.example. A?", answered with one A behind a pointer and an OPT with an Extended DNS Error.
const std::vector<std::uint8_t> kReply = {
    0x12, 0x34, 0x85, 0x82, 0,    1,   0,   1,    0,   0,    0,   1,                     //
    3,    'w',  'W',  'w',  7,    'e', 'x', 'a',  'm', 'p',  'l', 'e', 0,   0, 1, 0, 1,  //
    0xc0, 12,   0,    1,    0,    1,   0,   0,    1,   0x2c, 0,   4,   192, 0, 2, 1,     //
    0,    0,    41,   0x04, 0xd0, 0,   0,   0x80, 0,   0,    10,  0,   15,  0, 6, 0, 22,
    'd',  'o',  'w',  'n'};

}  // namespace

TEST_CASE("text/print: a record is one line, odd RDATA is given in RFC 3597's form", "[text]") {
  const Name owner = *Name::from_text("www.example.");
  const std::array<std::uint8_t, 4> address{192, 0, 2, 1};
  CHECK(text::print_record(owner, RRType::a, 300, address) == "www.example. 300 IN A 192.0.2.1");
  CHECK(text::print_record(owner, RRType::aaaa, 300, address) ==
        "www.example. 300 IN AAAA \\# 4 c0000201");
  CHECK(text::print_rdata(RRType::a, address) == "192.0.2.1");
  CHECK(text::print_rdata(RRType::a, {}) == "\\# 0");
  CHECK(text::print_rdata(static_cast<RRType>(65280), address) == "\\# 4 c0000201");
}

TEST_CASE("text/print: a set is printed with its signatures and read back the same", "[text]") {
  const std::string zone =
      "a.example. 60 IN A 192.0.2.1\n"
      "a.example. 60 IN A 192.0.2.2\n"
      "a.example. 60 IN RRSIG A 8 2 60 20300101000000 20200101000000 1 example. AAAA\n";
  const auto sets = text::parse_zone(zone);
  REQUIRE(sets.has_value());
  REQUIRE(sets->size() == 1);
  CHECK(text::print_rrset(sets->front()) == zone);
}

TEST_CASE("text/print: a message is shown in dig's manner", "[text]") {
  CHECK(text::print_message(kReply) ==
        ";; opcode: QUERY, status: SERVFAIL, id: 4660\n"
        ";; flags: qr aa rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1\n"
        ";; QUESTION SECTION:\n"
        ";wWw.example. IN A\n"
        ";; ANSWER SECTION:\n"
        "wWw.example. 300 IN A 192.0.2.1\n"
        ";; ADDITIONAL SECTION:\n"
        "; EDNS: version: 0, flags: do; udp: 1232\n"
        "; EDE: 22 (down)\n");
}

TEST_CASE("text/print: what cannot be read is said, whatever the message is cut to", "[text]") {
  for (std::size_t size = 0; size < kReply.size(); ++size) {
    CAPTURE(size);
    const std::string printed = text::print_message(Bytes(kReply).first(size));
    CHECK(printed.find(";; unreadable from octet ") != std::string::npos);
  }
  CHECK(text::print_message(Bytes(kReply).first(3)) == ";; unreadable from octet 0 of 3: 123485\n");
  std::vector<std::uint8_t> longer = kReply;
  longer.push_back(7);
  CHECK(text::print_message(longer).ends_with(";; unreadable from octet 66 of 67: 07\n"));
}
