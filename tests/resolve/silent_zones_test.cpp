// Zones whose servers say nothing.
#include "resolve/silent_zones.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr SilentZones::Id kZone = 7;
const Instant kStart = at_second(1000);

Delegation two_servers() {
  Delegation delegation;
  delegation.zone = name("zone.example.");
  delegation.servers = {{name("a.zone.example."), {IpAddress::v4(192, 0, 2, 1)}},
                        {name("b.zone.example."), {IpAddress::v4(192, 0, 2, 2)}}};
  return delegation;
}

/// One that was silent once, at kStart.
struct Silent {
  Silent() { zones.silent(kZone, delegation, "192.0.2.1 timeout", false, kStart); }

  bool may_ask(Instant now) const { return zones.refusal(kZone, delegation, now) == nullptr; }

  /// A probe begun as soon as may be, silent again after `takes`; when the next may begin.
  Duration probe(Instant now, Duration takes) {
    CHECK(may_ask(now));
    CHECK(zones.begin(kZone, delegation, now));
    CHECK_FALSE(may_ask(now + takes));  // one at a time
    zones.silent(kZone, delegation, "192.0.2.1 timeout", true, now + takes);
    Duration next = takes;
    while (!may_ask(now + next)) next += milliseconds(100);
    return next;
  }

  Delegation delegation = two_servers();
  SilentZones zones;
};

}  // namespace

TEST_CASE("resolve/silent_zones: nobody is asked for a second, then one asks at a time",
          "[resolve]") {
  Silent silent;
  const std::string* why = silent.zones.refusal(kZone, silent.delegation, kStart);
  REQUIRE(why != nullptr);
  CHECK(*why == "192.0.2.1 timeout");
  CHECK_FALSE(silent.may_ask(kStart + milliseconds(999)));
  CHECK(silent.may_ask(kStart + seconds(1)));
  CHECK(silent.zones.begin(kZone, silent.delegation, kStart + seconds(1)));
  CHECK_FALSE(silent.may_ask(kStart + seconds(100)));
  silent.zones.gave_up(kZone);
  CHECK(silent.may_ask(kStart + seconds(100)));
}

TEST_CASE("resolve/silent_zones: probes begin 2 s apart, then 4 s, and 1 s after the last",
          "[resolve]") {
  Silent silent;
  CHECK(silent.probe(kStart + seconds(1), milliseconds(500)) == seconds(2));
  CHECK(silent.probe(kStart + seconds(3), milliseconds(500)) == seconds(4));
  CHECK(silent.probe(kStart + seconds(7), milliseconds(500)) == seconds(4));
  CHECK(silent.probe(kStart + seconds(11), seconds(8)) == seconds(9));
}

TEST_CASE("resolve/silent_zones: one word from a server ends it", "[resolve]") {
  Silent silent;
  silent.zones.heard(kZone);
  CHECK(silent.may_ask(kStart));
  CHECK_FALSE(silent.zones.begin(kZone, silent.delegation, kStart));
  CHECK(silent.zones.size() == 0);
}

TEST_CASE("resolve/silent_zones: those under way before it was known do not lengthen it",
          "[resolve]") {
  Silent silent;
  for (int i = 0; i < 100; ++i) {
    silent.zones.silent(kZone, silent.delegation, "", false, kStart + milliseconds(900));
  }
  CHECK(silent.may_ask(kStart + seconds(1)));
}

TEST_CASE("resolve/silent_zones: other servers are not those that were silent, fault B25",
          "[resolve]") {
  Silent silent;
  Delegation turned = two_servers();
  std::ranges::reverse(turned.servers);
  CHECK(silent.zones.refusal(kZone, turned, kStart) != nullptr);
  Delegation moved = two_servers();
  moved.servers[0].addresses = {IpAddress::v4(192, 0, 2, 3)};
  CHECK(silent.zones.refusal(kZone, moved, kStart) == nullptr);
  Delegation renamed = two_servers();
  renamed.servers[0].name = name("c.zone.example.");
  CHECK(silent.zones.refusal(kZone, renamed, kStart) == nullptr);
}

TEST_CASE("resolve/silent_zones: of too many the oldest silence is forgotten", "[resolve]") {
  SilentZones zones;
  const Delegation delegation = two_servers();
  for (SilentZones::Id id = 0; id <= SilentZones::kZonesMax; ++id) {
    zones.silent(id, delegation, "", false, kStart);
  }
  CHECK(zones.size() == SilentZones::kZonesMax);
  CHECK(zones.refusal(0, delegation, kStart) == nullptr);
  CHECK(zones.refusal(1, delegation, kStart) != nullptr);
}

TEST_CASE("resolve/silent_zones: servers that were well are suspected first", "[resolve]") {
  SilentZones zones;
  const Delegation delegation = two_servers();
  constexpr SilentZones::Id kOne = 1;
  constexpr SilentZones::Id kOther = 2;
  const auto confirms = [&](SilentZones::Id name, Instant began, Instant now) {
    return zones.confirms(kZone, delegation, name, began, now);
  };
  CHECK_FALSE(confirms(kOne, kStart, kStart + seconds(4)));
  CHECK(zones.refusal(kZone, delegation, kStart + seconds(4)) == nullptr);
  CHECK_FALSE(zones.begin(kZone, delegation, kStart + seconds(4)));
  CHECK_FALSE(
      confirms(kOther, kStart + seconds(3), kStart + seconds(7)));        // they were side by side
  CHECK_FALSE(confirms(kOne, kStart + seconds(5), kStart + seconds(9)));  // the same again
  CHECK_FALSE(confirms(kOther, kStart + seconds(8), kStart + seconds(12)));
  SECTION("a word ends the suspicion") {
    zones.heard(kZone);
    CHECK_FALSE(confirms(kOther, kStart + seconds(13), kStart + seconds(17)));
  }
  SECTION("the second one tells") {
    CHECK(confirms(kOther, kStart + seconds(9), kStart + seconds(13)));
    zones.silent(kZone, delegation, "why", false, kStart + seconds(13));
    CHECK(zones.refusal(kZone, delegation, kStart + seconds(13)) != nullptr);
    CHECK(confirms(kOne, kStart + seconds(10), kStart + seconds(14)));
  }
  CHECK(zones.size() == 1);
}

}  // namespace siskin::resolve::test
