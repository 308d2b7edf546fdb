/// Faults by forged packets.
#include <set>

#include "sim/base_world.hpp"
#include "sim/lies.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::IpAddress;
using siskin::runtime::Transport;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

constexpr const char* kBank = "192.0.2.10";

/// An answer, and a delegation of the whole zone to the attacker.
Hook kaminsky() {
  const Hook answer = lies::always(IpAddress::from_text(kEvil).value());
  const Hook servers = lies::servers_of(Name::from_text("bank.example.").value(),
                                        IpAddress::from_text(kEvil).value());
  return [answer, servers](const Query& query, Reply& reply) {
    answer(query, reply);
    servers(query, reply);
  };
}

const World& build(World& world) {
  add_base(world, "bank NS ns.bank\nns.bank A 192.0.2.10\n");
  world.add_zone("bank.example.",
                 "$TTL 300\n@ NS ns\nns A 192.0.2.10\n* A 192.0.2.80\nwww A 192.0.2.81\n");
  world.add_server(kBank, {"bank.example."});
  world.add_server(kEvil, {});
  world.server(kEvil).vices.hooks = {lies::always(IpAddress::from_text(kEvil).value())};
  world.server(kBank).vices.slowness = std::chrono::milliseconds(100);
  world.server(kBank).vices.forgery = kaminsky();
  return world;
}

struct Scene {
  /// 200 names nobody asked for before; how many exchanges each took at the bank's server.
  std::set<std::size_t> race() {
    std::set<std::size_t> counts;
    for (int i = 1; i <= 200; ++i) {
      const std::string name = "r" + std::to_string(i) + ".bank.example.";
      CHECK(resolver.answer(name, RRType::a) == "NOERROR\n" + name + " 300 IN A 192.0.2.80\n");
      counts.insert(resolver.exchanges(kBank));
    }
    return counts;
  }

  World world;
  SimResolver resolver{build(world)};
};

}  // namespace

TEST_CASE("fault A1: a race with forged packets is not won, and does not end in SERVFAIL",
          "[sim][fault]") {
  Scene scene;
  Vices& vices = scene.world.server(kBank).vices;
  using Counts = std::set<std::size_t>;

  SECTION("few near misses are passed over, the true answer is waited for") {
    vices.forged_ids = 1;
    vices.forged_questions = 1;
    CHECK(scene.race() == Counts{1});
  }
  SECTION("many wrong IDs: asked again over TCP") {
    vices.forged_ids = 100;
    // At first over UDP in vain, then over TCP at once while the attack lasts.
    CHECK(scene.race() == Counts{1, 2});
    CHECK(scene.resolver.upstream().events().back().transport == Transport::tcp);
  }
  SECTION("right ID, wrong question") {
    vices.forged_questions = 100;
    CHECK(scene.race() == Counts{1, 2});
    CHECK(scene.resolver.upstream().events().back().transport == Transport::tcp);
  }
  CHECK(scene.resolver.answer("www.bank.example.", RRType::a) ==
        "NOERROR\nwww.bank.example. 300 IN A 192.0.2.81\n");
  CHECK(scene.resolver.exchanges(kBank) >= 1);
  CHECK(scene.resolver.upstream().count(kEvil) == 0);

  std::set<std::uint16_t> ids;
  for (const Event& event : scene.resolver.upstream().events()) ids.insert(event.id);
  // Of 200 and more draws out of 65536, hardly any comes twice.
  CHECK(scene.resolver.upstream().count() - ids.size() < 10);
}

TEST_CASE("fault A1: a server that forgets the letter case is asked over TCP", "[sim][fault]") {
  Scene scene;
  scene.world.server(kBank).vices.question = QuestionManner::lowered;
  CHECK(scene.resolver.answer("www.bank.example.", RRType::a) ==
        "NOERROR\nwww.bank.example. 300 IN A 192.0.2.81\n");
  CHECK(scene.resolver.upstream().events().back().transport == Transport::tcp);
}
