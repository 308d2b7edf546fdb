#include "serve/client_subnet.hpp"

#include "serve/world.hpp"
#include "support/catch.hpp"
#include "support/hex.hpp"

using namespace siskin::serve::test;
using siskin::Network;
using siskin::resolve::Outcome;
using siskin::serve::SharedOutcome;
using siskin::test::from_hex;
using siskin::wire::Rcode;
using siskin::wire::RRClass;
using siskin::wire::RRType;

namespace {

/// Client subnet is on, and the client at 198.51.100.53 may speak for others.
WorldOptions with_subnets() {
  WorldOptions options;
  options.subnets.emplace();
  options.subnets->accept_from = {Network::from_text("198.51.100.53/32").value()};
  return options;
}

constexpr const char* kForwarder = "198.51.100.53";
constexpr const char* kOther = "203.0.113.7";

World::Asking from(const char* client) {
  World::Asking asking;
  asking.client = client;
  return asking;
}

/// With EDNS; `option`: the data of a client subnet, if any.
QuerySpec asking(std::string_view option = "", RRType type = RRType::a) {
  QuerySpec spec;
  spec.type = type;
  spec.opts = {OptSpec{}};
  if (option.empty()) return spec;
  const Octets data = from_hex(option);
  spec.opts[0].options = {0, 8, 0, static_cast<std::uint8_t>(data.size())};
  spec.opts[0].options.insert(spec.opts[0].options.end(), data.begin(), data.end());
  return spec;
}

std::string answer(const Reply& reply) {
  return reply.answer.empty() ? "" : reply.answer.front();
}

std::string subnet(const Reply& reply) {
  return reply.opt ? reply.opt->subnet : "no OPT";
}

Outcome outcome_of(const char* address, std::uint8_t scope) {
  Outcome outcome;
  outcome.rcode = Rcode::noerror;
  outcome.answer = {a_set("www.example.", 300, {address})};
  outcome.scope = scope;
  return outcome;
}

std::string asked_for(const siskin::resolve::Question& question) {
  return question.subnet ? question.subnet->to_text() : "nobody";
}

}  // namespace

TEST_CASE("serve/client_subnet: a hit is the variant of the client's network, fault B87",
          "[serve]") {
  World world(with_subnets());
  world.keep_for("198.51.100.0/24", a_set("www.example.", 300, {"192.0.2.1"}));
  world.keep_for("203.0.113.0/24", a_set("www.example.", 300, {"192.0.2.2"}));
  world.keep_for("0.0.0.0/0", a_set("www.example.", 300, {"192.0.2.3"}));
  CHECK(answer(world.ask({}, from("198.51.100.1"))) == "www.example. 300 IN A 192.0.2.1");
  CHECK(answer(world.ask({}, from(kOther))) == "www.example. 300 IN A 192.0.2.2");
  CHECK(answer(world.ask(asking(), from(kOther))) == "www.example. 300 IN A 192.0.2.2");
  CHECK(answer(world.ask({}, from("10.0.0.1"))) == "www.example. 300 IN A 192.0.2.3");
  CHECK(answer(world.ask(asking("0001 00 00"), from(kOther))) == "www.example. 300 IN A 192.0.2.3");
  CHECK(answer(world.ask(asking("0001 18 00 cb0071"), from(kForwarder))) ==
        "www.example. 300 IN A 192.0.2.2");
  CHECK(world.handle(query({}), from("192.0.2.1")).done == World::Done::pending);
}

TEST_CASE("serve/client_subnet: where it is off, options are ignored and nothing comes back",
          "[serve]") {
  World world;
  world.keep_for("198.51.100.0/24", a_set("www.example.", 300, {"192.0.2.1"}));
  world.keep(a_set("www.example.", 300, {"192.0.2.9"}));
  for (const char* option : {"0001 18 00 c63364", "0001 18 18 c63364", "ffff", "0001 00 00"}) {
    const Reply reply = world.ask(asking(option), from("198.51.100.1"));
    CHECK(answer(reply) == "www.example. 300 IN A 192.0.2.9");
    CHECK(reply.opt->options_size == 0);
  }
  world.handle(query({.name = "new.example."}), from("198.51.100.1"));
  world.run();
  CHECK_FALSE(world.asked().asked.at(0).subnet);
}

TEST_CASE("serve/client_subnet: the option comes back to who sent one, with the scope", "[serve]") {
  World world(with_subnets());
  world.keep_for("203.0.0.0/16", a_set("www.example.", 300, {"192.0.2.2"}));
  CHECK(subnet(world.ask(asking("0001 18 00 cb0071"), from(kForwarder))) == "00011810cb0071");
  CHECK(subnet(world.ask(asking("0001 20 00 cb007109"), from(kForwarder))) == "00012010cb007109");
  CHECK(subnet(world.ask(asking("0001 10 00 cb00"), from(kForwarder))) == "00011010cb00");
  CHECK(subnet(world.ask(asking(), from(kOther))).empty());
  CHECK(world.ask(asking(), from(kOther)).opt->options_size == 0);
  CHECK(subnet(world.ask({}, from(kOther))) == "no OPT");
}

TEST_CASE("serve/client_subnet: whose option is not believed gets it back with scope 0",
          "[serve]") {
  World world(with_subnets());
  world.keep_for("203.0.113.0/24", a_set("www.example.", 300, {"192.0.2.2"}));
  const Reply reply = world.ask(asking("0001 18 00 c63364"), from(kOther));
  CHECK(answer(reply) == "www.example. 300 IN A 192.0.2.2");
  CHECK(subnet(reply) == "00011800c63364");
}

TEST_CASE("serve/client_subnet: what holds for everybody, and opt-outs, have scope 0", "[serve]") {
  World world(with_subnets());
  world.keep(a_set("www.example.", 300, {"192.0.2.9"}));
  world.keep_negative("www.example.", RRType::aaaa, siskin::cache::Kind::nodata,
                      soa_set("example.", 60));
  CHECK(subnet(world.ask(asking("0001 18 00 cb0071"), from(kForwarder))) == "00011800cb0071");
  CHECK(subnet(world.ask(asking("0001 18 00 cb0071", RRType::aaaa), from(kForwarder))) ==
        "00011800cb0071");
  world.keep_for("0.0.0.0/0", a_set("www.example.", 300, {"192.0.2.3"}));
  CHECK(subnet(world.ask(asking("0001 00 00"), from(kForwarder))) == "00010000");
  CHECK(subnet(world.ask(asking("0002 00 00"), from(kForwarder))) == "00020000");
  CHECK(subnet(world.ask(asking("0000 00 00"), from(kForwarder))) == "00000000");
}

TEST_CASE("serve/client_subnet: of a chain of aliases the longest scope counts", "[serve]") {
  World world(with_subnets());
  world.keep_for("203.0.0.0/16", cname_set("www.example.", 300, "b.example."));
  world.keep_for("203.0.113.0/24", cname_set("b.example.", 300, "c.example."));
  world.keep(a_set("c.example.", 300, {"192.0.2.9"}));
  const Reply reply = world.ask(asking("0001 18 00 cb0071"), from(kForwarder));
  CHECK(reply.answer.size() == 3);
  CHECK(subnet(reply) == "00011818cb0071");
}

TEST_CASE("serve/client_subnet: a malformed option, or one with a scope, gets FORMERR", "[serve]") {
  World world(with_subnets());
  world.keep(a_set("www.example.", 300, {"192.0.2.9"}));
  for (const char* option : {"00", "0001 18", "0001 18 00 cb00", "0001 18 00 cb007100",
                             "0001 17 00 cb0071", "0001 21 00 cb00710000", "0003 18 00 cb0071",
                             "0000 18 00 cb0071", "0001 18 18 cb0071", "0001 00 08"}) {
    CAPTURE(option);
    const Reply reply = world.ask(asking(option), from(kForwarder));
    CHECK(reply.rcode == Rcode::formerr);
    CHECK(reply.answer.empty());
    REQUIRE(reply.opt);
    CHECK(reply.opt->options_size == 0);
  }
  CHECK(world.ask(asking("0001 18 00 cb0071"), from(kForwarder)).rcode == Rcode::noerror);
}

TEST_CASE("serve/client_subnet: every kind of reply returns the option", "[serve]") {
  WorldOptions options = with_subnets();
  options.frontend.version = "siskin";
  World world(options);
  const char* const option = "0001 18 00 cb0071";
  CHECK(subnet(world.ask(asking(option, RRType::any), from(kForwarder))) == "00011800cb0071");
  QuerySpec chaos = asking(option, RRType::txt);
  chaos.name = "version.bind.";
  chaos.klass = RRClass::ch;
  CHECK(subnet(world.ask(chaos, from(kForwarder))) == "00011800cb0071");
  QuerySpec unknown = asking(option);
  unknown.flags = 0;  // REFUSED, with an extended error
  const Reply refused = world.ask(unknown, from(kForwarder));
  CHECK(refused.rcode == Rcode::refused);
  CHECK(subnet(refused) == "00011800cb0071");
  CHECK(refused.error());
}

TEST_CASE("serve/client_subnet: the option has its place, and what does not fit goes", "[serve]") {
  World world(with_subnets());
  QuerySpec spec = asking("0001 18 00 cb0071", RRType::txt);
  spec.opts[0].udp_size = 512;
  const std::size_t fixed = 12 + 13 + 4 + 12 + 11 + 11;
  world.keep(txt_set("www.example.", 300, 1, 512 - fixed));
  const Reply whole = world.ask(spec, from(kForwarder));
  CHECK(whole.size == 512);
  CHECK(whole.answer.size() == 1);
  CHECK(subnet(whole) == "00011800cb0071");
  world.keep(txt_set("www.example.", 300, 1, 512 - fixed + 1));
  const Reply truncated = world.ask(spec, from(kForwarder));
  CHECK(truncated.truncated());
  CHECK(subnet(truncated) == "00011800cb0071");
}

TEST_CASE("serve/client_subnet: a miss asks for the client's network", "[serve]") {
  struct Row {
    const char* client;
    const char* option;
    RRType type;
    const char* network;
  };
  for (const Row& row :
       {Row{kOther, "", RRType::a, "203.0.113.0/24"}, Row{"10.0.0.1", "", RRType::a, "0.0.0.0/0"},
        Row{"2001:db8:1:2ff::1", "", RRType::a, "2001:db8:1:200::/56"},
        Row{kOther, "0001 00 00", RRType::a, "0.0.0.0/0"},
        Row{kOther, "0001 18 00 c63364", RRType::a, "203.0.113.0/24"},
        Row{kForwarder, "0001 18 00 cb0071", RRType::a, "203.0.113.0/24"},
        Row{kForwarder, "0001 18 00 cb0071", RRType::ns, "0.0.0.0/0"},
        Row{kForwarder, "0001 18 00 cb0071", RRType::dnskey, "0.0.0.0/0"}}) {
    World world(with_subnets());
    CHECK(world.handle(query(asking(row.option, row.type)), from(row.client)).done ==
          World::Done::pending);
    world.run();
    CHECK(asked_for(world.asked().asked.at(0)) == row.network);
  }
}

TEST_CASE("serve/client_subnet: late replies return each client's own option, fault B85",
          "[serve]") {
  World world(with_subnets());
  world.handle(query(asking("0001 18 00 cb0071")), from(kForwarder));
  world.handle(query(asking("0001 20 00 cb007109")), from(kForwarder));  // the same /24
  world.handle(query(asking()), from(kOther));                           // the same again
  world.handle(query(asking("0001 08 00 0a")), from(kOther));            // a /8 of its own
  world.run();
  REQUIRE(world.asked().asked.size() == 1);
  world.asked().answer(outcome_of("192.0.2.1", 20));
  world.run();
  REQUIRE(world.sink.sent.size() == 3);
  const auto sent = [&](std::size_t i) { return read_reply(world.sink.sent[i].second); };
  CHECK(subnet(sent(0)) == "00011814cb0071");
  CHECK(subnet(sent(1)) == "00012014cb007109");
  CHECK(sent(2).opt->options_size == 0);
  REQUIRE(world.asked().asked.size() == 2);
  CHECK(asked_for(world.asked().asked[1]) == "203.0.0.0/8");
  world.asked().answer(outcome_of("192.0.2.2", 8));
  world.run();
  REQUIRE(world.sink.sent.size() == 4);
  CHECK(subnet(sent(3)) == "000108000a");
}

TEST_CASE("serve/fetches: of one name few subnets are fetched at a time, fault A3", "[serve]") {
  World world(with_subnets());
  for (int i = 0; i < 200; ++i) {
    world.handle(query(asking()), from(("203.0." + std::to_string(i) + ".1").c_str()));
  }
  world.run();
  CHECK(world.asked().asked.size() == 1);
  CHECK(world.fetches[0]->in_flight() == 200);
  for (unsigned answered = 1; answered <= 200; ++answered) {
    world.asked().answer(outcome_of("192.0.2.1", 24));
    world.run();
    REQUIRE(world.sink.sent.size() == answered);
    REQUIRE(world.asked().asked.size() <= answered + 8);
  }
  CHECK(world.asked().asked.size() == 200);
  CHECK(world.fetches[0]->in_flight() == 0);
}

TEST_CASE("serve/fetches: what holds for everybody is fetched once for all subnets", "[serve]") {
  World world(with_subnets());
  for (int i = 0; i < 200; ++i) {
    world.handle(query(asking()), from(("203.0." + std::to_string(i) + ".1").c_str()));
  }
  world.run();
  world.asked().answer(outcome_of("192.0.2.1", 0));
  world.run();
  CHECK(world.sink.sent.size() == 200);
  CHECK(world.asked().asked.size() == 1);
  CHECK(world.fetches[0]->in_flight() == 0);
}

TEST_CASE("serve/fetches: subnets whose fetches end at once do not pile up", "[serve]") {
  World world(with_subnets());
  world.questioners[0]->at_once = outcome_of("192.0.2.1", 24);
  world.crew.at_once = true;
  for (int i = 0; i < 200; ++i) {
    world.handle(query(asking()), from(("203.0." + std::to_string(i) + ".1").c_str()));
  }
  world.run();
  CHECK(world.fetches[0]->in_flight() == 0);
  CHECK(world.frontends[0]->pending() == 0);
}

TEST_CASE("serve/fetches: networks that wait for their turn do not count against other questions",
          "[serve]") {
  WorldOptions options = with_subnets();
  options.fetches.fetches_max = 2;
  World world(options);
  const auto ask = [&world](const char* name, int network) {
    QuerySpec spec = asking();
    spec.name = name;
    return world.handle(query(spec), from(("203.0." + std::to_string(network) + ".1").c_str()));
  };
  for (int i = 0; i < 50; ++i) ask("www.example.", i);
  for (int i = 0; i < 50; ++i) ask("www2.example.", i);
  ask("www3.example.", 1);  // the third name is one too many
  world.run();
  CHECK(world.asked().asked.size() == 2);
  CHECK(world.frontends[0]->pending() == 100);
  for (int answered = 0; answered < 100; ++answered) {
    world.asked().answer(outcome_of("192.0.2.1", 24));
    world.run();
  }
  CHECK(world.frontends[0]->pending() == 0);
  CHECK(world.fetches[0]->in_flight() == 0);
}
