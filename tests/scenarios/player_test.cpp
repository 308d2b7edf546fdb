#include "scenarios/player.hpp"

#include "scenarios/parser.hpp"
#include "scenarios/script_text.hpp"
#include "support/catch.hpp"

namespace siskin::scenarios {
namespace {

const std::string kAddress = "SECTION ANSWER\na. 60 IN A 192.0.2.7\n";
const std::string kAsk = entry("REPLY RD", "a. IN A");
const std::string kGet = entry("MATCH all ttl\nREPLY QR RD RA", "a. IN A", kAddress);
const std::string kSay =
    entry("MATCH opcode qname\nADJUST copy_id\nREPLY QR AA", "a. IN A", kAddress);

Outcome outcome_of(const std::string& body, bool is_strict = false) {
  const Scenario scenario = parse_scenario(script(body), "some.rpl");
  return play(scenario, make_setup(scenario), {is_strict});
}

std::string failure_of(const std::string& body, bool is_strict = false) {
  return outcome_of(body, is_strict).failure;
}

std::string query_step(unsigned number) {
  return "STEP " + std::to_string(number) + " QUERY\n" + kAsk;
}

std::string check_step(unsigned number) {
  return "STEP " + std::to_string(number) + " CHECK_ANSWER\n" + kGet;
}

TEST_CASE("scenarios/player: a right answer passes", "[scenarios]") {
  const Outcome outcome = outcome_of(root_range(kSay) + query_step(1) + check_step(2));
  CHECK(outcome.failure.empty());
  CHECK(outcome.has_passed);
  CHECK(outcome.notes.empty());
}

TEST_CASE("scenarios/player: a failure shows step, expected and got side by side", "[scenarios]") {
  const std::string wrong =
      entry("MATCH all\nREPLY QR RD RA", "a. IN A", "SECTION ANSWER\na. 60 IN A 192.0.2.8\n");
  CHECK(failure_of(root_range(kSay) + query_step(1) + "STEP 2 CHECK_ANSWER\n" + wrong) ==
        "some.rpl:26: step 2 CHECK_ANSWER: the answer differs\n"
        "  expected                   got\n"
        "  QR RD RA NOERROR           QR RD RA NOERROR\n"
        "  ? a. IN A                  ? a. IN A\n"
        "  ; answer                   ; answer\n"
        "  a. 60 IN A 192.0.2.8     | a. 60 IN A 192.0.2.7\n"
        "  servers were asked\n"
        "  192.0.2.1 udp a. IN A: entry of line 10\n");
}

TEST_CASE("scenarios/player: the later range goes first, and only while it holds the step",
          "[scenarios]") {
  const std::string later = entry("MATCH opcode qname\nADJUST copy_id\nREPLY QR AA", "a. IN A",
                                  "SECTION ANSWER\na. 1 IN A 192.0.2.9\n");
  const std::string got_later =
      entry("MATCH all ttl\nREPLY QR RD RA", "a. IN A", "SECTION ANSWER\na. 1 IN A 192.0.2.9\n");
  CHECK(failure_of(root_range(kSay) + root_range(later, "0 5") + query_step(1) +
                   "STEP 2 CHECK_ANSWER\n" + got_later + "STEP 6 TIME_PASSES ELAPSE 1\n" +
                   query_step(7) + check_step(8))
            .empty());
}

TEST_CASE("scenarios/player: an answer that nobody checks fails", "[scenarios]") {
  CHECK(failure_of(root_range(kSay) + query_step(1))
            .starts_with("some.rpl:20: step 1 QUERY: an answer is left that no step checks\n"));
}

TEST_CASE("scenarios/player: a check without a query fails", "[scenarios]") {
  CHECK(failure_of(check_step(1)).starts_with("some.rpl:8: step 1 CHECK_ANSWER: no answer came\n"));
}

TEST_CASE("scenarios/player: a server without an entry is silent, which is said", "[scenarios]") {
  const std::string body = query_step(1) + "STEP 2 CHECK_ANSWER\n" +
                           entry("MATCH all\nREPLY QR RD RA SERVFAIL", "a. IN A");
  const Outcome outcome = outcome_of(body);
  CHECK(outcome.failure.empty());
  REQUIRE_FALSE(outcome.notes.empty());
  CHECK(outcome.notes[0] == "no range answers: 192.0.2.1 udp a. IN A");
  CHECK(failure_of(body, true).find("a server was asked what no range answers") !=
        std::string::npos);
}

TEST_CASE("scenarios/player: REPLY, TIMEOUT and ERROR end the newest query", "[scenarios]") {
  CHECK(failure_of(query_step(1) + "STEP 2 REPLY\n" + kSay + check_step(3), true).empty());
  CHECK(failure_of(query_step(1) + "STEP 2 TIMEOUT\nSTEP 3 REPLY\n" + kSay + check_step(4), true)
            .empty());
  CHECK(failure_of(query_step(1) + "STEP 2 ERROR\nSTEP 3 CHECK_ANSWER\n" +
                       entry("MATCH all\nREPLY QR RD RA SERVFAIL", "a. IN A"),
                   true)
            .empty());
  CHECK(failure_of("STEP 2 TIMEOUT\n")
            .starts_with("some.rpl:8: step 2 TIMEOUT: no query to a server is pending\n"));
}

TEST_CASE("scenarios/player: what the resolver asks can be checked and answered", "[scenarios]") {
  CHECK(
      failure_of(
          query_step(1) + "STEP 2 CHECK_OUT_QUERY ADDRESS 192.0.2.1\n" + kSay + check_step(3), true)
          .empty());
  CHECK(failure_of(query_step(1) + "STEP 2 CHECK_OUT_QUERY ADDRESS 192.0.2.2\n" + kSay)
            .starts_with("some.rpl:14: step 2 CHECK_OUT_QUERY: the resolver did not ask this\n"));
}

TEST_CASE("scenarios/player: a wait for a silent server is not held against TTLs", "[scenarios]") {
  CHECK(failure_of(root_range(kSay) + query_step(1) + check_step(2) + "STEP 3 QUERY\n" +
                       entry("REPLY RD", "b. IN A") + "STEP 4 TIMEOUT\nSTEP 5 TIMEOUT\n" +
                       "STEP 6 TIMEOUT\nSTEP 7 TIMEOUT\nSTEP 8 TIMEOUT\nSTEP 9 CHECK_ANSWER\n" +
                       entry("MATCH all\nREPLY QR RD RA SERVFAIL", "b. IN A") + query_step(10) +
                       check_step(11),
                   true)
            .empty());
}

TEST_CASE("scenarios/player: a message can be forgotten", "[scenarios]") {
  const std::string asked = "STEP 5 CHECK_OUT_QUERY\n" + entry("MATCH qname", "a. IN A");
  const std::string before = root_range(kSay) + query_step(1) + check_step(2);
  CHECK(failure_of(before + query_step(4) + asked + check_step(6)) != "");
  CHECK(
      failure_of(before + "STEP 3 FLUSH_MESSAGE a. A IN\n" + query_step(4) + asked + check_step(6))
          .empty());
}

TEST_CASE("scenarios/player: a stub zone is known without a referral", "[scenarios]") {
  const std::string body = "RANGE_BEGIN 0 9\n ADDRESS 192.0.2.9\n" + kSay + "RANGE_END\n" +
                           query_step(1) + check_step(2);
  const Scenario scenario =
      parse_scenario(script(body, "stub-zone: name: a. stub-addr: 192.0.2.9\n"), "some.rpl");
  CHECK(play(scenario, make_setup(scenario), {true}).failure.empty());
}

}  // namespace
}  // namespace siskin::scenarios
