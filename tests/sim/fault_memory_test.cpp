// What is remembered, and for how long: negative answers, TTLs, failures.
#include "sim/base_world.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

using siskin::sim::Lameness;
using siskin::sim::SimFrontend;
using siskin::sim::SimResolver;
using siskin::sim::World;
using siskin::wire::RRType;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kServer = "192.0.2.10";

void build(World& world, std::string_view zone_text) {
  add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\n");
  world.add_zone("zone.example.", "$TTL 300\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.10\n" +
                                      std::string(zone_text));
  world.place_servers();
}

}  // namespace

TEST_CASE("sim/memory: a denial that has ended does not stand before an answer (fault B55)",
          "[sim]") {
  World world;
  build(world, "www 300 A 192.0.2.80\n");
  const auto soa = siskin::text::parse_zone("zone.example. 5 IN SOA ns. h. 1 2 3 4 5\n").value();
  auto& vices = world.server(kServer).vices;
  vices.hooks.push_back([&](const siskin::sim::Query& query, siskin::sim::Reply& reply) {
    if (query.name != siskin::wire::Name::from_text("www.zone.example.").value()) return;
    reply.rcode = siskin::wire::Rcode::nxdomain;
    reply.answer.clear();
    reply.authority = soa;
  });
  SimFrontend frontend(world);
  CHECK(frontend.answer("www.zone.example.", RRType::a).starts_with("NXDOMAIN"));
  vices.hooks.clear();
  const std::size_t before = frontend.resolver().upstream().count(kServer);
  for (int second = 0; second < 290; ++second) {
    frontend.answer("www.zone.example.", RRType::a);
    frontend.resolver().advance(1s);
  }
  CHECK(frontend.resolver().upstream().count(kServer) == before + 1);
}

TEST_CASE("sim/memory: TTL 0 is good for those who wait, and for nobody later (fault B57)",
          "[sim]") {
  World world;
  add_base(world, "zone 0 NS ns.zone\nns.zone 0 A 192.0.2.10\n");
  world.add_zone("zone.example.", "@ 0 NS ns\nns 0 A 192.0.2.10\nwww 0 A 192.0.2.80\n");
  world.place_servers();
  SimFrontend frontend(world);
  auto& upstream = frontend.resolver().upstream();
  for (int round = 1; round <= 2; ++round) {
    const std::size_t before = upstream.count(kServer);
    std::vector<SimFrontend::Ticket> tickets;
    for (int i = 0; i < 50; ++i) tickets.push_back(frontend.send("www.zone.example.", RRType::a));
    frontend.resolver().advance(5s);
    for (const auto ticket : tickets) {
      REQUIRE(frontend.replies(ticket).size() == 1);
      const siskin::resolve::Question question{
          siskin::wire::Name::from_text("www.zone.example.").value(), RRType::a};
      CHECK(siskin::sim::to_text(
                siskin::sim::outcome_of(frontend.replies(ticket)[0], question, 4711)) ==
            "NOERROR\nwww.zone.example. 0 IN A 192.0.2.80\n");
    }
    CHECK(upstream.count(kServer) - before <= 3);
    CHECK(upstream.count(kServer) > before);
  }
}

TEST_CASE("sim/memory: TTLs never rise, never leave their bounds, and end (fault B59)", "[sim]") {
  World world;
  build(world, "brief 10 A 192.0.2.80\nlong 604800 A 192.0.2.81\n");
  SimFrontend frontend(world);
  CHECK(frontend.answer("long.zone.example.", RRType::a) ==
        "NOERROR\nlong.zone.example. 86400 IN A 192.0.2.81\n");
  CHECK(frontend.answer("long.zone.example.", RRType::a) ==
        "NOERROR\nlong.zone.example. 86400 IN A 192.0.2.81\n");
  CHECK(frontend.answer("brief.zone.example.", RRType::a).find(" 10 IN A") != std::string::npos);
  frontend.resolver().advance(9900ms);
  const std::string last = frontend.answer("brief.zone.example.", RRType::a);
  CHECK((last.find(" 1 IN A") != std::string::npos || last.find(" 0 IN A") != std::string::npos));
  const std::size_t before = frontend.resolver().upstream().count(kServer);
  frontend.resolver().advance(1100ms);
  CHECK(frontend.answer("brief.zone.example.", RRType::a).find(" 10 IN A") != std::string::npos);
  CHECK(frontend.resolver().upstream().count(kServer) == before + 1);
}

TEST_CASE("sim/memory: a failure is short, whatever min_ttl says, and backs off (fault B61)",
          "[sim]") {
  World world;
  build(world, "www A 192.0.2.80\n");
  SimResolver::Settings settings;
  settings.cache.min_ttl = 3600;
  SimFrontend frontend(world, settings);
  auto& vices = world.server(kServer).vices;
  vices.lameness = Lameness::refused;
  CHECK(frontend.answer("www.zone.example.", RRType::a).starts_with("SERVFAIL"));
  const auto count = [&] { return frontend.resolver().upstream().count(kServer); };
  std::size_t before = count();
  frontend.resolver().advance(4s);
  CHECK(frontend.answer("www.zone.example.", RRType::a).starts_with("SERVFAIL"));
  CHECK(count() == before);
  frontend.resolver().advance(2s);
  CHECK(frontend.answer("www.zone.example.", RRType::a).starts_with("SERVFAIL"));  // asked again
  CHECK(count() > before);
  before = count();
  frontend.resolver().advance(8s);
  CHECK(frontend.answer("www.zone.example.", RRType::a).starts_with("SERVFAIL"));
  CHECK(count() == before);  // ten seconds by now
  vices.lameness = Lameness::none;
  frontend.resolver().advance(3s);
  CHECK(frontend.answer("www.zone.example.", RRType::a) ==
        "NOERROR\nwww.zone.example. 3600 IN A 192.0.2.80\n");
}
