#include "serve/owner.hpp"

#include <array>

#include "serve/messages.hpp"
#include "support/catch.hpp"

using siskin::HashKey;
using siskin::serve::owner_of;
using siskin::serve::test::name;
using siskin::wire::RRType;

TEST_CASE("serve/owner: letter case does not matter, name, type and key do", "[serve]") {
  constexpr HashKey key{1, 2};
  constexpr unsigned many = 1U << 30;
  const auto owner = [](const char* text, RRType type, HashKey with) {
    return owner_of(name(text).wire(), type, with, many);
  };
  const unsigned first = owner("www.example.", RRType::a, key);
  CHECK(owner("wWw.EXAMPLE.", RRType::a, key) == first);
  CHECK(owner("www.example.", RRType::aaaa, key) != first);
  CHECK(owner("www2.example.", RRType::a, key) != first);
  CHECK(owner("www.example.", RRType::a, HashKey{1, 3}) != first);
}

TEST_CASE("serve/owner: work is spread over the cores", "[serve]") {
  std::array<int, 4> questions{};
  for (int i = 0; i < 4000; ++i) {
    const auto asked = name("n" + std::to_string(i) + ".example.");
    ++questions.at(owner_of(asked.wire(), RRType::a, {3, 4}, 4));
  }
  for (const int count : questions) CHECK((count > 850 && count < 1150));
  CHECK(owner_of(name(".").wire(), RRType::ns, {3, 4}, 1) == 0);
}

TEST_CASE("serve/owner: the longest name fits", "[serve]") {
  std::string longest;
  for (int i = 0; i < 127; ++i) longest += "a.";
  CHECK(name(longest).size() == 255);
  CHECK(owner_of(name(longest).wire(), RRType::a, {5, 6}, 1) == 0);
}
