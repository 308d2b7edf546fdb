#include "siskin/base/ip.hpp"

#include "support/catch.hpp"

using siskin::Endpoint;
using siskin::IpAddress;
using siskin::Network;

TEST_CASE("base/ip: endpoints are read and printed, IPv6 in brackets only", "[base]") {
  CHECK(Endpoint::from_text("192.0.2.1:53")->to_text() == "192.0.2.1:53");
  CHECK(Endpoint::from_text("[2001:db8::1]:53")->to_text() == "[2001:db8::1]:53");
  for (const char* bad : {"", ":53", "192.0.2.1", "192.0.2.1:", "192.0.2.1:65536", "[192.0.2.1]:53",
                          "2001:db8::1:53", "[::1]", "192.0.2.1:+5", "192.0.2.1:5x"}) {
    CAPTURE(bad);
    CHECK_FALSE(Endpoint::from_text(bad));
  }
}

TEST_CASE("base/ip: a network holds its own addresses and nothing across families", "[base]") {
  const Network n = *Network::from_text("192.0.2.128/25");
  CHECK(n.contains(IpAddress::v4(192, 0, 2, 128)));
  CHECK_FALSE(n.contains(IpAddress::v4(192, 0, 2, 127)));
  CHECK(Network::from_text("0.0.0.0/0")->contains(IpAddress::v4(255, 1, 2, 3)));
  CHECK_FALSE(Network::from_text("0.0.0.0/0")->contains(*IpAddress::from_text("::1")));
  CHECK(Network::from_text("2001:db8::/33")->contains(*IpAddress::from_text("2001:db8:7fff::")));
  CHECK_FALSE(
      Network::from_text("2001:db8::/33")->contains(*IpAddress::from_text("2001:db8:8000::")));
  CHECK(Network::from_text("::1")->prefix_length() == 128);
}

TEST_CASE("base/ip: a network with bits beyond its prefix is refused and the right one named",
          "[base]") {
  CHECK(to_string(Network::from_text("10.0.0.1/8").error()) ==
        "malformed: \"10.0.0.1/8\" sets bits beyond its prefix; 10.0.0.0/8 expected");
  for (const char* bad : {"", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/x", "10/8"}) {
    CAPTURE(bad);
    CHECK_FALSE(Network::from_text(bad));
  }
}

TEST_CASE("base/ip: an IPv4-mapped address is unmapped", "[base]") {
  CHECK(IpAddress::from_text("::ffff:192.0.2.7")->unmapped() == IpAddress::v4(192, 0, 2, 7));
  CHECK(IpAddress::from_text("2001:db8::1")->unmapped() == *IpAddress::from_text("2001:db8::1"));
}
