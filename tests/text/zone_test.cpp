#include "siskin/text/zone.hpp"

#include <string>
#include <utility>

#include "siskin/text/print.hpp"
#include "siskin/wire/rdata.hpp"
#include "support/catch.hpp"

using siskin::text::parse_records;
using siskin::text::parse_zone;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

std::string printed(std::string_view text, const siskin::text::ZoneOptions& options = {}) {
  const auto records = parse_records(text, options);
  if (!records) return to_string(records.error());
  std::string out;
  for (const auto& record : *records) {
    out += siskin::text::print_record(record.owner, record.type, record.ttl, record.rdata) + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("text/zone: origin, TTL, relative names and repeated owners are understood", "[text]") {
  CHECK(printed("$ORIGIN example.\n"
                "$TTL 60\n"
                "@ SOA ns host ( 1 7200 900\n"
                "      604800 300 ) ; a comment; with more\n"
                "  NS ns\n"
                "ns 1h IN A 192.0.2.1\n"
                "   AAAA 2001:db8::1\n"
                "\n"
                "$ORIGIN sub.example.\n"
                "www CNAME @\n"
                "far.test. MX 10 mail\n"
                "; the end") ==
        "example. 60 IN SOA ns.example. host.example. 1 7200 900 604800 300\n"
        "example. 60 IN NS ns.example.\n"
        "ns.example. 3600 IN A 192.0.2.1\n"
        "ns.example. 60 IN AAAA 2001:db8::1\n"
        "www.sub.example. 60 IN CNAME sub.example.\n"
        "far.test. 60 IN MX 10 mail.sub.example.\n");
}

TEST_CASE("text/zone: origin and TTL before the first directive come from the options", "[text]") {
  CHECK(printed("www A 192.0.2.1", {*Name::from_text("example."), 77}) ==
        "www.example. 77 IN A 192.0.2.1\n");
}

TEST_CASE("text/zone: RDATA is uncompressed wire form", "[text]") {
  const auto records = parse_records("a. MX 10 b.c.\n*.a. TXT \"x\" yz\nT. TYPE65280 \\# 2 aBfF\n");
  REQUIRE(records.has_value());
  REQUIRE(records->size() == 3);
  using Octets = std::vector<std::uint8_t>;
  CHECK((*records)[0].rdata == Octets{0, 10, 1, 'b', 1, 'c', 0});
  CHECK((*records)[1].rdata == Octets{1, 'x', 2, 'y', 'z'});
  CHECK((*records)[2].rdata == Octets{0xab, 0xff});
  CHECK((*records)[2].type == static_cast<RRType>(65280));
  CHECK((*records)[2].owner.to_text() == "T.");
}

TEST_CASE("text/zone: any octet may stand in a name", "[text]") {
  CHECK(printed("ns-1:x\\.y\\032z.test. A 192.0.2.1") ==
        "ns-1:x\\.y\\032z.test. 3600 IN A 192.0.2.1\n");
}

TEST_CASE("text/zone: an error names the line on which the record begins", "[text]") {
  const std::pair<const char*, const char*> table[] = {
      {"a. A 192.0.2\n", "malformed: line 1: Syntax error, could not parse the RR's rdata"},
      {"\n; c\n  \nb. FOO x\n\n\nc. A 192.0.2.1\n",
       "malformed: line 4: Syntax error, could not parse the RR's rdata"},
      {"a. A 192.0.2.1\n\n\nb. SOA a. b. ( 1 2\n 3\n 4",
       "malformed: line 4: Syntax error, value expected"},
      {"a. A 192.0.2.1 junk", "malformed: line 1: Syntax error, superfluous text present"},
      {"a. A 192.0.2.1\na.. A 192.0.2.1",
       "malformed: line 2: Syntax error, could not parse the RR"},
      {"a. A 192.0.2.1\n$INCLUDE other\n", "malformed: line 2: $INCLUDE is not allowed here"},
      {"$FOO x\n", "malformed: line 1: a record type is missing"},
      {"a. CH A 192.0.2.1\n", "malformed: line 1: only class IN is understood"},
      {"a.\n", "malformed: line 1: Syntax error, could not parse the RR's TTL"},
  };
  for (const auto& [text, error] : table) {
    CAPTURE(text);
    CHECK(printed(text) == error);
  }
  CHECK(printed(std::string_view("a. A 192.0.2.1\n\0", 16)) ==
        "malformed: the text holds a zero octet");
}

TEST_CASE("text/zone: text without records is no error", "[text]") {
  for (const char* text : {"", "\n", "; only a comment", "$ORIGIN example.\n", "  \n\t\n"}) {
    CAPTURE(text);
    const auto records = parse_records(text);
    REQUIRE(records.has_value());
    CHECK(records->empty());
  }
}

TEST_CASE("text/zone: sets have each record once, the lowest TTL, and their signatures", "[text]") {
  const auto sets = parse_zone(
      "$ORIGIN example.\n"
      "a 60 A 192.0.2.1\n"
      "a TXT x\n"
      "a RRSIG A 8 2 60 20300101000000 20200101000000 1 example. AAAA\n"
      "A 30 A 192.0.2.2\n"
      "a 90 A 192.0.2.1\n"
      "lone RRSIG A 8 2 60 20300101000000 20200101000000 1 example. AAAA\n");
  REQUIRE(sets.has_value());
  REQUIRE(sets->size() == 3);
  const auto& a = sets->front();
  CHECK(a.owner == *Name::from_text("a.example."));
  CHECK(a.type == RRType::a);
  CHECK(a.ttl == 30);
  CHECK(a.records.count() == 2);
  REQUIRE(a.signatures.count() == 1);
  CHECK(siskin::wire::covered_type(*a.signatures.begin()) == RRType::a);
  CHECK((*sets)[1].type == RRType::txt);
  CHECK((*sets)[1].signatures.empty());
  CHECK((*sets)[2].type == RRType::rrsig);
  CHECK((*sets)[2].records.count() == 1);
}
