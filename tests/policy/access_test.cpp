#include "siskin/policy/access.hpp"

#include <initializer_list>

#include "support/catch.hpp"

using siskin::IpAddress;
using siskin::Network;
using siskin::policy::AccessList;

namespace {

AccessList list_of(std::initializer_list<const char*> networks) {
  std::vector<Network> allowed;
  for (const char* text : networks) allowed.push_back(*Network::from_text(text));
  return AccessList(allowed);
}

bool allows(const AccessList& list, const char* client) {
  return list.allows(*IpAddress::from_text(client));
}

}  // namespace

TEST_CASE("policy/access: an empty list allows nobody", "[policy]") {
  CHECK_FALSE(allows(list_of({}), "127.0.0.1"));
  CHECK_FALSE(allows(list_of({}), "::1"));
}

TEST_CASE("policy/access: the first and last address of a network are in, their neighbours out",
          "[policy]") {
  struct Row {
    const char* network;
    const char* before;
    const char* first;
    const char* last;
    const char* after;
  };
  const Row row = GENERATE(
      Row{"192.0.2.0/24", "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
      Row{"192.0.2.128/25", "192.0.2.127", "192.0.2.128", "192.0.2.255", "192.0.3.0"},
      Row{"192.0.2.6/31", "192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8"},
      Row{"192.0.2.7/32", "192.0.2.6", "192.0.2.7", "192.0.2.7", "192.0.2.8"},
      Row{"2001:db8::/33", "2001:db7:ffff::", "2001:db8::", "2001:db8:7fff:ffff::1",
          "2001:db8:8000::"},
      Row{"2001:db8:0:1::/64", "2001:db8::ffff:ffff:ffff:ffff",
          "2001:db8:0:1::", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:2::"},
      Row{"2001:db8::80/121", "2001:db8::7f", "2001:db8::80", "2001:db8::ff", "2001:db8::100"},
      Row{"::1/128", "::", "::1", "::1", "::2"});
  CAPTURE(row.network);
  const AccessList list = list_of({row.network});
  CHECK_FALSE(allows(list, row.before));
  CHECK(allows(list, row.first));
  CHECK(allows(list, row.last));
  CHECK_FALSE(allows(list, row.after));
}

TEST_CASE("policy/access: networks of all addresses hold their own family only", "[policy]") {
  CHECK(allows(list_of({"0.0.0.0/0"}), "255.255.255.255"));
  CHECK_FALSE(allows(list_of({"0.0.0.0/0"}), "2001:db8::1"));
  CHECK(allows(list_of({"::/0"}), "2001:db8::1"));
  CHECK_FALSE(allows(list_of({"::/0"}), "192.0.2.1"));
}

TEST_CASE("policy/access: an IPv4-mapped client counts as its IPv4 address", "[policy]") {
  CHECK(allows(list_of({"192.0.2.0/24"}), "::ffff:192.0.2.9"));
  CHECK_FALSE(allows(list_of({"192.0.2.0/24"}), "::ffff:192.0.3.9"));
  CHECK_FALSE(allows(list_of({"::/0"}), "::ffff:192.0.2.9"));
}

TEST_CASE("policy/access: a network written as mapped addresses is its IPv4 network", "[policy]") {
  const AccessList list = list_of({"::ffff:192.0.2.0/120"});
  CHECK(allows(list, "192.0.2.255"));
  CHECK(allows(list, "::ffff:192.0.2.255"));
  CHECK_FALSE(allows(list, "192.0.3.0"));
}

TEST_CASE("policy/access: any network of the list suffices", "[policy]") {
  const AccessList list = list_of({"127.0.0.0/8", "10.0.0.0/8", "::1/128"});
  CHECK(allows(list, "10.1.2.3"));
  CHECK(allows(list, "127.255.0.1"));
  CHECK(allows(list, "::1"));
  CHECK_FALSE(allows(list, "11.0.0.0"));
}
