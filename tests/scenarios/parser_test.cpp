#include "scenarios/parser.hpp"

#include "scenarios/script_text.hpp"
#include "siskin/text/print.hpp"
#include "support/catch.hpp"

namespace siskin::scenarios {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_scenario(text, "some.rpl");
  } catch (const ScriptError& error) {
    return error.what();
  }
  return "no error";
}

/// The only record that an answer section with these lines holds.
Record record_of(const std::string& lines) {
  const Scenario scenario = parse_scenario(
      script(root_range(entry("", "www.example. IN A", "SECTION ANSWER\n" + lines + "\n"))), "x");
  const auto& answer = scenario.ranges.at(0).entries.at(0).message.section(wire::Section::answer);
  REQUIRE(answer.size() == 1);
  return answer[0];
}

std::string printed(const Record& record) {
  return text::print_record(record.owner, record.type, record.ttl, record.rdata);
}

TEST_CASE("scenarios/parser: all parts of a file are read", "[scenarios]") {
  const Scenario scenario = parse_scenario(
      script("; a comment\n"
             "RANGE_BEGIN 5 17\n  ADDRESS 192.0.2.1@5353\n" +
             entry("MATCH opcode qname\nMATCH TCP\nADJUST copy_id copy_query\nREPLY QR AA NXDOMAIN",
                   "WWW.example. IN TXT", "SECTION AUTHORITY\nexample. 60 IN NS ns.example.\n") +
             "RANGE_END\n"
             "STEP 1 QUERY ADDRESS 192.0.2.7\n" +
             entry("REPLY RD DO", "www.example. IN A") + "STEP 7 TIME_PASSES ELAPSE 1.5\n"),
      "some.rpl");
  CHECK(scenario.title == "a test");
  REQUIRE(scenario.settings.size() == 3);
  CHECK(scenario.settings[0].section_name == "server");
  CHECK(scenario.settings[2].key == "stub-addr");
  CHECK(scenario.settings[2].values == std::vector<std::string>{"192.0.2.1"});
  REQUIRE(scenario.ranges.size() == 1);
  const Range& range = scenario.ranges[0];
  CHECK(range.first == 5);
  CHECK(range.last == 17);
  CHECK(range.addresses == std::vector{IpAddress::v4(192, 0, 2, 1)});
  const Entry& answer = range.entries.at(0);
  CHECK(answer.match.opcode);
  CHECK(answer.match.qname);
  CHECK_FALSE(answer.match.qtype);
  CHECK(answer.match.transport == runtime::Transport::tcp);
  CHECK(answer.adjust.copy_query);
  CHECK(answer.message.flags == (wire::flag::qr | wire::flag::aa));
  CHECK(answer.message.rcode == wire::Rcode::nxdomain);
  CHECK(to_line(answer.message.questions.at(0)) == "WWW.example. IN TXT");
  CHECK(answer.message.section(wire::Section::authority).size() == 1);
  REQUIRE(scenario.steps.size() == 2);
  CHECK(scenario.steps[0].number == 1);
  CHECK(scenario.steps[0].address == IpAddress::v4(192, 0, 2, 7));
  CHECK(scenario.steps[0].entry->message.opt->dnssec_ok);
  CHECK(scenario.steps[1].type == StepType::time_passes);
  CHECK(scenario.steps[1].elapse == std::chrono::milliseconds(1500));
}

TEST_CASE("scenarios/parser: records are zone text with a TTL of 3600", "[scenarios]") {
  CHECK(printed(record_of("www.example. IN A 192.0.2.9")) == "www.example. 3600 IN A 192.0.2.9");
  CHECK(printed(record_of("$ORIGIN example.\n$TTL 7\nwww A 192.0.2.9")) ==
        "www.example. 7 IN A 192.0.2.9");
  CHECK(printed(record_of("w. TXT \"a;b\" ; said twice")) == "w. 3600 IN TXT \"a;b\"");
}

TEST_CASE("scenarios/parser: a blank owner is the one before", "[scenarios]") {
  const Scenario scenario = parse_scenario(
      script(root_range(entry("", "a.example. IN A",
                              "SECTION ANSWER\na.example. IN A 192.0.2.1\n IN A 192.0.2.2\n"))),
      "x");
  const auto& answer = scenario.ranges.at(0).entries.at(0).message.section(wire::Section::answer);
  REQUIRE(answer.size() == 2);
  CHECK(printed(answer[1]) == "a.example. 3600 IN A 192.0.2.2");
}

TEST_CASE("scenarios/parser: records that no zone may hold can be written", "[scenarios]") {
  const Record short_address = record_of("www.example. 60 IN A \\# 3 030405");
  CHECK(short_address.type == wire::RRType::a);
  CHECK(short_address.rdata == std::vector<std::uint8_t>{3, 4, 5});
  const Record version = record_of("version.bind. 0 CH TXT \"one\"");
  CHECK(version.klass == wire::RRClass::ch);
  CHECK(version.ttl == 0);
  const Record unsigned_one =
      record_of("a. 60 IN RRSIG A 8 1 60 20201116135527 20201019135527 55567 a.");
  CHECK(unsigned_one.rdata.size() == 18 + 3);
}

TEST_CASE("scenarios/parser: octets in hexadecimal are read", "[scenarios]") {
  const Scenario scenario = parse_scenario(
      script("STEP 1 QUERY\n" +
             entry("HEX_EDNSDATA_BEGIN\n 00 0a ; code\n 0001 fF\nHEX_EDNSDATA_END", "a. IN A")),
      "x");
  const Entry& query = *scenario.steps.at(0).entry;
  CHECK(query.message.opt->options == std::vector<std::uint8_t>{0, 10, 0, 1, 255});
  CHECK_FALSE(query.message.opt->dnssec_ok);
}

TEST_CASE("scenarios/parser: what is not carried out is named", "[scenarios]") {
  const Scenario scenario = parse_scenario(
      script("STEP 1 ASSIGN t = ${time}\nSTEP 2 CHECK_TEMPFILE a\nFILE_BEGIN\nx\nFILE_END\n",
             "AUTOTRUST_FILE a\n . IN DS 1\nAUTOTRUST_END\n"),
      "x");
  CHECK(scenario.lacks == std::vector<std::string>{"managed trust anchors (RFC 5011)",
                                                   "STEP ASSIGN", "STEP CHECK_TEMPFILE"});
}

TEST_CASE("scenarios/parser: an error names file, line and what was expected", "[scenarios]") {
  const auto in_body = [](const std::string& body) { return error_of(script(body)); };
  const std::string question = "SECTION QUESTION\na. IN A\n";
  CHECK(error_of("server:\nSCENARIO_BEGIN x\n") ==
        "some.rpl:2: expected CONFIG_END before the scenario begins");
  CHECK(error_of("CONFIG_END\nSTEP 1 NOTHING\n") == "some.rpl:2: expected SCENARIO_BEGIN");
  CHECK(error_of("CONFIG_END\nSCENARIO_BEGIN x\n") == "some.rpl:2: expected SCENARIO_END");
  CHECK(in_body("RANGE_BEGIN 0\n") == "some.rpl:8: expected the last step of the range");
  CHECK(in_body("RANGE_BEGIN 0 1\n ADDRESS 1.2.3\n") ==
        "some.rpl:9: expected an address, got 1.2.3");
  CHECK(in_body("RANGE_BEGIN 0 1\n") ==
        "some.rpl:9: expected ADDRESS, ENTRY_BEGIN or RANGE_END, got SCENARIO_END");
  CHECK(in_body("STEP x NOTHING\n") == "some.rpl:8: expected the number of the step");
  CHECK(in_body("STEP 1 DANCE\n") == "some.rpl:8: expected the type of the step, got DANCE");
  CHECK(in_body("STEP 2 NOTHING\nSTEP 2 NOTHING\n") ==
        "some.rpl:9: expected a step number higher than the one before");
  CHECK(in_body("STEP 1 QUERY\n") == "some.rpl:8: expected an entry for this step");
  CHECK(in_body("STEP 1 TIME_PASSES ELAPSE soon\n") == "some.rpl:8: expected seconds, got soon");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\n" + question) ==
        "some.rpl:9: expected ENTRY_END for this ENTRY_BEGIN");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\nMATCH al\n") ==
        "some.rpl:10: expected a word of MATCH, got al");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\nREPLY QR PERHAPS\n") ==
        "some.rpl:10: expected a flag, an opcode or an RCODE, got PERHAPS");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\nSECTION ANSWERS\n") ==
        "some.rpl:10: expected QUESTION, ANSWER, AUTHORITY or ADDITIONAL, got ANSWERS");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\n" + question + "SECTION ANSWER\na. IN A 1.2.3\n")
            .starts_with("some.rpl:13: expected a record: "));
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\nSECTION QUESTION\na. IN\n") ==
        "some.rpl:11: expected a type, got IN");
  CHECK(in_body("STEP 1 QUERY\nENTRY_BEGIN\nHEX_ANSWER_BEGIN\n0g\n") ==
        "some.rpl:11: expected a hexadecimal digit, got g");
}

TEST_CASE("scenarios/parser: a file that cannot be read is an error", "[scenarios]") {
  CHECK_THROWS_AS(read_scenario("/nowhere/at/all.rpl"), ScriptError);
}

TEST_CASE("scenarios/parser: no beginning of a file makes it stumble", "[scenarios]") {
  const std::string text =
      script(root_range(entry("MATCH all", "a. IN A", "SECTION ANSWER\na. IN A 192.0.2.1\n")) +
             "STEP 1 QUERY\n" + entry("REPLY RD", "a. IN A"));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    INFO("the first " << size << " octets");
    CHECK_THROWS_AS(parse_scenario(text.substr(0, size), "x"), ScriptError);
  }
}

}  // namespace
}  // namespace siskin::scenarios
