/// Whole resolutions in worlds drawn from seeds.  A failure prints the seed;
/// RandomWorld(seed).text() is the world.
#include <fmt/format.h>

#include <string>

#include "sim/oracle.hpp"
#include "sim/random_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::resolve::Outcome;
using siskin::resolve::Question;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

struct Conditions {
  bool with_vices = false;
  Link link;
  bool may_fail = false;  ///< SERVFAIL is allowed although the answer is within reach
};

/// All that one world's questions come to.
struct Run {
  std::string log;        ///< every exchange
  std::string answers;    ///< every outcome
  std::string faults;     ///< invariants that do not hold; empty: all do
  unsigned failures = 0;  ///< SERVFAILs although the answer is within reach
};

std::string fault(std::uint64_t seed, const Question& question, const std::string& what,
                  const Outcome& outcome, const SimResolver& resolver) {
  return fmt::format("seed {}, {} {}: {}\ngot:\n{}EDE text: {}\nlog:\n{}\n", seed,
                     question.name.to_text(), to_string(question.type), what, to_text(outcome),
                     outcome.error ? outcome.error->text : "none", resolver.log());
}

void ask(std::uint64_t seed, const Question& question, const Oracle& oracle, bool may_fail,
         SimResolver& resolver, Run& run) {
  const Outcome outcome = resolver.ask(question);
  run.answers += to_text(outcome);
  const auto complain = [&](const std::string& what) {
    run.faults += fault(seed, question, what, outcome, resolver);
  };
  const Expectation expected = oracle.expect(question.name, question.type);
  const std::string wrong = Oracle::disagreement(expected, outcome, may_fail);
  if (!wrong.empty()) complain(wrong);
  if (outcome.exchanges > 100) complain("more than 100 exchanges");
  if (outcome.exchanges != resolver.exchanges()) complain("exchanges are counted wrongly");
  if (resolver.took() > seconds(8) + milliseconds(1)) complain("it took too long");
  const bool failed = outcome.rcode == siskin::wire::Rcode::servfail;
  run.failures += failed && expected.is_within_reach;
}

Run run(std::uint64_t seed, const Conditions& conditions) {
  RandomWorld random_world(seed, {conditions.with_vices, 50});
  random_world.world().link = conditions.link;
  const Oracle oracle(random_world.world());
  SimResolver::Settings settings;
  settings.seed = seed;
  SimResolver resolver(random_world.world(), settings);
  Run run;
  for (const Question& question : random_world.questions()) {
    ask(seed, question, oracle, conditions.may_fail, resolver, run);
    resolver.advance(seconds(seed % 3 == 0 ? 20 : 1));
  }
  if (!resolver.time().settle(seconds(60)))
    run.faults += fmt::format("seed {}: timers left\n", seed);
  if (resolver.upstream().pending() != 0)
    run.faults += fmt::format("seed {}: exchanges left\n", seed);
  for (const std::string& complaint : resolver.upstream().complaints()) {
    run.faults += fmt::format("seed {}: {}\n", seed, complaint);
  }
  run.log = resolver.upstream().log();
  return run;
}

}  // namespace

TEST_CASE("sim/random_world: without loss and vices, what is within reach is found", "[sim]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run(seed, {});
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
  }
}

TEST_CASE("sim/random_world: with a fifth of all packets lost, answers are right or SERVFAIL",
          "[sim]") {
  const Conditions conditions{false, {milliseconds(2), milliseconds(40), 0.2, 0.02, 0.02}, true};
  unsigned failures = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run(seed, conditions);
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
    failures += result.failures;
  }
  CAPTURE(failures);
  CHECK(failures < 150);  // of 10,000 questions; many zones have one server
}

TEST_CASE(
    "sim/random_world: with loss and vices, answers are right or SERVFAIL, and the same twice",
    "[sim]") {
  const Conditions conditions{true, {milliseconds(2), milliseconds(40), 0.2, 0.02, 0.02}, true};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Run result = run(seed, conditions);
    if (!result.faults.empty()) FAIL_CHECK(result.faults);
    const Run again = run(seed, conditions);
    CAPTURE(seed);
    CHECK((result.log == again.log && result.answers == again.answers));
  }
}
