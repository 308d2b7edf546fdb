#include "resolve/addresses.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

Network network(std::string_view text) {
  return Network::from_text(text).value();
}

}  // namespace

TEST_CASE("resolve/addresses: special addresses are not asked", "[resolve]") {
  const AddressPolicy policy({});
  for (const auto address :
       {"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.255", "169.254.1.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:192.0.2.1",
        "::ffff:127.0.0.1", "fe80::1", "febf::1", "ff02::1", "ffff::1"}) {
    CAPTURE(address);
    CHECK_FALSE(policy.may_ask(ip(address)));
  }
}

TEST_CASE("resolve/addresses: others are, private ones included", "[resolve]") {
  const AddressPolicy policy({});
  for (const auto address : {"1.0.0.0", "10.0.0.1", "126.255.255.255", "128.0.0.1", "169.253.0.1",
                             "172.16.0.1", "192.0.2.1", "192.168.1.1", "223.255.255.255", "::2",
                             "2001:db8::1", "fd00::1", "fec0::1", "64:ff9b::c000:201"}) {
    CAPTURE(address);
    CHECK(policy.may_ask(ip(address)));
  }
}

TEST_CASE("resolve/addresses: our own are not asked", "[resolve]") {
  AddressPolicy::Options options;
  options.own = {ip("192.0.2.1"), ip("2001:db8::1")};
  const AddressPolicy policy(options);
  CHECK_FALSE(policy.may_ask(ip("192.0.2.1")));
  CHECK_FALSE(policy.may_ask(ip("2001:db8::1")));
  CHECK(policy.may_ask(ip("192.0.2.2")));
  CHECK(policy.may_ask(ip("2001:db8::2")));
}

TEST_CASE("resolve/addresses: what is allowed is asked although special or our own", "[resolve]") {
  AddressPolicy::Options options;
  options.allowed = {network("127.0.1.0/24"), network("::1"), network("192.0.2.1")};
  options.own = {ip("192.0.2.1"), ip("192.0.2.2")};
  const AddressPolicy policy(options);
  CHECK(policy.may_ask(ip("127.0.1.7")));
  CHECK_FALSE(policy.may_ask(ip("127.0.0.1")));
  CHECK(policy.may_ask(ip("::1")));
  CHECK(policy.may_ask(ip("192.0.2.1")));
  CHECK_FALSE(policy.may_ask(ip("192.0.2.2")));
}

TEST_CASE("resolve/addresses: a family switched off is not asked, allowed or not, fault B21",
          "[resolve]") {
  AddressPolicy::Options options;
  options.allowed = {network("127.0.0.0/8"), network("::1")};
  options.ipv6 = false;
  const AddressPolicy only_v4(options);
  CHECK(only_v4.may_ask(ip("192.0.2.1")));
  CHECK(only_v4.may_ask(ip("127.0.0.1")));
  CHECK_FALSE(only_v4.may_ask(ip("2001:db8::1")));
  CHECK_FALSE(only_v4.may_ask(ip("::1")));

  options.ipv6 = true;
  options.ipv4 = false;
  const AddressPolicy only_v6(options);
  CHECK_FALSE(only_v6.may_ask(ip("192.0.2.1")));
  CHECK_FALSE(only_v6.may_ask(ip("127.0.0.1")));
  CHECK(only_v6.may_ask(ip("2001:db8::1")));
  CHECK(only_v6.may_ask(ip("::1")));
}

}  // namespace siskin::resolve::test
