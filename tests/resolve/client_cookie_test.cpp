#include "resolve/client_cookie.hpp"

#include <set>

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {

TEST_CASE("resolve/client_cookie: one for each server, day and key", "[resolve]") {
  const HashKey key{1, 2};
  const IpAddress server = ip("192.0.2.1");
  const auto cookie = client_cookie(key, server, at_second(0));
  CHECK(client_cookie(key, server, at_second(86399)) == cookie);
  std::set<wire::Cookie::Client> different{cookie};
  different.insert(client_cookie(key, server, at_second(86400)));
  different.insert(client_cookie({1, 3}, server, at_second(0)));
  different.insert(client_cookie({2, 2}, server, at_second(0)));
  different.insert(client_cookie(key, ip("192.0.2.2"), at_second(0)));
  different.insert(client_cookie(key, ip("::192.0.2.1"), at_second(0)));
  different.insert(client_cookie(key, ip("c000:201::"), at_second(0)));
  different.insert(client_cookie(key, ip("2001:db8::1"), at_second(0)));
  different.insert(client_cookie(key, ip("2001:db9::1"), at_second(0)));
  CHECK(different.size() == 9);
}

}  // namespace siskin::resolve::test
