#include "resolve/quirks.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

wire::Cookie cookie_of(std::uint8_t client, std::uint8_t server) {
  wire::Cookie cookie;
  cookie.client.fill(client);
  cookie.server_size = 16;
  std::fill_n(cookie.server.begin(), 16, server);
  return cookie;
}

}  // namespace

TEST_CASE("resolve/quirks: who showed a cookie owes one for an hour", "[resolve]") {
  Quirks quirks;
  CHECK(quirks.may_send_cookie(at_second(0)));
  CHECK_FALSE(quirks.owes_cookie(at_second(0)));
  quirks.showed_cookie(cookie_of(1, 2), at_second(100));
  CHECK(quirks.owes_cookie(at_second(3699)));
  CHECK_FALSE(quirks.owes_cookie(at_second(3700)));
  quirks.showed_cookie(cookie_of(1, 2), at_second(4000));
  quirks.has_no_cookie();
  CHECK_FALSE(quirks.owes_cookie(at_second(4000)));
}

TEST_CASE("resolve/quirks: the server's half goes with the client's that it was made for",
          "[resolve]") {
  Quirks quirks;
  const wire::Cookie first = cookie_of(1, 2);
  CHECK(quirks.cookie_for(first.client).server_size == 0);
  CHECK(quirks.cookie_for(first.client).client == first.client);
  quirks.showed_cookie(first, at_second(0));
  CHECK(quirks.cookie_for(first.client) == first);
  CHECK(quirks.cookie_for(cookie_of(3, 0).client).server_size == 0);
  quirks.showed_cookie(cookie_of(1, 9), at_second(0));
  CHECK(quirks.cookie_for(first.client) == cookie_of(1, 9));
}

TEST_CASE("resolve/quirks: three replies without the cookie that is owed, and none is for an hour",
          "[resolve]") {
  Quirks quirks;
  quirks.showed_cookie(cookie_of(1, 2), at_second(0));
  quirks.hid_cookie(at_second(0));
  quirks.hid_cookie(at_second(1));
  CHECK(quirks.owes_cookie(at_second(1)));
  quirks.hid_cookie(at_second(2));
  CHECK_FALSE(quirks.owes_cookie(at_second(2)));
  quirks.showed_cookie(cookie_of(1, 2), at_second(3000));
  CHECK_FALSE(quirks.owes_cookie(at_second(3601)));
  CHECK(quirks.owes_cookie(at_second(3602)));
  CHECK(quirks.may_send_cookie(at_second(2)));
}

TEST_CASE("resolve/quirks: replies without a cookie between those with one never add up",
          "[resolve]") {
  Quirks quirks;
  quirks.showed_cookie(cookie_of(1, 2), at_second(0));
  for (int i = 0; i < 10; ++i) {
    quirks.hid_cookie(at_second(i));
    quirks.hid_cookie(at_second(i));
    quirks.hid_no_cookie();
  }
  CHECK(quirks.owes_cookie(at_second(10)));
}

TEST_CASE("resolve/quirks: who chokes on a cookie gets none for ten minutes", "[resolve]") {
  Quirks quirks;
  quirks.choked_on_cookie(at_second(0));
  CHECK_FALSE(quirks.may_send_cookie(at_second(599)));
  CHECK(quirks.may_send_cookie(at_second(600)));

  quirks.took_cookie(at_second(600));
  quirks.choked_on_cookie(at_second(4199));
  CHECK(quirks.may_send_cookie(at_second(4199)));
  quirks.choked_on_cookie(at_second(4200));
  CHECK_FALSE(quirks.may_send_cookie(at_second(4200)));
}

TEST_CASE("resolve/quirks: three answers without EDNS only, and it is left out for ten minutes",
          "[resolve]") {
  Quirks quirks;
  quirks.answered_only_without_edns(at_second(0));
  quirks.answered_only_without_edns(at_second(0));
  CHECK(quirks.may_send_edns(at_second(0)));
  quirks.answered_only_without_edns(at_second(10));
  CHECK_FALSE(quirks.may_send_edns(at_second(609)));
  CHECK(quirks.may_send_edns(at_second(610)));
}

TEST_CASE("resolve/quirks: EDNS that has worked within the hour is not given up, fault A7",
          "[resolve]") {
  Quirks quirks;
  quirks.answered_only_without_edns(at_second(0));
  quirks.answered_only_without_edns(at_second(0));
  quirks.answered_with_edns(at_second(0));
  for (int i = 0; i < 10; ++i) quirks.answered_only_without_edns(at_second(3599));
  CHECK(quirks.may_send_edns(at_second(3599)));
  for (int i = 0; i < 3; ++i) quirks.answered_only_without_edns(at_second(3600));
  CHECK_FALSE(quirks.may_send_edns(at_second(3600)));
}

TEST_CASE("resolve/quirks: two changed letter cases in a row, and one case is used for an hour",
          "[resolve]") {
  Quirks quirks;
  quirks.changed_case(at_second(0));
  quirks.kept_case();
  quirks.changed_case(at_second(0));
  CHECK(quirks.keeps_case(at_second(0)));
  quirks.changed_case(at_second(10));
  CHECK_FALSE(quirks.keeps_case(at_second(3609)));
  CHECK(quirks.keeps_case(at_second(3610)));
}

TEST_CASE("resolve/quirks: four truncations in a row, and TCP comes first for five minutes",
          "[resolve]") {
  Quirks quirks;
  for (int i = 0; i < 3; ++i) quirks.truncated(at_second(0));
  quirks.fitted();
  for (int i = 0; i < 3; ++i) quirks.truncated(at_second(0));
  CHECK_FALSE(quirks.wants_tcp(at_second(0)));
  quirks.truncated(at_second(10));
  CHECK(quirks.wants_tcp(at_second(309)));
  CHECK_FALSE(quirks.wants_tcp(at_second(310)));
  for (int i = 0; i < 4; ++i) quirks.truncated(at_second(400));
  CHECK(quirks.wants_tcp(at_second(400)));
  quirks.failed_over_tcp();
  CHECK_FALSE(quirks.wants_tcp(at_second(400)));
}

TEST_CASE("resolve/quirks: eight near misses more than replies are an attack, fault A1",
          "[resolve]") {
  Quirks quirks;
  quirks.near_missed(3, at_second(0));
  quirks.near_missed(3, at_second(0));
  CHECK_FALSE(quirks.is_attacked(at_second(0)));
  quirks.near_missed(3, at_second(5));
  CHECK(quirks.wants_tcp(at_second(34)));
  quirks.failed_over_tcp();  // no reason to go back to where forged replies are
  CHECK(quirks.wants_tcp(at_second(34)));
  CHECK_FALSE(quirks.wants_tcp(at_second(35)));

  for (int i = 0; i < 1000; ++i) {
    quirks.near_missed(1, at_second(100));  // each reply comes twice
    quirks.calm();
  }
  CHECK_FALSE(quirks.is_attacked(at_second(100)));
}

}  // namespace siskin::resolve::test
