/// Faults of client subnet: forged replies, servers that cannot cope, many networks at once.
#include <algorithm>
#include <set>

#include "sim/base_world.hpp"
#include "sim/sim_frontend.hpp"
#include "sim/tailor.hpp"
#include "siskin/wire/rdata.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::IpAddress;
using siskin::Network;
using siskin::resolve::Question;
using siskin::wire::ClientSubnet;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr const char* kCdn = "192.0.2.20";

SimResolver::Settings settings() {
  SimResolver::Settings settings;
  settings.resolve.subnet_zones =
      siskin::policy::SubnetZones({Name::from_text("cdn.example.").value()});
  settings.subnets.accept_from = {Network::from_text("198.51.100.53/32").value()};
  return settings;
}

const World& build(World& world) {
  add_base(world, "cdn NS ns.cdn\nns.cdn A 192.0.2.20\n");
  world.add_zone("cdn.example.", "$TTL 60\n@ NS ns\nns A 192.0.2.20\nwww A 192.0.2.80\n");
  world.add_server(kCdn, {"cdn.example."});
  return world;
}

/// The n-th client, each in a /24 of its own.
std::string client(unsigned n) {
  return "203.0." + std::to_string(n) + ".7";
}

struct Scene {
  explicit Scene(Hook manner) : frontend(build(world), settings()) {
    world.server(kCdn).vices.hooks = {std::move(manner)};
  }

  const Question www{Name::from_text("www.cdn.example.").value(), RRType::a};

  SimFrontend::Ticket send(const std::string& from) {
    ClientQuery query;
    query.client = from;
    return frontend.send(www, query);
  }

  /// The address in a reply.
  std::string address(const std::vector<std::uint8_t>& reply) const {
    const auto outcome = outcome_of(reply, www, ClientQuery{}.id);
    if (outcome.answer.empty()) return to_string(outcome.rcode);
    const auto& set = outcome.answer.back();
    return siskin::wire::address_of(set.type, *set.records.begin())->to_text();
  }

  std::string ask(const std::string& from) {
    from_event = events().size();
    ClientQuery query;
    query.client = from;
    return address(frontend.ask(www, query));
  }

  const std::vector<Event>& events() { return frontend.resolver().upstream().events(); }

  /// Of the last ask(), to the zone's server: "for 203.0.7.0/24", "plain", "no EDNS".
  std::string told() {
    std::string text;
    for (std::size_t i = from_event; i < events().size(); ++i) {
      const Event& event = events()[i];
      if (event.server != IpAddress::from_text(kCdn).value()) continue;
      if (!text.empty()) text += ", ";
      if (event.transport == siskin::runtime::Transport::tcp) text += "tcp ";
      text += event.subnet ? "for " + event.subnet->network().to_text()
                           : (event.has_edns ? "plain" : "no EDNS");
    }
    return text;
  }

  /// The most exchanges that were under way at one time with the zone's server.
  std::size_t most_at_once() {
    std::size_t most = 0;
    for (const Event& event : events()) {
      std::size_t count = 0;
      for (const Event& other : events()) {
        const bool is_there = other.server == IpAddress::from_text(kCdn).value();
        const bool is_then = other.began <= event.began && event.began < other.ended.value();
        if (is_there && is_then) ++count;
      }
      most = std::max(most, count);
    }
    return most;
  }

  World world;
  SimFrontend frontend;
  std::size_t from_event = 0;
};

void ignores(const Query&, Reply&) {}

/// Errs for whoever tells it of a client.
Hook errs(Rcode rcode) {
  return [rcode](const Query& query, Reply& reply) {
    if (!query.subnet) return;
    reply.rcode = rcode;
    reply.answer.clear();
    reply.has_edns = false;
  };
}

}  // namespace

TEST_CASE("fault A3: of 200 networks that ask for one name at most eight are in flight",
          "[sim][fault]") {
  Scene scene(tailors(24));
  std::vector<SimFrontend::Ticket> tickets;
  for (unsigned n = 0; n < 200; ++n) tickets.push_back(scene.send(client(n)));
  CHECK(scene.frontend.resolver().time().settle(seconds(60)));
  for (unsigned n = 0; n < 200; ++n) {
    REQUIRE(scene.frontend.replies(tickets[n]).size() == 1);
    CHECK(scene.address(scene.frontend.replies(tickets[n]).front()) ==
          "203.0." + std::to_string(n) + ".1");
  }
  CHECK(scene.events().size() == 202);
  CHECK(scene.most_at_once() == 8);
  std::set<std::uint16_t> ids;
  std::set<std::string> networks;
  for (const Event& event : scene.events()) {
    ids.insert(event.id);
    if (event.subnet) networks.insert(event.subnet->network().to_text());
  }
  CHECK(ids.size() > 190);
  CHECK(networks.size() == 200);
}

TEST_CASE("fault A3: where the answer is everybody's, 200 networks are one question",
          "[sim][fault]") {
  SECTION("it says so") {
    Scene scene(tailors(0));
    for (unsigned n = 0; n < 200; ++n) scene.send(client(n));
    CHECK(scene.frontend.resolver().time().settle(seconds(60)));
    CHECK(scene.events().size() == 3);
  }
  SECTION("it does not know the option") {
    Scene scene(ignores);
    for (unsigned n = 0; n < 200; ++n) scene.send(client(n));
    CHECK(scene.frontend.resolver().time().settle(seconds(60)));
    CHECK(scene.events().size() == 4);
  }
}

TEST_CASE("fault A3: a forged reply has to repeat the subnet", "[sim][fault]") {
  // The forger has guessed ID and port, and gives an address of his own to everybody.
  const auto forge = [](std::optional<ClientSubnet> subnet) {
    return [subnet](const Query& query, Reply& reply) {
      if (!query.subnet) return tailors(24)(query, reply);
      reply.answer.front().records = siskin::wire::RecordList();
      reply.answer.front().records.add(IpAddress::v4(203, 0, 113, 66).octets());
      reply.subnet = subnet;
    };
  };
  const auto other = [](const char* network) {
    ClientSubnet subnet = ClientSubnet::of(Network::from_text(network).value());
    subnet.scope = 0;
    return subnet;
  };
  for (const auto& forged :
       {std::optional<ClientSubnet>(), std::optional(other("203.0.8.0/24")),
        std::optional(other("203.0.0.0/16")), std::optional(other("203.0.7.0/25")),
        std::optional(other("2001:d00::/24")), std::optional(other("0.0.0.0/0"))}) {
    CAPTURE(forged.has_value());
    Scene scene(forge(forged));
    CHECK(scene.ask(client(7)) == "192.0.2.80");
    CHECK(scene.told() == "for 203.0.7.0/24, plain");
    scene.world.server(kCdn).vices.hooks = {tailors(24)};
    scene.frontend.resolver().advance(minutes(11));
    CHECK(scene.ask(client(7)) == "203.0.7.1");
  }
}

TEST_CASE("fault A3: a server that confuses its askers is asked without telling", "[sim][fault]") {
  Scene scene(confuses_subnets());
  CHECK(scene.ask(client(7)) == "192.0.2.80");
  CHECK(scene.told() == "for 203.0.7.0/24, plain");
  CHECK(scene.ask(client(8)) == "192.0.2.80");
  CHECK(scene.told().empty());  // it holds for everybody
  scene.frontend.resolver().advance(seconds(61));
  CHECK(scene.ask(client(8)) == "192.0.2.80");
  CHECK(scene.told() == "plain");
}

TEST_CASE("fault A3: after a reply without the option a server that knows it goes on being told",
          "[sim][fault]") {
  Scene scene(tailors(24));
  CHECK(scene.ask(client(7)) == "203.0.7.1");
  scene.world.server(kCdn).vices.hooks = {ignores};
  CHECK(scene.ask(client(8)) == "192.0.2.80");
  CHECK(scene.told() == "for 203.0.8.0/24, plain");
  scene.frontend.resolver().advance(seconds(61));
  scene.world.server(kCdn).vices.hooks = {tailors(24)};
  CHECK(scene.ask(client(9)) == "203.0.9.1");
}

TEST_CASE("fault B79: a server that cannot stand the option is asked without, within three packets",
          "[sim][fault]") {
  for (const Rcode rcode : {Rcode::formerr, Rcode::notimp, Rcode::refused}) {
    Scene scene(errs(rcode));
    CHECK(scene.ask(client(7)) == "192.0.2.80");
    CHECK(scene.told() == "for 203.0.7.0/24, plain");
    scene.frontend.resolver().advance(seconds(61));
    CHECK(scene.ask(client(8)) == "192.0.2.80");
    CHECK(scene.told() == "plain");
    scene.frontend.resolver().advance(minutes(10));
    CHECK(scene.ask(client(9)) == "192.0.2.80");
    CHECK(scene.told() == "for 203.0.9.0/24, plain");
  }
  Scene scene(ignores);
  scene.world.server(kCdn).vices.edns = EdnsManner::formerr;
  CHECK(scene.ask(client(7)) == "192.0.2.80");
  CHECK(scene.told() == "for 203.0.7.0/24, plain, no EDNS");
}

TEST_CASE("fault B81: a server that drops queries with the option is asked without",
          "[sim][fault]") {
  Scene scene([](const Query& query, Reply& reply) { reply.is_silent = query.subnet.has_value(); });
  CHECK(scene.ask(client(7)) == "192.0.2.80");
  CHECK(scene.told() == "for 203.0.7.0/24, for 203.0.7.0/24, plain");
  scene.frontend.resolver().advance(seconds(61));
  CHECK(scene.ask(client(8)) == "192.0.2.80");
  CHECK(scene.told() == "plain");
}

TEST_CASE("fault B83: a server that copies the option has not tailored anything", "[sim][fault]") {
  Scene scene([](const Query& query, Reply& reply) { reply.subnet = query.subnet; });
  CHECK(scene.ask(client(7)) == "192.0.2.80");
  CHECK(scene.ask(client(8)) == "192.0.2.80");
  CHECK(scene.told().empty());
}

TEST_CASE("fault B85: nobody gets another's option, from the cache or from a fetch",
          "[sim][fault]") {
  Scene scene(tailors(24));
  std::vector<ClientQuery> queries(4);
  queries[0].client = "198.51.100.53";
  queries[0].subnet = ClientSubnet::of(Network::from_text("203.0.7.0/24").value());
  queries[1].client = "203.0.7.9";  // no option
  queries[2].client = "198.51.100.53";
  queries[2].subnet = ClientSubnet::of(Network::from_text("203.0.7.128/25").value());
  queries[3].client = "203.0.7.9";
  queries[3].subnet = ClientSubnet::of(Network::from_text("10.0.0.0/24").value());
  const char* const returned[] = {"203.0.7.0/24 scope 24", "", "203.0.7.128/25 scope 24",
                                  "10.0.0.0/24 scope 0"};
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<SimFrontend::Ticket> tickets;
    for (const ClientQuery& query : queries) {
      tickets.push_back(scene.frontend.send(scene.www, query));
    }
    CHECK(scene.frontend.resolver().time().settle(seconds(10)));
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      CAPTURE(turn, i);
      REQUIRE(scene.frontend.replies(tickets[i]).size() == 1);
      CHECK(subnet_of(scene.frontend.replies(tickets[i]).front()) == returned[i]);
      CHECK(scene.address(scene.frontend.replies(tickets[i]).front()) == "203.0.7.1");
      CHECK(scene.frontend.was_hit(tickets[i]) == (turn == 1));
    }
  }
  CHECK(scene.events().size() == 3);
}

TEST_CASE("sim/client_subnet: a dead zone fails once for all networks", "[sim]") {
  Scene scene(tailors(24));
  scene.world.server(kCdn).vices.is_dead = true;
  std::vector<SimFrontend::Ticket> tickets;
  for (unsigned n = 0; n < 50; ++n) tickets.push_back(scene.send(client(n)));
  CHECK(scene.frontend.resolver().time().settle(seconds(9)));
  for (const auto ticket : tickets) {
    REQUIRE(scene.frontend.replies(ticket).size() == 1);
    CHECK(scene.address(scene.frontend.replies(ticket).front()) == "SERVFAIL");
  }
  CHECK(scene.events().size() <= 10);
}

TEST_CASE("sim/client_subnet: variants beyond the limit are kept for wider networks", "[sim]") {
  World world;
  build(world);
  world.server(kCdn).vices.hooks = {tailors(24)};
  SimResolver::Settings how = settings();
  how.cache.variants_max = 16;
  SimFrontend frontend(world, how);
  const auto ask = [&](const std::string& from) {
    ClientQuery query;
    query.client = from;
    frontend.ask({Name::from_text("www.cdn.example.").value(), RRType::a}, query);
  };
  for (unsigned n = 0; n < 200; ++n) ask(client(n));
  const std::size_t asked = frontend.resolver().upstream().count();
  CHECK(asked <= 2 + 16 + 1);
  ask("203.0.250.1");
  CHECK(frontend.resolver().upstream().count() == asked);
}
