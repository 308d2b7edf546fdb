// Two cores on two threads that own each other's questions; the thread sanitizer looks on.
#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <thread>

#include "serve/world.hpp"
#include "support/catch.hpp"

using namespace siskin::serve::test;
using siskin::serve::Crew;
using siskin::serve::Fetches;
using siskin::serve::Frontend;

namespace {

constexpr unsigned kCores = 2;
constexpr unsigned kQueries = 400;  // a core; each name is asked four times there

/// Answers in a later turn of the loop, so that others can join meanwhile.
class SlowQuestioner final : public siskin::serve::Questioner {
 public:
  explicit SlowQuestioner(boost::asio::io_context& io) : io_(io) {}

  siskin::runtime::Task<siskin::resolve::Outcome> resolve(
      siskin::resolve::Question question) override {
    ++asked;
    for (int turns = 0; turns < 3; ++turns) {
      co_await boost::asio::post(io_, siskin::runtime::use_task);
    }
    siskin::resolve::Outcome outcome;
    outcome.rcode = siskin::wire::Rcode::noerror;
    outcome.answer = {a_set(question.name.to_text(), 60, {"192.0.2.1"})};
    co_return outcome;
  }

  std::size_t asked = 0;

 private:
  boost::asio::io_context& io_;
};

struct Core {
  Core() : work(io.get_executor()), fetches(questioner, io.get_executor(), {}) {}

  boost::asio::io_context io{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
  FakeRandom random;
  SlowQuestioner questioner{io};
  Fetches fetches;
  RecordingSink sink;
  std::unique_ptr<Frontend> frontend;
};

class ThreadCrew final : public Crew {
 public:
  unsigned size() const noexcept override { return kCores; }
  void post(unsigned core, std::function<void()> work) override {
    boost::asio::post(cores.at(core).io, std::move(work));
  }
  Fetches& fetches(unsigned core) noexcept override { return cores[core].fetches; }

  std::array<Core, kCores> cores;
  std::vector<Octets> queries;  ///< made before the threads are: assertions are not for them
};

std::vector<Octets> all_queries() {
  std::vector<Octets> queries;
  for (unsigned i = 0; i < kQueries; ++i) {
    QuerySpec spec;
    spec.name = "n" + std::to_string(i / 4) + ".example.";
    spec.id = static_cast<std::uint16_t>(i);
    queries.push_back(query(spec));
  }
  return queries;
}

/// Asks the i-th question and then, in a later turn, the next.
void ask(ThreadCrew& crew, unsigned number, unsigned i) {
  Core& core = crew.cores.at(number);
  if (i == kQueries) return;
  Octets buffer(4096);
  core.frontend->handle(crew.queries[i], siskin::runtime::Transport::udp, {}, core.sink, buffer);
  crew.post(number, [&crew, number, i] { ask(crew, number, i + 1); });
}

/// Ends the loops when every core has all its replies.
void watch(ThreadCrew& crew, unsigned number, std::atomic<unsigned>& unfinished) {
  if (crew.cores.at(number).sink.sent.size() < kQueries) {
    crew.post(number, [&crew, number, &unfinished] { watch(crew, number, unfinished); });
    return;
  }
  if (--unfinished > 0) return;
  for (unsigned each = 0; each < kCores; ++each) {
    crew.post(each, [&crew, each] { crew.cores.at(each).work.reset(); });
  }
}

}  // namespace

TEST_CASE("serve/threads: cores resolve for each other and every query gets its reply", "[serve]") {
  WorldOptions options;
  World world(options);  // for its cache, clock and access list
  ThreadCrew crew;
  crew.queries = all_queries();
  std::atomic<unsigned> unfinished{kCores};
  for (unsigned number = 0; number < kCores; ++number) {
    Core& core = crew.cores.at(number);
    const Frontend::Context context{world.cache, world.access, world.clock, core.random,
                                    crew,        number,       {5, 9}};
    core.frontend = std::make_unique<Frontend>(context, Frontend::Options{});
    crew.post(number, [&crew, number] { ask(crew, number, 0); });
    crew.post(number, [&crew, number, &unfinished] { watch(crew, number, unfinished); });
  }
  std::array<std::thread, kCores> threads;
  for (unsigned i = 0; i < kCores; ++i) {
    threads.at(i) = std::thread([&crew, i] { crew.cores.at(i).io.run(); });
  }
  for (std::thread& thread : threads) thread.join();

  for (Core& core : crew.cores) {
    REQUIRE(core.sink.sent.size() == kQueries);
    CHECK(core.frontend->pending() == 0);
    CHECK(core.fetches.in_flight() == 0);
    CHECK(core.questioner.asked > 0);
    for (const auto& [ticket, octets] : core.sink.sent) {
      const Reply reply = read_reply(octets);
      const std::string owner = "n" + std::to_string(reply.id / 4) + ".example.";
      REQUIRE(reply.answer == Lines{owner + " 60 IN A 192.0.2.1"});
    }
  }
}
