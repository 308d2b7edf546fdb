#include "scenarios/compare.hpp"

#include "scenarios/parser.hpp"
#include "scenarios/script_text.hpp"
#include "support/catch.hpp"

namespace siskin::scenarios {
namespace {

Entry entry_of(const std::string& match, const std::string& reply, const std::string& sections) {
  const Scenario scenario = parse_scenario(
      script("STEP 1 CHECK_ANSWER\nENTRY_BEGIN\n" + (match.empty() ? "" : "MATCH " + match + "\n") +
             "REPLY " + reply + "\n" + sections + "ENTRY_END\n"),
      "x");
  return *scenario.steps.at(0).entry;
}

const std::string kQuestion = "SECTION QUESTION\nwww.example. IN A\n";
const std::string kAnswer = kQuestion +
                            "SECTION ANSWER\nwww.example. 60 IN A 192.0.2.1\n"
                            "www.example. 60 IN A 192.0.2.2\n";

/// What differs between two messages written as entries.
std::string difference(const std::string& match, const std::string& got,
                       const std::string& expected, const std::string& got_reply = "QR",
                       const std::string& expected_reply = "QR", Tolerance tolerance = {}) {
  const Received received{entry_of("", got_reply, got).message};
  return mismatch(received, entry_of(match, expected_reply, expected), tolerance).value_or("");
}

TEST_CASE("scenarios/compare: sections are sets without order and letter case", "[scenarios]") {
  CHECK(difference("all", kAnswer, kAnswer).empty());
  CHECK(difference("all", kAnswer,
                   "SECTION QUESTION\nWWW.example. IN A\n"
                   "SECTION ANSWER\nwww.EXAMPLE. 5 IN A 192.0.2.2\nwww.example. IN A 192.0.2.1\n")
            .empty());
  CHECK(difference("all", kQuestion + "SECTION ANSWER\nwww.example. IN CNAME WEB.example.\n",
                   kQuestion + "SECTION ANSWER\nwww.example. IN CNAME web.example.\n")
            .empty());
  CHECK(difference("all", kAnswer, kQuestion + "SECTION ANSWER\nwww.example. IN A 192.0.2.1\n") ==
        "the answer differs");
  CHECK(difference("all", kQuestion + "SECTION ANSWER\nwww.example. IN A 192.0.2.1\n", kAnswer) ==
        "the answer differs");
}

TEST_CASE("scenarios/compare: TTLs count only on demand, and within what we waited",
          "[scenarios]") {
  const std::string less = kQuestion +
                           "SECTION ANSWER\nwww.example. 58 IN A 192.0.2.1\n"
                           "www.example. 58 IN A 192.0.2.2\n";
  CHECK(difference("all", less, kAnswer).empty());
  CHECK(difference("all ttl", less, kAnswer) == "the answer differs");
  CHECK(difference("all ttl", less, kAnswer, "QR", "QR", {2}).empty());
  CHECK(difference("all ttl", less, kAnswer, "QR", "QR", {1}) == "the answer differs");
  CHECK(difference("all ttl", kAnswer, less, "QR", "QR", {5}) == "the answer differs");
}

TEST_CASE("scenarios/compare: a responder may leave out what nobody asked for", "[scenarios]") {
  const std::string full = kAnswer +
                           "SECTION AUTHORITY\nexample. IN NS ns.example.\n"
                           "SECTION ADDITIONAL\nns.example. IN A 192.0.2.3\n";
  CHECK(difference("all", kAnswer, full).empty());
  CHECK(difference("all", full, full).empty());
  CHECK(difference("all", full, kAnswer) == "the authority differs");
  const std::string soa = "SECTION AUTHORITY\nexample. IN SOA ns.example. a. 1 2 3 4 5\n";
  CHECK(difference("all", kQuestion, kQuestion + soa) == "the authority differs");
  CHECK(difference("all", kQuestion + soa, kQuestion + soa).empty());
  CHECK(difference("authority", kAnswer, full) == "the authority differs");
}

TEST_CASE("scenarios/compare: header and question are compared as the words say", "[scenarios]") {
  CHECK(difference("all", kQuestion, kQuestion, "QR RD", "QR") == "the header flags differ");
  CHECK(difference("all", kQuestion, kQuestion, "QR SERVFAIL", "QR") == "the RCODE differs");
  CHECK(difference("opcode", kQuestion, kQuestion, "QR NOTIFY", "QR") == "the opcode differs");
  CHECK(difference("opcode qname", kQuestion, kQuestion, "QR SERVFAIL", "QR RD").empty());
  const std::string above = "SECTION QUESTION\nexample. IN TXT\n";
  CHECK(difference("qname", kQuestion, above) == "the name in question differs");
  CHECK(difference("qtype", kQuestion, above) == "the type in question differs");
  CHECK(difference("subdomain", kQuestion, above).empty());
  CHECK(difference("subdomain", above, kQuestion) == "the name in question lies elsewhere");
  CHECK(difference("all", "", "").empty());
}

TEST_CASE("scenarios/compare: EDNS is there or not; its options on demand", "[scenarios]") {
  const std::string ede = "HEX_EDNSDATA_BEGIN\n 000f 0004 0016 4142\nHEX_EDNSDATA_END\n";
  CHECK(difference("all", kQuestion, kQuestion, "QR DO", "QR") == "there is an OPT");
  CHECK(difference("all", kQuestion, kQuestion, "QR", "QR DO") == "there is no OPT");
  CHECK(difference("all_noedns", kQuestion, kQuestion, "QR DO", "QR").empty());
  CHECK(difference("DO", kQuestion + ede, kQuestion) == "the DO flag is not set");
  CHECK(difference("noedns", kQuestion + ede, kQuestion) == "there is an OPT");
  CHECK(difference("ednsdata", kQuestion + ede, kQuestion) == "the EDNS options differ");
  CHECK(difference("all ede=22", kQuestion + ede, kQuestion, "QR", "QR DO").empty());
  CHECK(difference("all ede=any", kQuestion + ede, kQuestion, "QR", "QR DO").empty());
  CHECK(difference("all ede=3", kQuestion + ede, kQuestion) == "EDE 3 is expected, got 22");
  CHECK(difference("all ede=22", kQuestion, kQuestion) == "there is no EDE");
}

}  // namespace
}  // namespace siskin::scenarios
