#include "resolve/budget.hpp"

#include <string>

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

Limits small_limits() {
  Limits limits;
  limits.exchanges = 3;
  limits.aliases = 2;
  limits.server_lookups = 1;
  limits.time = std::chrono::seconds(8);
  return limits;
}

}  // namespace

TEST_CASE("resolve/budget: exchanges are spent one by one and counted", "[resolve]") {
  Budget budget(small_limits(), at_second(100));
  CHECK(budget.exchanges_spent() == 0);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    CHECK(budget.spend_exchange(at_second(100)));
    CHECK(budget.exchanges_spent() == i);
  }
  CHECK_FALSE(budget.exhausted());
  CHECK_FALSE(budget.spend_exchange(at_second(100)));
  CHECK_FALSE(budget.spend_exchange(at_second(100)));
  CHECK(budget.exchanges_spent() == 3);
  CHECK(budget.exhausted() == stats::Metric::limit_exchanges);
}

TEST_CASE("resolve/budget: aliases and look-ups have their own purses", "[resolve]") {
  Budget budget(small_limits(), at_second(0));
  CHECK(budget.spend_alias());
  CHECK(budget.spend_alias());
  CHECK(budget.spend_server_lookup());
  CHECK_FALSE(budget.exhausted());
  CHECK_FALSE(budget.spend_alias());
  CHECK_FALSE(budget.spend_server_lookup());
  CHECK_FALSE(budget.spend_alias());
  CHECK(budget.spend_exchange(at_second(0)));
}

TEST_CASE("resolve/budget: the first limit that was hit is named", "[resolve]") {
  Budget aliases(small_limits(), at_second(0));
  for (int i = 0; i < 3; ++i) aliases.spend_alias();
  for (int i = 0; i < 4; ++i) aliases.spend_exchange(at_second(0));
  CHECK(aliases.exhausted() == stats::Metric::limit_aliases);

  Budget lookups(small_limits(), at_second(0));
  for (int i = 0; i < 2; ++i) lookups.spend_server_lookup();
  CHECK(lookups.exhausted() == stats::Metric::limit_server_lookups);
}

TEST_CASE("resolve/budget: nothing is spent at the deadline or after it", "[resolve]") {
  Budget budget(small_limits(), at_second(100));
  CHECK(budget.deadline() == at_second(108));
  CHECK(budget.spend_exchange(at_second(108) - Duration(1)));
  CHECK_FALSE(budget.spend_exchange(at_second(108)));
  CHECK(budget.exchanges_spent() == 1);
  CHECK(budget.exhausted() == stats::Metric::limit_time);
}

TEST_CASE("resolve/budget: a limit of none allows none", "[resolve]") {
  Limits limits = small_limits();
  limits.exchanges = limits.aliases = limits.server_lookups = 0;
  Budget budget(limits, at_second(0));
  CHECK_FALSE(budget.spend_exchange(at_second(0)));
  CHECK_FALSE(budget.spend_alias());
  CHECK_FALSE(budget.spend_server_lookup());
}

}  // namespace siskin::resolve::test
