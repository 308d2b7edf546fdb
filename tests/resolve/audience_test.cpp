// Whom answers are looked for, and what the option in a reply makes of it.
#include "resolve/audience.hpp"

#include "resolve/core_rig.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

Network network(std::string_view text) {
  return Network::from_text(text).value();
}

std::string text_of(const std::optional<Network>& network) {
  return network ? network->to_text() : "everybody";
}

std::optional<wire::ClientSubnet> subnet(std::string_view hex) {
  return wire::ClientSubnet::parse(from_hex(hex));
}

/// A message with that option, or none.
Message with(std::string_view hex) {
  Message message;
  if (!hex.empty()) message.subnet = subnet(hex);
  return message;
}

UpstreamQuery telling(std::string_view hex) {
  UpstreamQuery query = query_for("www.example.");
  query.subnet = subnet(hex);
  return query;
}

Options with_zone(const char* zone) {
  Options options;
  options.subnet_zones = policy::SubnetZones({name(zone)});
  return options;
}

/// The network, and "told" behind it.
std::string audience(const Core& core, const Query& query, RRType type = RRType::a) {
  const Audience of = audience_of(core, query, type);
  CHECK((of.in_cache() == nullptr) == !of.network);
  return text_of(of.network) + (of.is_told ? " told" : "");
}

constexpr const char* kOption = "0001 18 00 c63364";  // 198.51.100.0/24

}  // namespace

TEST_CASE("resolve/message: a query tells of a client subnet in its OPT", "[resolve]") {
  CHECK(to_hex(encode(telling(kOption))) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0001 03'www'07'example'00 0001 0001"
                        "00 0029 04d0 00008000 000b 0008 0007 0001 18 00 c63364")));
  CHECK(to_hex(encode(telling("0001 00 00"))) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0001 03'www'07'example'00 0001 0001"
                        "00 0029 04d0 00008000 0008 0008 0004 0001 00 00")));
  CHECK(to_hex(encode(telling("0002 80 00 20010db8000000000000000000000001"))) ==
        to_hex(from_hex("1234 0000 0001 0000 0000 0001 03'www'07'example'00 0001 0001"
                        "00 0029 04d0 00008000 0018 0008 0014 0002 80 00"
                        "20010db8000000000000000000000001")));
}

TEST_CASE("resolve/message: without EDNS nothing is told", "[resolve]") {
  UpstreamQuery query = telling(kOption);
  query.edns = false;
  CHECK(encode(query).size() == 29);
}

TEST_CASE("resolve/message: a reply's client subnet is read, and only a good one", "[resolve]") {
  const auto decoded_subnet = [](std::string_view options) {
    RawReply reply;
    const Octets data = from_hex(options);
    reply.additional = {from_hex("00 0029 04d0 00000000") + u16_octets(data.size()) + data};
    const auto message = decode_reply(reply);
    REQUIRE(message);
    CHECK(message->edns);
    return message->subnet;
  };
  CHECK(decoded_subnet("0008 0007 0001 18 10 c63364") == subnet("0001 18 10 c63364"));
  CHECK(decoded_subnet("000a 0002 abcd 0008 0007 0001 18 10 c63364 000c 0001 00") ==
        subnet("0001 18 10 c63364"));
  CHECK(decoded_subnet("0008 0007 0001 18 10 c63364 0008 0004 0001 00 00") ==
        subnet("0001 18 10 c63364"));
  for (const char* bad :
       {"", "000a 0002 abcd", "0008 0006 0001 18 10 c633", "0008 0007 0003 18 10 c63364",
        "0008 0008 0001 18 10 c63364", "0008 0007 0001 18 10 c63364 00"}) {
    CAPTURE(bad);
    CHECK_FALSE(decoded_subnet(bad));
  }
  CHECK_FALSE(decode_reply(RawReply{})->subnet);
}

TEST_CASE("resolve/audience: without zones there is no client subnet", "[resolve]") {
  const CoreRig rig;
  const Query query(rig.core.options, rig.clock.now(), network("198.51.100.0/24"));
  CHECK(audience(rig.core, query) == "everybody");
}

TEST_CASE("resolve/audience: the client is told of in its own question alone, fault B89",
          "[resolve]") {
  const CoreRig rig(with_zone("cdn.example."));
  Query query(rig.core.options, rig.clock.now(), network("198.51.100.0/24"));
  CHECK(audience(rig.core, query) == "198.51.100.0/24 told");
  CHECK(audience(rig.core, query, RRType::aaaa) == "198.51.100.0/24 told");
  for (const RRType type : {RRType::ns, RRType::ds, RRType::dnskey}) {
    CHECK(audience(rig.core, query, type) == "0.0.0.0/0");
  }
  query.looking_for.push_back(name("ns.cdn.example."));  // on the way, the addresses of a server
  CHECK(audience(rig.core, query) == "0.0.0.0/0");
}

TEST_CASE("resolve/audience: who opted out is told of as nobody, who has no subnet not at all",
          "[resolve]") {
  const CoreRig rig(with_zone("cdn.example."));
  CHECK(audience(rig.core, Query(rig.core.options, rig.clock.now(), Network())) ==
        "0.0.0.0/0 told");
  CHECK(audience(rig.core, Query(rig.core.options, rig.clock.now())) == "0.0.0.0/0");
}

TEST_CASE("resolve/audience: a reply has to repeat what its query told, fault A3", "[resolve]") {
  const auto echo = [](std::string_view asked, std::string_view replied) {
    return echo_of(with(replied), *subnet(asked));
  };
  CHECK(echo(kOption, "0001 18 00 c63364") == Echo::right);
  CHECK(echo(kOption, "0001 18 20 c63364") == Echo::right);
  CHECK(echo(kOption, "") == Echo::missing);
  for (const char* wrong : {"0001 18 18 c63365", "0001 17 18 c63364", "0001 20 18 c6336400",
                            "0001 00 00", "0002 18 18 c63364", "0000 00 00"}) {
    CAPTURE(wrong);
    CHECK(echo(kOption, wrong) == Echo::wrong);
  }
  for (const char* any : {"", "0001 00 00", "0001 18 18 cb0071", "0002 00 00"}) {
    CAPTURE(any);
    CHECK(echo("0001 00 00", any) == Echo::right);
  }
}

TEST_CASE("resolve/audience: the scope says how far an answer holds", "[resolve]") {
  const auto held = [](std::string_view asked, std::string_view replied) {
    return text_of(held_for(with(replied), telling(asked)));
  };
  CHECK(held(kOption, "0001 18 18 c63364") == "198.51.100.0/24");
  CHECK(held(kOption, "0001 18 10 c63364") == "198.51.0.0/16");
  CHECK(held(kOption, "0001 18 01 c63364") == "128.0.0.0/1");
  CHECK(held(kOption, "0001 18 00 c63364") == "everybody");
  CHECK(held(kOption, "0001 18 20 c63364") == "198.51.100.0/24");  // no longer than what was told
  CHECK(held(kOption, "0001 18 ff c63364") == "198.51.100.0/24");
  CHECK(held(kOption, "") == "everybody");
  CHECK(held("0002 38 00 20010db8000100", "0002 38 20 20010db8000100") == "2001:db8::/32");
}

TEST_CASE("resolve/audience: what is said to those who opted out holds for them alone",
          "[resolve]") {
  for (const char* reply : {"", "0001 00 00", "0001 18 18 cb0071"}) {
    CHECK(text_of(held_for(with(reply), telling("0001 00 00"))) == "0.0.0.0/0");
  }
}

TEST_CASE("resolve/audience: what is asked without telling holds for everybody", "[resolve]") {
  CHECK(text_of(held_for(with("0001 18 18 c63364"), query_for("www.example."))) == "everybody");
}

}  // namespace siskin::resolve::test
