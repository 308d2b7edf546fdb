#include "resolve/failures.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

TEST_CASE("resolve/failures: remembered for longer and longer, never over half a minute",
          "[resolve]") {
  Failures failures;
  std::vector<std::uint32_t> lengths;
  std::int64_t second = 0;
  for (int i = 0; i < 9; ++i) {
    lengths.push_back(failures.failed(name("www.example."), RRType::a, at_second(second)));
    second += lengths.back();
  }
  CHECK(lengths == std::vector<std::uint32_t>{5, 10, 20, 30, 30, 30, 30, 30, 30});
  CHECK(failures.failed(name("WWW.example."), RRType::a, at_second(second)) == 30);
  CHECK(failures.failed(name("www.example."), RRType::aaaa, at_second(second)) == 5);
  CHECK(failures.size() == 2);
}

TEST_CASE("resolve/failures: an answer or a long while without a failure begins anew",
          "[resolve]") {
  Failures failures;
  failures.failed(name("a."), RRType::a, at_second(0));
  CHECK(failures.failed(name("a."), RRType::a, at_second(5)) == 10);
  failures.answered(name("A."), RRType::a);
  CHECK(failures.failed(name("a."), RRType::a, at_second(20)) == 5);
  CHECK(failures.failed(name("a."), RRType::a, at_second(20 + 5 + 599)) == 10);
  CHECK(failures.failed(name("a."), RRType::a, at_second(20 + 5 + 599 + 10 + 600)) == 5);
}

TEST_CASE("resolve/failures: of too many questions the oldest is forgotten", "[resolve]") {
  Failures failures;
  for (std::size_t i = 0; i <= Failures::kQuestionsMax; ++i) {
    failures.failed(name("h" + std::to_string(i) + ".example."), RRType::a, at_second(0));
  }
  CHECK(failures.size() == Failures::kQuestionsMax);
  CHECK(failures.failed(name("h0.example."), RRType::a, at_second(1)) == 5);
  CHECK(failures.failed(name("h4096.example."), RRType::a, at_second(1)) == 10);
}

}  // namespace
}  // namespace siskin::resolve::test
