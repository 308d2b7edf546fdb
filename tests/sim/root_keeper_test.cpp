/// Copying the root zone in virtual time: when, from whom, and until when it is used.
#include <fmt/format.h>

#include "sim/random.hpp"
#include "sim/root_servers.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::sim;
using namespace std::chrono_literals;
using resolve::RootKeeper;
using resolve::RootZone;

namespace {

constexpr std::string_view kOne = "192.0.2.1";
constexpr std::string_view kTwo = "192.0.2.2";

/// REFRESH half an hour, RETRY 15 minutes, EXPIRE a week.
std::string root_of_serial(std::uint32_t serial) {
  std::string text(resolve::test::kSmallRoot);
  const std::string_view old = "admin.root. 7 ";
  return text.replace(text.find(old), old.size(), fmt::format("admin.root. {} ", serial));
}

/// A keeper that has just been started.
struct Scene {
  explicit Scene(std::uint64_t seed = 1) : random(seed) {}
  ~Scene() {
    if (keeper) keeper->stop();
    time.settle({});
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void start() {
    const RootKeeper::Context context{servers, servers, time.clock(), random, time.timers()};
    keeper.emplace(context, servers.endpoints(), [this](std::shared_ptr<const RootZone> zone) {
      held = std::move(zone);
      ++published;
    });
    keeper->start(time.io().get_executor());
    time.run_for(1s);
  }

  std::string serial() const { return held ? std::to_string(held->soa().serial) : "none"; }

  VirtualTime time;
  SimRandom random;
  RootServers servers{time};
  std::shared_ptr<const RootZone> held;
  unsigned published = 0;
  std::optional<RootKeeper> keeper;
};

}  // namespace

TEST_CASE("sim/root_keeper: the zone is copied at once, and again when its serial is newer",
          "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  scene.start();
  CHECK(scene.serial() == "7");
  CHECK(scene.published == 1);
  CHECK(server.soas == 0);

  server.zone_text = root_of_serial(8);
  scene.time.run_for(1798s);
  CHECK(server.soas == 0);
  scene.time.run_for(2s);
  CHECK(server.soas == 1);
  CHECK(scene.serial() == "8");
  CHECK(server.transfers == 2);

  scene.time.run_for(10 * 1801s);
  CHECK(server.soas == 11);
  CHECK(server.transfers == 2);
  CHECK(scene.published == 2);
}

TEST_CASE("sim/root_keeper: a server that is behind is not believed", "[sim]") {
  Scene scene;
  scene.servers[kOne].zone_text = root_of_serial(5);
  scene.start();
  scene.servers[kOne].zone_text = root_of_serial(4);
  scene.time.run_for(1801s);
  CHECK(scene.servers[kOne].soas == 1);
  CHECK(scene.servers[kOne].transfers == 1);
  scene.time.run_for(901s);  // RETRY
  CHECK(scene.servers[kOne].soas == 2);
  CHECK(scene.serial() == "5");
  // Serials go round.
  scene.servers[kOne].zone_text = root_of_serial(5 + 0x7fffffffU);
  scene.time.run_for(901s);
  CHECK(scene.serial() == std::to_string(5 + 0x7fffffffU));
  scene.servers[kOne].zone_text = root_of_serial(2);
  scene.time.run_for(1801s);
  CHECK(scene.serial() == "2");
}

TEST_CASE("sim/root_keeper: what cannot be had from one server is had from another", "[sim]") {
  const auto seed = GENERATE(range<std::uint64_t>(1, 9));
  Scene scene(seed);
  RootServer& bad = scene.servers[kOne];
  RootServer& good = scene.servers[kTwo];
  SECTION("refused") {
    bad.refuses = true;
  }
  SECTION("cut short") {
    bad.cuts_short = true;
  }
  SECTION("spoilt") {
    bad.spoils = true;
  }
  SECTION("no root zone, for it has no servers") {
    bad.zone_text = ". 60 IN SOA ns.root. admin.root. 7 60 60 60 60\n";
  }
  CAPTURE(seed);
  scene.start();
  CHECK(scene.serial() == "7");
  CHECK(good.transfers == 1);
  CHECK(bad.transfers <= 1);
}

TEST_CASE("sim/root_keeper: who is silent keeps others waiting, but not for ever", "[sim]") {
  Scene scene;
  RootServer& bad = scene.servers[kOne];
  scene.servers[kTwo].refuses = true;
  SECTION("dead") {
    bad.is_dead = true;
  }
  SECTION("hanging") {
    bad.hangs = true;
  }
  scene.start();
  scene.time.run_for(119s);
  CHECK(scene.serial() == "none");
  bad.is_dead = bad.hangs = false;
  scene.time.run_for(12s);
  CHECK(scene.serial() == "7");
}

TEST_CASE("sim/root_keeper: a zone without an end is refused at its 64th MiB", "[sim]") {
  Scene scene;
  scene.servers[kOne].octets_flooded = std::size_t{65} << 20;
  scene.start();
  scene.time.run_for(5s);
  CHECK(scene.serial() == "none");
  scene.servers[kOne].octets_flooded = 0;
  scene.time.run_for(10s);
  CHECK(scene.serial() == "7");
}

TEST_CASE("sim/root_keeper: without a copy, rounds come further and further apart", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  server.refuses = true;
  scene.start();
  unsigned rounds = 1;
  Duration due{};
  for (const auto wait : {10s, 20s, 40s, 80s, 160s, 320s, 640s, 1280s, 2560s, 3600s, 3600s}) {
    CHECK(server.transfers == rounds);
    due += wait + 1ms;  // a refusal's way
    scene.time.run_for(due - 1ms - scene.time.elapsed());
    CHECK(server.transfers == rounds);
    scene.time.run_for(1ms);
    ++rounds;
  }
  CHECK(scene.published == 0);
  server.refuses = false;
  scene.time.run_for(3601s);
  CHECK(scene.serial() == "7");
}

TEST_CASE("sim/root_keeper: a copy that nobody confirms is used until it expires", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  scene.start();
  server.is_dead = true;
  scene.time.run_for(7 * 24h - 2s);
  CHECK(scene.serial() == "7");
  CHECK(server.soas > 600);  // each RETRY
  CHECK(server.soas < 700);
  scene.time.run_for(2s);
  CHECK(scene.serial() == "none");
  CHECK(scene.published == 2);
  // Then it is looked for as in the beginning.
  server.is_dead = false;
  scene.time.run_for(150s);
  CHECK(scene.serial() == "7");
  CHECK(scene.published == 3);
}

TEST_CASE("sim/root_keeper: a server's word that the serial is current prolongs the copy",
          "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  scene.start();
  scene.time.run_for(6 * 24h);
  server.is_dead = true;
  scene.time.run_for(6 * 24h);
  CHECK(scene.serial() == "7");
  CHECK(server.transfers == 1);
}

TEST_CASE("sim/root_keeper: the SOA is asked for over TCP where UDP does not work", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  scene.start();
  server.is_deaf_to_udp = true;
  server.zone_text = root_of_serial(8);
  scene.time.run_for(1800s);
  CHECK(scene.serial() == "7");
  scene.time.run_for(3s);
  CHECK(scene.serial() == "8");
}

TEST_CASE("sim/root_keeper: an SOA without AA confirms nothing", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  scene.start();
  server.is_authoritative = false;
  server.zone_text = root_of_serial(8);
  scene.time.run_for(7 * 24h - 2s);
  CHECK(server.soas > 600);
  CHECK(server.transfers == 1);
  scene.time.run_for(2s);
  CHECK(scene.published == 3);  // the end of the old one, and the new one
  CHECK(scene.serial() == "8");
}

TEST_CASE("sim/root_keeper: a zone's absurd timers are kept within bounds", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  std::string text(resolve::test::kSmallRoot);
  const std::string_view old = "7 1800 900 604800";
  SECTION("all zero") {
    server.zone_text = text.replace(text.find(old), old.size(), "7 0 0 0");
    scene.start();
    scene.time.run_for(600s);
    CHECK(server.soas + server.transfers <= 21);
    CHECK(server.soas + server.transfers >= 10);
  }
  SECTION("centuries") {
    server.zone_text =
        text.replace(text.find(old), old.size(), "7 4294967295 4294967295 4294967295");
    scene.start();
    scene.time.run_for(24h);
    CHECK(server.soas == 1);
    server.is_dead = true;
    scene.time.run_for(28 * 24h);
    CHECK(scene.serial() == "none");
  }
}

TEST_CASE("sim/root_keeper: after stop nothing is under way", "[sim]") {
  Scene scene;
  RootServer& server = scene.servers[kOne];
  SECTION("in a transfer") {
    server.hangs = true;
    scene.start();
  }
  SECTION("asking for the SOA") {
    scene.start();
    server.is_dead = true;
    scene.time.run_for(1800s);
    CHECK(server.soas == 1);
  }
  SECTION("asleep") {
    scene.start();
  }
  const unsigned published = scene.published;
  scene.keeper->stop();
  CHECK(scene.time.settle(30 * 24h));
  CHECK(scene.published == published);
}
