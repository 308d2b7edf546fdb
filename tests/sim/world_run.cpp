#include "sim/world_run.hpp"

#include <fmt/format.h>

#include "sim/oracle.hpp"
#include "sim/random_world.hpp"
#include "sim/sim_resolver.hpp"

namespace siskin::sim {
namespace {

using resolve::Outcome;
using resolve::Question;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr unsigned kExchangesMax = 100;

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
  if (outcome.exchanges > kExchangesMax) complain("more than 100 exchanges");
  if (outcome.exchanges != resolver.exchanges()) complain("exchanges are counted wrongly");
  if (resolver.took() > seconds(8) + milliseconds(1)) complain("it took too long");
  const bool failed = outcome.rcode == wire::Rcode::servfail;
  ++run.questions;
  run.within_reach += expected.is_within_reach;
  run.failures += failed && expected.is_within_reach;
  run.exchanges += outcome.exchanges;
  run.exchanges_max = std::max(run.exchanges_max, outcome.exchanges);
}

}  // namespace

Link lossy_link(double loss) {
  return {milliseconds(2), milliseconds(40), loss, 0.02, 0.02};
}

Run run_world(std::uint64_t seed, const Conditions& conditions) {
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
  if (!resolver.time().settle(seconds(60))) {
    run.faults += fmt::format("seed {}: timers left\n", seed);
  }
  if (resolver.upstream().pending() != 0) {
    run.faults += fmt::format("seed {}: exchanges left\n", seed);
  }
  for (const std::string& complaint : resolver.upstream().complaints()) {
    run.faults += fmt::format("seed {}: {}\n", seed, complaint);
  }
  run.log = resolver.upstream().log();
  return run;
}

}  // namespace siskin::sim
