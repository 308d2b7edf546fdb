/// DNS cookies (RFC 7873) towards servers of every manner: what is asked, how often, and over what.
#include "sim/base_world.hpp"
#include "sim/lies.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using namespace std::chrono_literals;
using siskin::IpAddress;
using siskin::runtime::Transport;
using siskin::wire::RRType;

namespace {

constexpr const char* kServer = "192.0.2.10";

const World& build(World& world, CookieManner manner) {
  add_base(world, "bank NS ns.bank\nns.bank A 192.0.2.10\n");
  world.add_zone("bank.example.", "$TTL 300\n@ NS ns\nns A 192.0.2.10\n* A 192.0.2.80\n");
  world.add_server(kServer, {"bank.example."});
  world.server(kServer).vices.cookies = manner;
  return world;
}

class Scene {
 public:
  explicit Scene(CookieManner manner) : resolver(build(world, manner)) {}

  /// What a name that nobody asked for yet costs at the server: for each exchange U or T for the
  /// transport, then - for no cookie, c for our half, C for both.  "!" where there is no answer.
  std::string next() {
    const std::size_t from = resolver.upstream().count();
    const std::string name = "n" + std::to_string(++asked_) + ".bank.example.";
    const bool is_right =
        resolver.answer(name, RRType::a) == "NOERROR\n" + name + " 300 IN A 192.0.2.80\n";
    std::string text;
    const auto& events = resolver.upstream().events();
    for (std::size_t i = from; i < events.size(); ++i) {
      if (events[i].server != IpAddress::from_text(kServer).value()) continue;
      if (!text.empty()) text += " ";
      text += events[i].transport == Transport::udp ? "U" : "T";
      text += !events[i].cookie ? "-" : events[i].cookie->server_size == 0 ? "c" : "C";
    }
    return text + (is_right ? "" : " !");
  }

  Vices& vices() { return world.server(kServer).vices; }

  World world;
  SimResolver resolver;

 private:
  int asked_ = 0;
};

}  // namespace

TEST_CASE("sim/cookie: a server that knows none gets our half each time", "[sim]") {
  Scene scene(CookieManner::unaware);
  CHECK(scene.next() == "Uc");
  CHECK(scene.next() == "Uc");
}

TEST_CASE("sim/cookie: a server's half comes back to it, from one day to the next", "[sim]") {
  Scene scene(CookieManner::speaks);
  CHECK(scene.next() == "Uc");
  CHECK(scene.next() == "UC");
  const auto first = scene.resolver.upstream().events().back().cookie->client;
  scene.resolver.advance(24h);
  CHECK(scene.next() == "Uc");
  CHECK(scene.resolver.upstream().events().back().cookie->client != first);
  CHECK(scene.next() == "UC");
}

TEST_CASE("sim/cookie: BADCOOKIE is asked again with what came with it", "[sim]") {
  Scene scene(CookieManner::demands);
  CHECK(scene.next() == "Uc UC");
  CHECK(scene.next() == "UC");
  scene.vices().cookie_secret = 2;
  CHECK(scene.next() == "UC UC");
  CHECK(scene.next() == "UC");
}

TEST_CASE("sim/cookie: a server that is never content with a cookie is asked over TCP", "[sim]") {
  Scene scene(CookieManner::demands);
  scene.vices().hooks.push_back([](const Query& query, Reply& reply) {
    if (query.transport == Transport::udp) reply.rcode = siskin::wire::Rcode::badcookie;
  });
  CHECK(scene.next() == "Uc UC TC");
}

TEST_CASE("sim/cookie: who owes one is not believed without it", "[sim]") {
  Scene scene(CookieManner::speaks);
  scene.vices().slowness = 100ms;
  scene.vices().forgery = lies::always(IpAddress::from_text(kEvil).value());
  CHECK(scene.next() == "Uc");
  scene.vices().forged_cookieless = 1;
  CHECK(scene.next() == "UC TC");
  CHECK(scene.next() == "UC TC");
  scene.vices().forged_cookieless = 0;
  CHECK(scene.next() == "UC");
  scene.vices().forged_cookieless = 1;
  // Not in a row with those before.
  CHECK(scene.next() == "UC TC");
  CHECK(scene.next() == "UC TC");
}

TEST_CASE("sim/cookie: an address of servers with and without cookies owes none for an hour",
          "[sim]") {
  Scene scene(CookieManner::speaks);
  CHECK(scene.next() == "Uc");
  scene.vices().cookies = CookieManner::hides;
  for (int i = 0; i < 3; ++i) CHECK(scene.next() == "UC TC");
  CHECK(scene.next() == "UC");
  scene.vices().cookies = CookieManner::speaks;
  scene.resolver.advance(61min);
  CHECK(scene.next() == "UC");
  scene.vices().cookies = CookieManner::hides;
  CHECK(scene.next() == "UC TC");
}

TEST_CASE("sim/cookie: over TCP the lack of one ends the debt", "[sim]") {
  Scene scene(CookieManner::speaks);
  CHECK(scene.next() == "Uc");
  scene.vices().cookies = CookieManner::unaware;
  CHECK(scene.next() == "UC TC");
  CHECK(scene.next() == "UC");
}

TEST_CASE("sim/cookie: who chokes on a cookie gets none for ten minutes", "[sim]") {
  Scene scene(CookieManner::formerr);
  CHECK(scene.next() == "Uc U-");
  CHECK(scene.next() == "U-");
  scene.resolver.advance(599s);
  CHECK(scene.next() == "U-");
  scene.resolver.advance(2s);
  CHECK(scene.next() == "Uc U-");
}

TEST_CASE("sim/cookie: REFUSED costs the cookie, but is not asked again for it", "[sim]") {
  Scene scene(CookieManner::refused);
  CHECK(scene.next() == "Uc !");
  scene.resolver.advance(1min);
  CHECK(scene.next() == "U-");
}

TEST_CASE("sim/cookie: who is silent to cookies is asked without", "[sim]") {
  Scene scene(CookieManner::silent);
  CHECK(scene.next() == "Uc Uc U-");
  CHECK(scene.next() == "U-");
}

TEST_CASE("sim/cookie: somebody else's cookie is somebody else's reply", "[sim]") {
  Scene scene(CookieManner::speaks);
  CHECK(scene.next() == "Uc");
  scene.vices().cookies = CookieManner::mistaken;
  CHECK(scene.next().ends_with("!"));
  scene.vices().cookies = CookieManner::speaks;
  scene.resolver.advance(10min);
  CHECK(scene.next().ends_with("UC"));
}
