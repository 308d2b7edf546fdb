#include "siskin/serve/fetches.hpp"

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::resolve::Outcome;
using siskin::resolve::Question;
using siskin::serve::Fetches;
using siskin::serve::SharedOutcome;
using siskin::wire::Rcode;
using siskin::wire::RRType;

namespace {

Question question(const std::string& text, RRType type = RRType::a) {
  return {name(text), type};
}

Outcome outcome_of(Rcode rcode) {
  Outcome outcome;
  outcome.rcode = rcode;
  return outcome;
}

/// Fetches with a questioner, and what their askers were told.
struct Rig {
  explicit Rig(const Fetches::Options& options = {})
      : fetches(std::make_unique<Fetches>(questioner, io.get_executor(), options)) {}

  void join(const Question& q) {
    fetches->join(q, [this](SharedOutcome outcome) { told.push_back(std::move(outcome)); });
  }

  void run() {
    io.restart();
    io.poll();
  }

  boost::asio::io_context io;
  FakeQuestioner questioner;
  std::unique_ptr<Fetches> fetches;
  std::vector<SharedOutcome> told;
};

}  // namespace

TEST_CASE("serve/fetches: askers of the same question share one fetch and one outcome", "[serve]") {
  Rig rig;
  for (const char* asked : {"www.example.", "WWW.example.", "wWw.EXAMPLE."}) {
    rig.join(question(asked));
    rig.run();
  }
  CHECK(rig.questioner.asked.size() == 1);
  CHECK(rig.fetches->in_flight() == 1);
  CHECK(rig.told.empty());
  rig.questioner.answer(outcome_of(Rcode::nxdomain));
  rig.run();
  REQUIRE(rig.told.size() == 3);
  CHECK(rig.told[0]->rcode == Rcode::nxdomain);
  CHECK(rig.told[1] == rig.told[0]);
  CHECK(rig.told[2] == rig.told[0]);
  CHECK(rig.fetches->in_flight() == 0);
}

TEST_CASE("serve/fetches: other names and other types are other questions", "[serve]") {
  Rig rig;
  rig.join(question("www.example."));
  rig.join(question("www.example.", RRType::aaaa));
  rig.join(question("www2.example."));
  rig.join(question("example."));
  rig.run();
  CHECK(rig.questioner.asked.size() == 4);
  CHECK(rig.fetches->in_flight() == 4);
}

TEST_CASE("serve/fetches: an asker that joins again when it is told begins anew", "[serve]") {
  Rig rig;
  int told = 0;
  rig.fetches->join(question("www.example."), [&rig, &told](const SharedOutcome&) {
    ++told;
    rig.join(question("www.example."));
  });
  rig.join(question("www.example."));
  rig.run();
  rig.questioner.answer(outcome_of(Rcode::noerror));
  rig.run();
  CHECK(told == 1);
  CHECK(rig.told.size() == 1);
  CHECK(rig.questioner.asked.size() == 2);
  CHECK(rig.fetches->in_flight() == 1);
  rig.questioner.answer(outcome_of(Rcode::noerror));
  rig.run();
  CHECK(rig.told.size() == 2);
  CHECK(rig.fetches->in_flight() == 0);
}

TEST_CASE("serve/fetches: an outcome that needs no waiting is told at once or soon", "[serve]") {
  Rig rig;
  rig.questioner.at_once = outcome_of(Rcode::noerror);
  rig.join(question("www.example."));
  rig.run();
  CHECK(rig.told.size() == 1);
  CHECK(rig.fetches->in_flight() == 0);
}

TEST_CASE("serve/fetches: too many questions in flight are SERVFAIL, and the limit is named",
          "[serve]") {
  Fetches::Options options;
  options.fetches_max = 2;
  Rig rig(options);
  rig.join(question("a.example."));
  rig.join(question("b.example."));
  rig.join(question("c.example."));
  REQUIRE(rig.told.size() == 1);
  CHECK(rig.told[0]->rcode == Rcode::servfail);
  CHECK(rig.told[0]->error->text == "2 questions are in flight already");
  rig.join(question("a.example."));  // who joins needs no room
  CHECK(rig.told.size() == 1);
  rig.run();
  rig.questioner.answer(outcome_of(Rcode::noerror));
  rig.run();
  rig.join(question("c.example."));
  rig.run();
  CHECK(rig.questioner.asked.size() == 3);
}

TEST_CASE("serve/fetches: too many askers of one question are SERVFAIL, and the limit is named",
          "[serve]") {
  Fetches::Options options;
  options.waiters_max = 2;
  Rig rig(options);
  for (int i = 0; i < 3; ++i) rig.join(question("a.example."));
  REQUIRE(rig.told.size() == 1);
  CHECK(rig.told[0]->rcode == Rcode::servfail);
  CHECK(rig.told[0]->error->text == "2 clients wait for this answer already");
  rig.run();
  rig.questioner.answer(outcome_of(Rcode::noerror));
  rig.run();
  REQUIRE(rig.told.size() == 3);
  CHECK(rig.told[2]->rcode == Rcode::noerror);
}

TEST_CASE("serve/fetches: fetches may go before their questions are answered", "[serve]") {
  Rig rig;
  rig.join(question("a.example."));
  rig.run();
  rig.fetches.reset();
  rig.questioner.answer(outcome_of(Rcode::noerror));
  rig.run();
  CHECK(rig.told.empty());
}
