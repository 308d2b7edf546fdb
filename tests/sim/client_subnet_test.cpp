/// Client subnet from the client's datagram to the servers and back (RFC 7871).
#include "sim/base_world.hpp"
#include "sim/oracle.hpp"
#include "sim/random_world.hpp"
#include "sim/sim_frontend.hpp"
#include "sim/tailor.hpp"
#include "siskin/wire/rdata.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Network;
using siskin::resolve::Question;
using siskin::wire::ClientSubnet;
using siskin::wire::Name;
using siskin::wire::RRType;
using std::chrono::seconds;

namespace {

constexpr const char* kCdn = "192.0.2.20";
constexpr const char* kShop = "192.0.2.21";
constexpr const char* kForwarder = "198.51.100.53";

SimResolver::Settings settings(std::initializer_list<const char*> zones = {"cdn.example."}) {
  SimResolver::Settings settings;
  std::vector<Name> names;
  for (const char* zone : zones) names.push_back(Name::from_text(zone).value());
  settings.resolve.subnet_zones = siskin::policy::SubnetZones(std::move(names));
  settings.subnets.accept_from = {Network::from_text("198.51.100.53/32").value()};
  return settings;
}

/// cdn.example is tailored, with a zone below it; shop.example is another's.
const World& build(World& world, unsigned scope) {
  add_base(world,
           "cdn  NS ns.cdn\nns.cdn A 192.0.2.20\n"
           "shop NS ns.shop\nns.shop A 192.0.2.21\n");
  world.add_zone("cdn.example.",
                 "$TTL 60\n@ NS ns\nns A 192.0.2.20\nwww A 192.0.2.80\nwww AAAA 2001:db8::80\n"
                 "mid A 192.0.2.81\na.mid A 192.0.2.82\nalias CNAME www\nout CNAME www.shop\n"
                 "out2 CNAME www.shop.example.\ndeep NS ns.deep\nns.deep A 192.0.2.20\n");
  world.add_zone("deep.cdn.example.", "$TTL 60\n@ NS ns\nns A 192.0.2.20\nwww A 192.0.2.83\n");
  world.add_zone(
      "shop.example.",
      "$TTL 60\n@ NS ns\nns A 192.0.2.21\nwww A 192.0.2.90\nfar CNAME www.cdn.example.\n");
  world.add_server(kCdn, {"cdn.example.", "deep.cdn.example."}).vices.hooks = {tailors(scope)};
  world.add_server(kShop, {"shop.example."}).vices.hooks = {tailors(scope)};
  return world;
}

struct Scene {
  explicit Scene(unsigned scope = 24, SimResolver::Settings how = settings())
      : frontend(build(world, scope), std::move(how)) {}

  /// The addresses answered to a client, and what came back of its option.
  std::string ask(const char* name, const char* client, const char* option = nullptr,
                  RRType type = RRType::a) {
    ClientQuery query;
    query.client = client;
    if (option != nullptr) query.subnet = ClientSubnet::of(Network::from_text(option).value());
    const Question question{Name::from_text(name).value(), type};
    from = frontend.resolver().upstream().count();
    const auto reply = frontend.ask(question, query);
    const auto outcome = outcome_of(reply, question, query.id);
    std::string text = outcome.answer.empty() ? to_string(outcome.rcode) : "";
    for (const auto& set : outcome.answer) {
      for (const auto rdata : set.records) {
        const auto address = siskin::wire::address_of(set.type, rdata);
        if (address) text += (text.empty() ? "" : " ") + address->to_text();
      }
    }
    const std::string returned = subnet_of(reply);
    return text + (returned.empty() ? "" : ", " + returned);
  }

  /// What the last ask() sent: "server name type [for network]", a line an exchange.
  std::string sent() {
    std::string text;
    const auto& events = frontend.resolver().upstream().events();
    for (std::size_t i = from; i < events.size(); ++i) {
      const Event& event = events[i];
      text += event.server.to_text() + ' ' + event.name.lowered().to_text() + ' ' +
              to_string(event.type);
      if (event.subnet) text += " for " + event.subnet->network().to_text();
      text += '\n';
    }
    return text;
  }

  std::size_t exchanges() { return frontend.resolver().upstream().count() - from; }

  World world;
  SimFrontend frontend;
  std::size_t from = 0;
};

}  // namespace

TEST_CASE("sim/client_subnet: only the zone's own servers are told, with the question itself",
          "[sim]") {
  Scene scene;
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.sent() ==
        "192.0.2.1 example. A\n"
        "192.0.2.2 cdn.example. A\n"
        "192.0.2.20 www.cdn.example. A for 203.0.113.0/24\n");
  CHECK(scene.ask("www.shop.example.", "203.0.113.7") == "192.0.2.90");
  CHECK(scene.sent() ==
        "192.0.2.2 shop.example. A\n"
        "192.0.2.21 www.shop.example. A\n");
}

TEST_CASE("sim/client_subnet: root and top-level servers are not told, listed or not minimised",
          "[sim]") {
  SimResolver::Settings how = settings({".", "example."});
  how.resolve.qname_minimisation = false;
  Scene scene(24, how);
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.sent() ==
        "192.0.2.1 www.cdn.example. A\n"
        "192.0.2.2 www.cdn.example. A\n"
        "192.0.2.20 www.cdn.example. A for 203.0.113.0/24\n");
}

TEST_CASE("sim/client_subnet: zones below a listed one are told as well", "[sim]") {
  Scene scene;
  CHECK(scene.ask("www.deep.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.sent() ==
        "192.0.2.1 example. A\n"
        "192.0.2.2 cdn.example. A\n"
        "192.0.2.20 deep.cdn.example. A\n"
        "192.0.2.20 www.deep.cdn.example. A for 203.0.113.0/24\n");
}

TEST_CASE("sim/client_subnet: without zones nothing is told, whatever clients send, fault B87",
          "[sim]") {
  Scene scene(24, settings({}));
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7", "203.0.113.0/24") == "192.0.2.80");
  CHECK(scene.ask("www.cdn.example.", kForwarder, "10.0.0.0/8") == "192.0.2.80");
  CHECK(scene.frontend.resolver().upstream().count() == 3);
  for (const Event& event : scene.frontend.resolver().upstream().events()) {
    CHECK_FALSE(event.subnet);
  }
}

TEST_CASE("fault B87: each network gets its own answer, and others none of it", "[sim][fault]") {
  Scene scene;
  CHECK(scene.ask("www.cdn.example.", "198.51.100.1") == "198.51.100.1");
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.sent() == "192.0.2.20 www.cdn.example. A for 203.0.113.0/24\n");
  CHECK(scene.ask("www.cdn.example.", "10.0.0.1") == "192.0.2.80");
  CHECK(scene.sent() == "192.0.2.20 www.cdn.example. A for 0.0.0.0/0\n");
  CHECK(scene.ask("www.cdn.example.", "2001:db8:1:2ff::1", nullptr, RRType::aaaa) ==
        "2001:d00::1");  // /24 again
  CHECK(scene.sent() == "192.0.2.20 www.cdn.example. AAAA for 2001:db8:1:200::/56\n");
  // All of it again, and neighbours in the same networks, from the cache.
  CHECK(scene.ask("www.cdn.example.", "198.51.100.99") == "198.51.100.1");
  CHECK(scene.exchanges() == 0);
  CHECK(scene.ask("www.cdn.example.", "203.0.113.8") == "203.0.113.1");
  CHECK(scene.exchanges() == 0);
  CHECK(scene.ask("www.cdn.example.", "192.168.1.1") == "192.0.2.80");
  CHECK(scene.exchanges() == 0);
  CHECK(scene.ask("www.cdn.example.", "2001:db8:1:2ff::2", nullptr, RRType::aaaa) == "2001:d00::1");
  CHECK(scene.exchanges() == 0);
}

TEST_CASE("sim/client_subnet: a scope says for whom the answer is kept", "[sim]") {
  SECTION("shorter: for all of the wider network") {
    Scene scene(16);
    CHECK(scene.ask("www.cdn.example.", "203.0.113.7") == "203.0.0.1");
    CHECK(scene.ask("www.cdn.example.", "203.0.99.7") == "203.0.0.1");
    CHECK(scene.exchanges() == 0);
    CHECK(scene.ask("www.cdn.example.", "203.1.99.7") == "203.1.0.1");
    CHECK(scene.exchanges() == 1);
  }
  SECTION("0: for everybody") {
    Scene scene(0);
    CHECK(scene.ask("www.cdn.example.", "203.0.113.7", "203.0.113.0/24") ==
          "0.0.0.1, 203.0.113.0/24 scope 0");
    for (const char* client : {"198.51.100.1", "10.0.0.1", "2001:db8::1"}) {
      CHECK(scene.ask("www.cdn.example.", client) == "0.0.0.1");
      CHECK(scene.exchanges() == 0);
    }
    CHECK(scene.ask("www.cdn.example.", "198.51.100.1", "0.0.0.0/0") ==
          "0.0.0.1, 0.0.0.0/0 scope 0");
    CHECK(scene.exchanges() == 0);
  }
  SECTION("longer than what was told: as if it were that") {
    Scene scene(32);
    CHECK(scene.ask("www.cdn.example.", kForwarder, "203.0.113.7/32") ==
          "203.0.113.1, 203.0.113.7/32 scope 24");
    CHECK(scene.ask("www.cdn.example.", "203.0.113.200") == "203.0.113.1");
    CHECK(scene.exchanges() == 0);
  }
}

TEST_CASE("sim/client_subnet: a cached answer has the scope it came with, and ends with its TTL",
          "[sim]") {
  Scene scene(20);
  for (int i = 0; i < 2; ++i) {
    CHECK(scene.ask("www.cdn.example.", kForwarder, "203.0.113.0/24") ==
          "203.0.112.1, 203.0.113.0/24 scope 20");
    CHECK(scene.exchanges() == (i == 0 ? 3 : 0));
  }
  CHECK(scene.ask("www.cdn.example.", kForwarder, "203.0.112.0/22") ==
        "203.0.112.1, 203.0.112.0/22 scope 20");
  CHECK(scene.exchanges() == 0);
  CHECK(scene.ask("www.cdn.example.", kForwarder, "203.0.0.0/16") ==
        "203.0.0.1, 203.0.0.0/16 scope 16");  // less is told than the variant takes
  CHECK(scene.exchanges() == 1);
  scene.frontend.resolver().advance(seconds(61));
  CHECK(scene.ask("www.cdn.example.", kForwarder, "203.0.113.0/24") ==
        "203.0.112.1, 203.0.113.0/24 scope 20");
  CHECK(scene.exchanges() == 1);
}

TEST_CASE("sim/client_subnet: an opt-out is passed on, and its answer is for opt-outs alone",
          "[sim]") {
  Scene scene;
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7", "0.0.0.0/0") ==
        "192.0.2.80, 0.0.0.0/0 scope 0");
  CHECK(scene.sent() ==
        "192.0.2.1 example. A\n"
        "192.0.2.2 cdn.example. A\n"
        "192.0.2.20 www.cdn.example. A for 0.0.0.0/0\n");
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.exchanges() == 1);
  CHECK(scene.ask("www.cdn.example.", "198.51.100.9", "::/0") == "192.0.2.80, ::/0 scope 0");
  CHECK(scene.exchanges() == 0);
}

TEST_CASE("sim/client_subnet: an option that is not believed is not passed on", "[sim]") {
  Scene scene;
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7", "198.51.100.0/24") ==
        "203.0.113.1, 198.51.100.0/24 scope 0");
  CHECK(scene.ask("www.cdn.example.", "203.0.113.7", "198.51.0.0/16") ==
        "203.0.0.1, 198.51.0.0/16 scope 0");
  CHECK(scene.sent() == "192.0.2.20 www.cdn.example. A for 203.0.0.0/16\n");
}

TEST_CASE("sim/client_subnet: each link of a chain is judged by its own zone", "[sim]") {
  SECTION("from a tailored zone to another") {
    Scene scene;
    CHECK(scene.ask("out2.cdn.example.", kForwarder, "203.0.113.0/24") ==
          "192.0.2.90, 203.0.113.0/24 scope 24");
    CHECK(
        scene.sent().ends_with("192.0.2.20 out2.cdn.example. A for 203.0.113.0/24\n"
                               "192.0.2.2 shop.example. A\n"
                               "192.0.2.21 www.shop.example. A\n"));
    CHECK(scene.ask("www.shop.example.", kForwarder, "198.51.100.0/24") ==
          "192.0.2.90, 198.51.100.0/24 scope 0");
    CHECK(scene.exchanges() == 0);
    CHECK(scene.ask("out2.cdn.example.", kForwarder, "198.51.100.0/24") ==
          "192.0.2.90, 198.51.100.0/24 scope 24");
    CHECK(scene.sent() == "192.0.2.20 out2.cdn.example. A for 198.51.100.0/24\n");
  }
  SECTION("into a tailored zone") {
    Scene scene;
    CHECK(scene.ask("far.shop.example.", kForwarder, "203.0.113.0/24") ==
          "203.0.113.1, 203.0.113.0/24 scope 24");
    CHECK(scene.ask("far.shop.example.", kForwarder, "198.51.100.0/24") ==
          "198.51.100.1, 198.51.100.0/24 scope 24");
    CHECK(scene.sent() == "192.0.2.20 www.cdn.example. A for 198.51.100.0/24\n");
    CHECK(scene.ask("far.shop.example.", kForwarder, "203.0.113.0/24") ==
          "203.0.113.1, 203.0.113.0/24 scope 24");
    CHECK(scene.exchanges() == 0);
  }
  SECTION("inside one zone") {
    Scene scene;
    CHECK(scene.ask("alias.cdn.example.", kForwarder, "203.0.113.0/24") ==
          "203.0.113.1, 203.0.113.0/24 scope 24");
    CHECK(scene.ask("www.cdn.example.", "203.0.113.1") == "203.0.113.1");
    CHECK(scene.exchanges() == 0);
    CHECK(scene.ask("alias.cdn.example.", "198.51.100.1") == "198.51.100.1");
    CHECK(scene.exchanges() == 1);
  }
}

TEST_CASE("fault B89: what is denied is denied to everybody, at most once", "[sim][fault]") {
  Scene scene;
  scene.world.server(kCdn).vices.hooks.push_back([](const Query& query, Reply& reply) {
    if (query.subnet) reply.subnet->scope = 24;
  });
  for (int i = 0; i < 200; ++i) {
    const std::string client = "203.0." + std::to_string(i) + ".7";
    CHECK(scene.ask("nope.cdn.example.", client.c_str()) == "NXDOMAIN");
    CHECK(scene.ask("www.cdn.example.", client.c_str(), nullptr, RRType::txt) == "NOERROR");
  }
  CHECK(scene.frontend.resolver().upstream().count() == 4);
  CHECK(scene.ask("www.cdn.example.", "203.0.7.7") == "203.0.7.1");  // nothing else is blocked
}

TEST_CASE("fault B89: questions about the zone carry no client subnet", "[sim][fault]") {
  Scene scene;
  for (const RRType type : {RRType::ns, RRType::soa, RRType::dnskey, RRType::ds}) {
    scene.ask("cdn.example.", kForwarder, "203.0.113.0/24", type);
    scene.ask("deep.cdn.example.", kForwarder, "198.51.100.0/24", type);
    scene.ask("deep.cdn.example.", "203.0.113.7", nullptr, type);
    CHECK(scene.exchanges() == 0);
  }
  for (const Event& event : scene.frontend.resolver().upstream().events()) {
    CHECK_FALSE(event.subnet);
  }
}

TEST_CASE("sim/client_subnet: a part of a name that has an address is not everybody's answer",
          "[sim]") {
  Scene scene;
  CHECK(scene.ask("a.mid.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(
      scene.sent().ends_with("192.0.2.20 mid.cdn.example. A\n"
                             "192.0.2.20 a.mid.cdn.example. A for 203.0.113.0/24\n"));
  CHECK(scene.ask("mid.cdn.example.", "203.0.113.7") == "203.0.113.1");
  CHECK(scene.sent() == "192.0.2.20 mid.cdn.example. A for 203.0.113.0/24\n");
  CHECK(scene.ask("a.mid.cdn.example.", "198.51.100.7") == "198.51.100.1");
  CHECK(scene.sent() == "192.0.2.20 a.mid.cdn.example. A for 198.51.100.0/24\n");
  CHECK(scene.ask("mid.cdn.example.", "10.0.0.1") == "192.0.2.81");  // what we were told ourselves
  CHECK(scene.exchanges() == 0);
}

TEST_CASE(
    "sim/client_subnet: in random worlds that know nothing of it, answers are the zones' data",
    "[sim]") {
  for (std::uint64_t seed = 3001; seed <= 3040; ++seed) {
    const RandomWorld random_world(seed, {});
    const Oracle oracle(random_world.world());
    SimResolver::Settings how = settings({"."});
    how.seed = seed;
    SimFrontend frontend(random_world.world(), how);
    ClientQuery query;
    query.transport = siskin::runtime::Transport::tcp;  // no reply is cut
    for (int turn = 0; turn < 3; ++turn) {
      const std::string client = "203.0." + std::to_string(turn) + ".1";
      query.client = client;
      std::vector<SimFrontend::Ticket> tickets;
      for (const Question& q : random_world.questions()) tickets.push_back(frontend.send(q, query));
      frontend.resolver().time().settle(seconds(20));
      for (std::size_t i = 0; i < tickets.size(); ++i) {
        const Question& q = random_world.questions()[i];
        CAPTURE(seed, turn, q.name.to_text(), to_string(q.type));
        REQUIRE(frontend.replies(tickets[i]).size() == 1);
        const auto outcome = outcome_of(frontend.replies(tickets[i]).front(), q, query.id);
        CHECK(Oracle::disagreement(oracle.expect(q.name, q.type), outcome, false) == "");
        // An alias is no answer to a DS question, and so never a hit; a failure is one for 5 s
        // only, and the last of a turn comes after 8.
        const bool may_miss =
            q.type == RRType::ds || outcome.rcode == siskin::wire::Rcode::servfail;
        CHECK((turn == 0 || may_miss || frontend.was_hit(tickets[i])));
      }
    }
    CHECK(frontend.frontend().pending() == 0);
    CHECK(frontend.fetches().in_flight() == 0);
  }
}
