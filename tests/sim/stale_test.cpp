// Answers that have expired (RFC 8767), and answers that are renewed before they do.
#include "sim/base_world.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"

using siskin::Duration;
using siskin::sim::Lameness;
using siskin::sim::SimFrontend;
using siskin::sim::SimResolver;
using siskin::sim::World;
using siskin::wire::Name;
using siskin::wire::RRType;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kServer = "192.0.2.10";
constexpr std::string_view kFresh = "NOERROR\nwww.zone.example. 60 IN A 192.0.2.80\n";

/// What to_text() makes of a stale answer.
const std::string kStale = "NOERROR\nwww.zone.example. 30 IN A 192.0.2.80\n; EDE 3\n";

SimResolver::Settings settings() {
  SimResolver::Settings settings;
  settings.cache.stale_max = 86'400;
  settings.resolve.case_randomisation = false;
  return settings;
}

/// A zone of one server, and a front end that has asked for all of it.
struct Rig {
  explicit Rig(const SimResolver::Settings& given = settings()) {
    add_base(world, "zone NS ns.zone\nns.zone A 192.0.2.10\n",
             "far NS ns.far\nns.far A 192.0.2.11\n");
    world.add_zone(
        "zone.example.",
        "$TTL 3600\n@ SOA ns h 1 2 3 4 60\n@ NS ns\nns A 192.0.2.10\nwww 60 A 192.0.2.80\n"
        "alias 600 CNAME www\nbrief 5 A 192.0.2.81\n");
    world.add_zone("far.test.",
                   "$TTL 3600\n@ NS ns\nns A 192.0.2.11\nto 600 CNAME www.zone.example.\n");
    world.place_servers();
    frontend.emplace(world, given);
    CHECK(ask("www.zone.example.") == kFresh);
    ask("nope.zone.example.");
    ask("alias.zone.example.");
    ask("to.far.test.");
  }

  std::string ask(std::string_view name) {
    const auto began = frontend->resolver().time().clock().now();
    const std::size_t before = frontend->resolver().upstream().count();
    const std::string answer = frontend->answer(name, RRType::a);
    took = frontend->resolver().time().clock().now() - began;
    exchanges = frontend->resolver().upstream().count() - before;
    return answer;
  }
  ~Rig() { pass(20s); }  // what is asked for behind clients' backs
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  void pass(Duration time) { frontend->resolver().advance(time); }
  siskin::sim::Vices& vices() { return world.server(kServer).vices; }

  World world;
  std::optional<SimFrontend> frontend;
  Duration took{};
  std::size_t exchanges = 0;
};

}  // namespace

TEST_CASE("sim/stale: while servers are silent a client waits 1.8 seconds, and then not at all",
          "[sim]") {
  Rig rig;
  rig.vices().is_dead = true;
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took == 1800ms);
  CHECK(rig.exchanges > 0);
  CHECK(rig.frontend->fetches().in_flight() == 1);  // asking goes on
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took == 0ms);
  rig.pass(10s);
  CHECK(rig.frontend->fetches().in_flight() == 0);
  // It has failed: nothing is asked for half a minute.
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took == 0ms);
  CHECK(rig.exchanges == 0);
  rig.pass(31s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.exchanges > 0);
}

TEST_CASE("sim/stale: nothing of it without serve_stale", "[sim]") {
  SimResolver::Settings without = settings();
  without.cache.stale_max = 0;
  Rig rig(without);
  rig.vices().lameness = Lameness::refused;
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.").starts_with("SERVFAIL"));
}

TEST_CASE("sim/stale: a failure gives way to the expired answer at once", "[sim]") {
  Rig rig;
  rig.vices().lameness = Lameness::servfail;
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took < 1s);
  CHECK(rig.ask("other.zone.example.").starts_with("SERVFAIL"));  // never known
}

TEST_CASE("sim/stale: when servers come back their answer is there again", "[sim]") {
  Rig rig;
  rig.vices().lameness = Lameness::servfail;
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  rig.vices().lameness = Lameness::none;
  rig.pass(29s);
  CHECK(rig.ask("www.zone.example.") == kStale);  // not looked at again yet
  CHECK(rig.exchanges == 0);
  rig.pass(2s);
  CHECK(rig.ask("www.zone.example.") == kFresh);
}

TEST_CASE("sim/stale: an answer that comes late is kept for the next one", "[sim]") {
  SimResolver::Settings impatient = settings();
  impatient.stale_wait = 100ms;
  Rig rig(impatient);
  rig.pass(100s);
  rig.vices().slowness = 150ms;
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took == 100ms);
  rig.pass(5s);
  CHECK(rig.ask("www.zone.example.") == "NOERROR\nwww.zone.example. 55 IN A 192.0.2.80\n");
  CHECK(rig.took == 0ms);
}

TEST_CASE("sim/stale: with stale_wait 0 nobody waits, and the answer is renewed behind", "[sim]") {
  SimResolver::Settings at_once = settings();
  at_once.stale_wait = 0ms;
  Rig rig(at_once);
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  CHECK(rig.took == 0ms);
  rig.pass(1s);
  CHECK(rig.ask("www.zone.example.") == "NOERROR\nwww.zone.example. 59 IN A 192.0.2.80\n");
}

TEST_CASE("sim/stale: a denial that has expired says EDE 19", "[sim]") {
  Rig rig;
  rig.vices().lameness = Lameness::servfail;
  rig.pass(100s);
  const std::string answer = rig.ask("nope.zone.example.");
  CHECK(answer.starts_with("NXDOMAIN\n"));
  CHECK(answer.find("EDE 19") != std::string::npos);
}

TEST_CASE("sim/stale: each link of a chain is judged alone", "[sim]") {
  Rig rig;
  rig.vices().lameness = Lameness::servfail;
  rig.pass(100s);
  CHECK(rig.ask("to.far.test.") ==
        "NOERROR\nto.far.test. 500 IN CNAME www.zone.example.\n"
        "www.zone.example. 30 IN A 192.0.2.80\n; EDE 3\n");
  rig.pass(600s);
  CHECK(rig.ask("alias.zone.example.") ==
        "NOERROR\nalias.zone.example. 30 IN CNAME www.zone.example.\n"
        "www.zone.example. 30 IN A 192.0.2.80\n; EDE 3\n");
  // The alias itself can be renewed, and is.
  CHECK(rig.ask("to.far.test.") ==
        "NOERROR\nto.far.test. 600 IN CNAME www.zone.example.\n"
        "www.zone.example. 30 IN A 192.0.2.80\n; EDE 3\n");
}

TEST_CASE("sim/stale: not longer than its age, and not of zones that are left out", "[sim]") {
  Rig rig;
  rig.vices().lameness = Lameness::servfail;
  rig.pass(86'400s);
  CHECK(rig.ask("www.zone.example.") == kStale);
  rig.pass(100s);
  CHECK(rig.ask("www.zone.example.").starts_with("SERVFAIL"));

  SimResolver::Settings except = settings();
  except.resolve.never_stale = {Name::from_text("zone.example.").value()};
  Rig without(except);
  without.vices().lameness = Lameness::servfail;
  without.pass(100s);
  CHECK(without.ask("www.zone.example.").starts_with("SERVFAIL"));
  CHECK(without.ask("to.far.test.").starts_with("SERVFAIL"));
}

TEST_CASE("sim/stale: what a server says by now counts, old answers do not come back (fault A105)",
          "[sim]") {
  Rig rig;
  rig.pass(100s);
  const auto soa = siskin::text::parse_zone("zone.example. 60 IN SOA ns. h. 1 2 3 4 60\n").value();
  for (const auto& authority : {soa, std::vector<siskin::wire::RRset>()}) {
    rig.vices().hooks.push_back([&](const siskin::sim::Query&, siskin::sim::Reply& reply) {
      reply.rcode = siskin::wire::Rcode::nxdomain;
      reply.answer.clear();
      reply.authority = authority;
    });
    CHECK(rig.ask("www.zone.example.").starts_with("NXDOMAIN"));
    rig.vices().hooks.clear();
    rig.vices().is_dead = true;
    rig.pass(100s);
    CHECK(rig.ask("www.zone.example.").starts_with(authority.empty() ? "SERVFAIL" : "NXDOMAIN"));
    // The name is back, and gone again without a word.
    rig.vices().is_dead = false;
    rig.pass(100s);
    CHECK(rig.ask("www.zone.example.") == kFresh);
    rig.vices().is_dead = true;
    rig.pass(100s);
    CHECK(rig.ask("www.zone.example.") == kStale);
    rig.vices().is_dead = false;
    rig.pass(100s);
  }
}

TEST_CASE("sim/prefetch: what is asked for in its last seconds is renewed, once", "[sim]") {
  SimResolver::Settings given = settings();
  given.cache.stale_max = 0;
  given.renew_below = 2;
  Rig rig(given);
  const auto count = [&rig] { return rig.frontend->resolver().upstream().count(kServer); };
  const std::size_t before = count();
  rig.pass(57s);
  CHECK(rig.ask("www.zone.example.").find(" 3 IN A") != std::string::npos);
  rig.pass(100ms);
  CHECK(count() == before);
  rig.pass(900ms);
  CHECK(rig.ask("www.zone.example.").find(" 2 IN A") != std::string::npos);
  CHECK(rig.took == 0ms);
  CHECK(rig.ask("www.zone.example.").find(" 2 IN A") != std::string::npos);
  rig.pass(500ms);
  CHECK(count() == before + 1);
  CHECK(rig.ask("www.zone.example.") == kFresh);
  rig.pass(30s);
  CHECK(rig.ask("www.zone.example.").find(" 30 IN A") != std::string::npos);
  CHECK(count() == before + 1);
}

TEST_CASE("sim/prefetch: short-lived answers are not asked for all the time", "[sim]") {
  SimResolver::Settings given = settings();
  given.renew_below = 5;
  Rig rig(given);
  const auto count = [&rig] { return rig.frontend->resolver().upstream().count(kServer); };
  rig.ask("brief.zone.example.");
  const std::size_t before = count();
  for (int i = 0; i < 40; ++i) {
    rig.ask("brief.zone.example.");
    rig.pass(100ms);
  }
  CHECK(count() == before + 1);
}

TEST_CASE("sim/prefetch: a renewal that fails leaves the answer as it is", "[sim]") {
  SimResolver::Settings given = settings();
  given.cache.stale_max = 0;
  given.renew_below = 2;
  Rig rig(given);
  rig.pass(58s);
  rig.vices().lameness = Lameness::servfail;
  CHECK(rig.ask("www.zone.example.").find(" 2 IN A") != std::string::npos);
  rig.pass(900ms);
  CHECK(rig.ask("www.zone.example.").ends_with(" IN A 192.0.2.80\n"));
  CHECK(rig.exchanges == 0);
}
