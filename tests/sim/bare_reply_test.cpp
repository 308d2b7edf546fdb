/// Servers that say "no data" without an SOA, truthfully or not.
#include <string>

#include "sim/base_world.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::wire::RRType;

namespace {

/// foo.example. with as many servers as wanted, from 192.0.2.11 on.
class Scene {
 public:
  explicit Scene(unsigned servers) {
    std::string delegation;
    for (unsigned i = 1; i <= servers; ++i) {
      const std::string name = "ns" + std::to_string(i);
      delegation += "foo NS " + name + ".foo\n" + name + ".foo A " + address(i) + "\n";
    }
    add_base(world, delegation);
    world.add_zone("foo.example.", "$TTL 60\n@ NS ns1\nns1 A 192.0.2.11\nwww A 192.0.2.80\n");
    for (unsigned i = 1; i <= servers; ++i) world.add_server(address(i), {"foo.example."});
  }

  static std::string address(unsigned server) { return "192.0.2." + std::to_string(10 + server); }

  /// Takes answer and SOA out of all that the server says.
  void make_bare(unsigned server) {
    world.server(address(server)).vices.hooks.emplace_back([](const Query&, Reply& reply) {
      reply.answer.clear();
      reply.authority.clear();
      reply.additional.clear();
    });
  }

  World world;
};

}  // namespace

TEST_CASE("sim/bare_reply: an empty reply is not believed before others were asked", "[sim]") {
  Scene scene(3);
  scene.make_bare(1);
  scene.make_bare(3);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    SimResolver::Settings settings;
    settings.seed = seed;
    SimResolver resolver(scene.world, settings);
    CHECK(resolver.answer("www.foo.example.", RRType::a) ==
          "NOERROR\nwww.foo.example. 60 IN A 192.0.2.80\n");
  }
}

TEST_CASE("sim/bare_reply: what three servers say is believed, and not kept", "[sim]") {
  Scene scene(6);
  for (unsigned i = 1; i <= 6; ++i) scene.make_bare(i);
  SimResolver resolver(scene.world);
  CHECK(resolver.answer("www.foo.example.", RRType::a) == "NOERROR\n");
  CHECK(resolver.exchanges() == 6);  // root, example., three of the six, one in small letters too
  CHECK(resolver.answer("www.foo.example.", RRType::a) == "NOERROR\n");
  CHECK(resolver.exchanges() <= 4);
}

TEST_CASE("sim/bare_reply: a lone server is believed at once", "[sim]") {
  Scene scene(1);
  scene.make_bare(1);
  SimResolver resolver(scene.world);
  CHECK(resolver.answer("www.foo.example.", RRType::a) == "NOERROR\n");
  CHECK(resolver.exchanges() == 4);  // in small letters too
  CHECK(resolver.answer("www.foo.example.", RRType::a) == "NOERROR\n");
  CHECK(resolver.exchanges() == 1);
}

TEST_CASE("sim/bare_reply: a silent server beside it does not cost its retries", "[sim]") {
  Scene scene(2);
  scene.make_bare(1);
  scene.world.server(Scene::address(2)).vices.is_dead = true;
  SimResolver resolver(scene.world);
  CHECK(resolver.answer("www.foo.example.", RRType::a) == "NOERROR\n");
  CHECK(resolver.exchanges(Scene::address(2)) <= 1);
}
