#include "siskin/policy/client_subnet.hpp"

#include <initializer_list>
#include <string>

#include "support/catch.hpp"

using siskin::IpAddress;
using siskin::Network;
using siskin::policy::ClientSubnets;
using siskin::policy::may_be_tailored;
using siskin::policy::SubnetZones;
using siskin::wire::ClientSubnet;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

SubnetZones zones(std::initializer_list<const char*> texts) {
  std::vector<Name> names;
  for (const char* text : texts) names.push_back(Name::from_text(text).value());
  return SubnetZones(std::move(names));
}

bool may_tell(const SubnetZones& zones, const char* zone) {
  return zones.may_tell(Name::from_text(zone).value());
}

ClientSubnets subnets(unsigned ipv4_prefix = 24, unsigned ipv6_prefix = 56) {
  ClientSubnets::Options options;
  options.ipv4_prefix = ipv4_prefix;
  options.ipv6_prefix = ipv6_prefix;
  options.accept_from = {Network::from_text("198.51.100.53/32").value(),
                         Network::from_text("10.0.0.0/8").value()};
  return ClientSubnets(options);
}

/// "192.0.2.0/24", and "*" behind it where it is the option's.
std::string choice(const ClientSubnets& subnets, const char* client, const char* option = nullptr) {
  std::optional<ClientSubnet> sent;
  if (option != nullptr) sent = ClientSubnet::of(Network::from_text(option).value());
  const auto chosen = subnets.choose(IpAddress::from_text(client).value(), sent);
  return chosen.network.to_text() + (chosen.is_from_option ? "*" : "");
}

}  // namespace

TEST_CASE("policy/client_subnet: servers of the listed zones are told, and of zones below them",
          "[policy]") {
  const SubnetZones list = zones({"cdn.example.", "Shop.Test."});
  CHECK(may_tell(list, "cdn.example."));
  CHECK(may_tell(list, "CDN.example."));
  CHECK(may_tell(list, "a.b.cdn.example."));
  CHECK(may_tell(list, "shop.test."));
  CHECK_FALSE(may_tell(list, "xcdn.example."));
  CHECK_FALSE(may_tell(list, "other.example."));
  CHECK_FALSE(may_tell(list, "example."));
  CHECK_FALSE(may_tell(list, "."));
}

TEST_CASE("policy/client_subnet: root and top-level servers are never told, whatever the list says",
          "[policy]") {
  for (const char* listed : {".", "example."}) {
    CAPTURE(listed);
    const SubnetZones list = zones({listed});
    CHECK_FALSE(may_tell(list, "."));
    CHECK_FALSE(may_tell(list, "example."));
    CHECK(may_tell(list, "cdn.example."));
  }
}

TEST_CASE("policy/client_subnet: an empty list tells nobody", "[policy]") {
  CHECK(SubnetZones().empty());
  CHECK_FALSE(may_tell(SubnetZones(), "cdn.example."));
}

TEST_CASE("policy/client_subnet: answers about the zone itself are not tailored, fault B89",
          "[policy]") {
  for (const RRType type : {RRType::a, RRType::aaaa, RRType::cname, RRType::https, RRType::txt,
                            RRType::mx, RRType::srv, static_cast<RRType>(65280)}) {
    CHECK(may_be_tailored(type));
  }
  for (const RRType type :
       {RRType::ns, RRType::soa, RRType::ds, RRType::dnskey, RRType::rrsig, RRType::nsec,
        RRType::nsec3, RRType::nsec3param, RRType::cds, RRType::cdnskey, RRType::zonemd}) {
    CHECK_FALSE(may_be_tailored(type));
  }
}

TEST_CASE("policy/client_subnet: a client's own address is cut to the configured length",
          "[policy]") {
  CHECK(choice(subnets(), "198.51.100.77") == "198.51.100.0/24");
  CHECK(choice(subnets(), "::ffff:198.51.100.77") == "198.51.100.0/24");
  CHECK(choice(subnets(), "2001:db8:1:2ff::1") == "2001:db8:1:200::/56");
  CHECK(choice(subnets(32, 128), "198.51.100.77") == "198.51.100.77/32");
  CHECK(choice(subnets(32, 128), "2001:db8::1") == "2001:db8::1/128");
  CHECK(choice(subnets(20, 33), "198.51.100.77") == "198.51.96.0/20");
  CHECK(choice(subnets(20, 33), "2001:db8:8000::1") == "2001:db8:8000::/33");
}

TEST_CASE("policy/client_subnet: a length of 0 tells nothing of that family", "[policy]") {
  CHECK(choice(subnets(0, 56), "198.51.100.77") == "0.0.0.0/0");
  CHECK(choice(subnets(24, 0), "2001:db8::1") == "0.0.0.0/0");
}

TEST_CASE("policy/client_subnet: an opt-out is respected from everybody", "[policy]") {
  for (const char* client : {"203.0.113.1", "198.51.100.53", "2001:db8::1"}) {
    CHECK(choice(subnets(), client, "0.0.0.0/0") == "0.0.0.0/0*");
    CHECK(choice(subnets(), client, "::/0") == "0.0.0.0/0*");
  }
}

TEST_CASE("policy/client_subnet: the option counts from accepted networks, and is cut",
          "[policy]") {
  CHECK(choice(subnets(), "198.51.100.53", "203.0.113.0/24") == "203.0.113.0/24*");
  CHECK(choice(subnets(), "198.51.100.53", "203.0.113.77/32") == "203.0.113.0/24*");
  CHECK(choice(subnets(), "198.51.100.53", "203.0.0.0/16") == "203.0.0.0/16*");
  CHECK(choice(subnets(), "10.1.2.3", "2001:db8:1:2ff::/64") == "2001:db8:1:200::/56*");
  CHECK(choice(subnets(), "::ffff:10.1.2.3", "203.0.113.0/24") == "203.0.113.0/24*");
}

TEST_CASE("policy/client_subnet: others' options are ignored but for their length", "[policy]") {
  CHECK(choice(subnets(), "198.51.100.54", "203.0.113.0/24") == "198.51.100.0/24");
  CHECK(choice(subnets(), "198.51.100.54", "203.0.113.77/32") == "198.51.100.0/24");
  CHECK(choice(subnets(), "198.51.100.54", "203.0.0.0/16") == "198.51.0.0/16");
  CHECK(choice(subnets(), "2001:db8:1:2ff::1", "203.0.113.0/24") == "2001:d00::/24");
}

TEST_CASE("policy/client_subnet: addresses that lead nowhere tell nothing", "[policy]") {
  for (const char* client :
       {"127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.1.1",
        "198.19.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::ffff:10.1.2.3", "::1",
        "::", "fd00::1", "fe80::1", "ff02::1", "100::1"}) {
    CAPTURE(client);
    CHECK(choice(subnets(), client) == "0.0.0.0/0");
  }
  CHECK(choice(subnets(), "198.51.100.53", "10.1.2.0/24") == "0.0.0.0/0*");
  for (const char* client :
       {"9.255.255.255", "11.0.0.0", "172.32.0.1", "100.128.0.1", "192.0.2.1", "223.255.255.255"}) {
    CAPTURE(client);
    CHECK(choice(subnets(32, 128), client) == std::string(client) + "/32");
  }
}
