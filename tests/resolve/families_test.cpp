#include "resolve/families.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

const IpAddress kV6[] = {
    IpAddress::from_text("2001:db8::1").value(), IpAddress::from_text("2001:db8::2").value(),
    IpAddress::from_text("2001:db8::3").value(), IpAddress::from_text("2001:db8::4").value()};

/// IPv4 works, and the first three of IPv6 say nothing.
Families with_doubt() {
  Families families;
  families.replied(Family::ipv4);
  for (int i = 0; i < 3; ++i) families.silent(kV6[i], at_second(i));
  return families;
}

}  // namespace

TEST_CASE("resolve/families: at first none works and none rests", "[resolve]") {
  const Families families;
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    CHECK_FALSE(families.works(family));
    CHECK_FALSE(families.rests(family, at_second(0)));
  }
}

TEST_CASE("resolve/families: the third silent server puts its family to rest", "[resolve]") {
  Families families;
  families.replied(Family::ipv4);
  families.silent(kV6[0], at_second(0));
  families.silent(kV6[0], at_second(0));
  families.silent(kV6[0], at_second(0));  // one server says nothing of the others
  families.silent(kV6[1], at_second(0));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(0)));
  families.silent(kV6[2], at_second(0));
  CHECK(families.rests(Family::ipv6, at_second(0)));
  CHECK_FALSE(families.rests(Family::ipv4, at_second(0)));
  CHECK(families.works(Family::ipv4));
}

TEST_CASE("resolve/families: either may be the one", "[resolve]") {
  Families families;
  families.replied(Family::ipv6);
  for (std::uint8_t i = 0; i < 3; ++i) {
    families.silent(IpAddress::v4(192, 0, 2, i), at_second(0));
  }
  CHECK(families.rests(Family::ipv4, at_second(0)));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(0)));
}

TEST_CASE("resolve/families: an answer in between begins the count anew", "[resolve]") {
  Families families;
  families.replied(Family::ipv4);
  families.silent(kV6[0], at_second(0));
  families.silent(kV6[1], at_second(0));
  families.replied(Family::ipv6);
  CHECK(families.works(Family::ipv6));
  families.silent(kV6[2], at_second(0));
  families.silent(kV6[3], at_second(0));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(0)));
  CHECK_FALSE(families.works(Family::ipv6));
}

TEST_CASE("resolve/families: where neither works, neither rests", "[resolve]") {
  Families families = with_doubt();
  CHECK(families.rests(Family::ipv6, at_second(2)));
  families.silent(IpAddress::v4(192, 0, 2, 1), at_second(2));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(2)));
  families.replied(Family::ipv4);
  CHECK(families.rests(Family::ipv6, at_second(2)));
}

TEST_CASE("resolve/families: after its rest one may try, and the rest begins anew", "[resolve]") {
  Families families = with_doubt();
  CHECK(families.rests(Family::ipv6, at_second(31)));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(32)));
  families.asked(Family::ipv6, at_second(40));
  CHECK(families.rests(Family::ipv6, at_second(69)));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(70)));
}

TEST_CASE("resolve/families: one answer ends the doubt", "[resolve]") {
  Families families = with_doubt();
  families.replied(Family::ipv6);
  CHECK_FALSE(families.rests(Family::ipv6, at_second(2)));
  CHECK(families.works(Family::ipv6));
  families.asked(Family::ipv6, at_second(3));
  CHECK_FALSE(families.rests(Family::ipv6, at_second(3)));
}

}  // namespace siskin::resolve::test
