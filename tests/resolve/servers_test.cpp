#include "resolve/servers.hpp"

#include "resolve/samples.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const IpAddress kServer = IpAddress::v4(192, 0, 2, 1);
constexpr Duration kUnknown = milliseconds(77);

IpAddress numbered(std::size_t number) {
  return IpAddress::v4(10, static_cast<std::uint8_t>(number >> 16),
                       static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number));
}

}  // namespace

TEST_CASE("resolve/servers: of a stranger nothing is known", "[resolve]") {
  const ServerTable servers;
  CHECK(servers.size() == 0);
  CHECK(servers.expected(kServer, kUnknown) == kUnknown);
  CHECK(servers.wait(kServer) == milliseconds(400));
  CHECK_FALSE(servers.is_dead(kServer, at_second(0)));
}

TEST_CASE("resolve/servers: round-trip times are smoothed as TCP's are", "[resolve]") {
  ServerTable servers;
  servers.replied(kServer, milliseconds(100), Instant{});
  CHECK(servers.expected(kServer, kUnknown) == milliseconds(100));
  CHECK(servers.wait(kServer) == milliseconds(100 + 4 * 50));

  servers.replied(kServer, milliseconds(200), Instant{});
  // variation (3 * 50 + 100) / 4, then time (7 * 100 + 200) / 8
  CHECK(servers.expected(kServer, kUnknown) == microseconds(112'500));
  CHECK(servers.wait(kServer) == microseconds(112'500 + 4 * 62'500));

  servers.replied(kServer, microseconds(12'500), Instant{});
  CHECK(servers.expected(kServer, kUnknown) == milliseconds(100));
  CHECK(servers.wait(kServer) == milliseconds(100) + 4 * microseconds(71'875));
  CHECK(servers.size() == 1);
}

TEST_CASE("resolve/servers: a steady server is waited for longer than it always takes",
          "[resolve]") {
  ServerTable servers;
  for (int i = 0; i < 100; ++i) servers.replied(kServer, milliseconds(300), Instant{});
  CHECK(servers.wait(kServer) >= milliseconds(600));
  CHECK(servers.wait(kServer) < milliseconds(620));
}

TEST_CASE("resolve/servers: the wait stays between its bounds", "[resolve]") {
  ServerTable servers;
  servers.replied(kServer, microseconds(10), Instant{});
  CHECK(servers.wait(kServer) == ServerTable::kWaitMin);
  servers.replied(numbered(1), seconds(5), Instant{});
  CHECK(servers.wait(numbered(1)) == ServerTable::kWaitMax);
}

TEST_CASE("resolve/servers: each time-out in a row doubles wait and expectation", "[resolve]") {
  ServerTable servers;
  const auto waits_after_timeout = [&](const IpAddress& server) {
    servers.timed_out(server, at_second(0));
    return std::pair{servers.wait(server), servers.expected(server, kUnknown)};
  };
  using Pair = std::pair<Duration, Duration>;
  CHECK(waits_after_timeout(kServer) == Pair(milliseconds(800), milliseconds(800)));
  CHECK(waits_after_timeout(kServer) == Pair(milliseconds(1600), milliseconds(1600)));
  CHECK(waits_after_timeout(kServer) == Pair(milliseconds(2000), milliseconds(3200)));

  const IpAddress measured = numbered(1);
  servers.replied(measured, milliseconds(20), Instant{});
  CHECK(waits_after_timeout(measured) == Pair(milliseconds(300), milliseconds(40)));
  CHECK(waits_after_timeout(measured) == Pair(milliseconds(600), milliseconds(80)));
  CHECK(waits_after_timeout(measured) == Pair(milliseconds(1200), milliseconds(160)));
  CHECK(waits_after_timeout(measured) == Pair(milliseconds(2000), milliseconds(320)));
}

TEST_CASE("resolve/servers: however many time-outs, the figures stay sane", "[resolve]") {
  ServerTable servers;
  servers.replied(kServer, milliseconds(20), Instant{});
  for (int i = 0; i < 200; ++i) servers.timed_out(kServer, at_second(i));
  CHECK(servers.wait(kServer) == milliseconds(2000));
  CHECK(servers.expected(kServer, kUnknown) == milliseconds(20 * 64));
}

TEST_CASE("resolve/servers: four time-outs in a row are death, for a minute", "[resolve]") {
  ServerTable servers;
  for (int i = 0; i < 3; ++i) servers.timed_out(kServer, at_second(100));
  CHECK_FALSE(servers.is_dead(kServer, at_second(100)));
  servers.timed_out(kServer, at_second(103));
  CHECK(servers.is_dead(kServer, at_second(103)));
  CHECK(servers.is_dead(kServer, at_second(163) - Duration(1)));
  CHECK_FALSE(servers.is_dead(kServer, at_second(163)));
}

TEST_CASE("resolve/servers: the first time-out after the minute is death again", "[resolve]") {
  ServerTable servers;
  for (int i = 0; i < 4; ++i) servers.timed_out(kServer, at_second(0));
  CHECK_FALSE(servers.is_dead(kServer, at_second(60)));
  servers.timed_out(kServer, at_second(61));
  CHECK(servers.is_dead(kServer, at_second(62)));
  CHECK_FALSE(servers.is_dead(kServer, at_second(121)));
}

TEST_CASE("resolve/servers: a reply revives, and the count begins anew", "[resolve]") {
  ServerTable servers;
  for (int i = 0; i < 4; ++i) servers.timed_out(kServer, at_second(0));
  servers.replied(kServer, milliseconds(10), Instant{});
  CHECK_FALSE(servers.is_dead(kServer, at_second(1)));
  CHECK(servers.wait(kServer) == ServerTable::kWaitMin);
  for (int i = 0; i < 3; ++i) servers.timed_out(kServer, at_second(1));
  CHECK_FALSE(servers.is_dead(kServer, at_second(1)));
}

TEST_CASE("resolve/servers: unreachable is dead at once", "[resolve]") {
  ServerTable servers;
  servers.unreachable(kServer, at_second(10));
  CHECK(servers.is_dead(kServer, at_second(69)));
  CHECK_FALSE(servers.is_dead(kServer, at_second(70)));
  servers.replied(kServer, milliseconds(10), Instant{});
  CHECK_FALSE(servers.is_dead(kServer, at_second(20)));
}

TEST_CASE("resolve/servers: addresses do not mix, families neither", "[resolve]") {
  ServerTable servers;
  servers.unreachable(kServer, at_second(0));
  CHECK_FALSE(servers.is_dead(ip("192.0.2.2"), at_second(1)));
  CHECK_FALSE(servers.is_dead(ip("c000:201::"), at_second(1)));
  CHECK(servers.size() == 1);
}

TEST_CASE("resolve/servers: who ignores client subnets is not told for ten minutes", "[resolve]") {
  ServerTable servers;
  CHECK(servers.may_tell_subnet(kServer, at_second(0)));
  servers.ignored_subnet(kServer, at_second(100));
  CHECK_FALSE(servers.may_tell_subnet(kServer, at_second(100)));
  CHECK_FALSE(servers.may_tell_subnet(kServer, at_second(699)));
  CHECK(servers.may_tell_subnet(kServer, at_second(700)));
  CHECK(servers.may_tell_subnet(numbered(1), at_second(100)));
}

TEST_CASE("resolve/servers: who has repeated one within the hour is not doubted", "[resolve]") {
  ServerTable servers;
  servers.echoed_subnet(kServer, at_second(0));
  servers.ignored_subnet(kServer, at_second(3599));
  CHECK(servers.may_tell_subnet(kServer, at_second(3599)));
  servers.ignored_subnet(kServer, at_second(3600));
  CHECK_FALSE(servers.may_tell_subnet(kServer, at_second(3600)));
  servers.echoed_subnet(kServer, at_second(3601));
  CHECK(servers.may_tell_subnet(kServer, at_second(3601)));
}

TEST_CASE("resolve/servers: who is silent twice in a row when told ignores client subnets",
          "[resolve]") {
  ServerTable servers;
  const auto silent = [&](Instant now) {
    servers.timed_out(kServer, now);
    servers.silent_to_subnet(kServer, now);
    return servers.may_tell_subnet(kServer, now);
  };
  CHECK(silent(at_second(0)));
  servers.replied(kServer, milliseconds(10), Instant{});
  CHECK(silent(at_second(1)));
  CHECK_FALSE(silent(at_second(2)));
  CHECK(servers.may_tell_subnet(kServer, at_second(602)));
  servers.echoed_subnet(kServer, at_second(602));
  CHECK(silent(at_second(603)));
}

TEST_CASE("resolve/servers: the least recently used ones make room", "[resolve]") {
  ServerTable servers;
  for (std::size_t i = 0; i < ServerTable::kServersMax; ++i) {
    servers.replied(numbered(i), milliseconds(10), Instant{});
  }
  CHECK(servers.size() == ServerTable::kServersMax);
  servers.timed_out(numbered(0), at_second(0));  // used again: number 1 is the oldest now
  servers.replied(numbered(1'000'000), milliseconds(10), Instant{});
  servers.replied(numbered(1'000'001), milliseconds(10), Instant{});
  CHECK(servers.size() == ServerTable::kServersMax);
  const auto is_known = [&](std::size_t i) {
    return servers.expected(numbered(i), kUnknown) != kUnknown;
  };
  CHECK(is_known(0));
  CHECK_FALSE(is_known(1));
  CHECK_FALSE(is_known(2));
  CHECK(is_known(3));
  CHECK(is_known(1'000'000));
  CHECK(is_known(1'000'001));
}

TEST_CASE("resolve/servers: under a stream of strangers the table keeps its size", "[resolve]") {
  ServerTable servers;
  Draw draw(69);
  for (int i = 0; i < 60'000; ++i) {
    const IpAddress server = numbered(draw.below(30'000));
    if (draw.one_in(2)) {
      servers.replied(server, milliseconds(1 + draw.below(100)), Instant{});
    } else {
      servers.timed_out(server, at_second(i));
    }
    REQUIRE(servers.size() <= ServerTable::kServersMax);
  }
  CHECK(servers.size() == ServerTable::kServersMax);
}

TEST_CASE("resolve/servers: patience is half as much again as a server should need", "[resolve]") {
  ServerTable servers;
  CHECK(servers.patience(kServer) == milliseconds(150));
  servers.replied(kServer, milliseconds(100), Instant{});
  CHECK(servers.patience(kServer) == milliseconds(225));  // (100 + 50) * 3 / 2
  servers.timed_out(kServer, at_second(0));
  CHECK(servers.patience(kServer) == milliseconds(225));
  servers.replied(numbered(1), milliseconds(1), Instant{});
  CHECK(servers.patience(numbered(1)) == milliseconds(50));
  servers.replied(numbered(2), seconds(3), Instant{});
  CHECK(servers.patience(numbered(2)) == seconds(1));
}

TEST_CASE("resolve/servers: lost races put a server back, but kill none", "[resolve]") {
  ServerTable servers;
  servers.replied(kServer, milliseconds(10), Instant{});
  for (int i = 0; i < 10; ++i) servers.outrun(kServer, at_second(0));
  CHECK(servers.expected(kServer, kUnknown) == milliseconds(80));
  CHECK_FALSE(servers.is_dead(kServer, at_second(0)));
  servers.timed_out(kServer, at_second(0));
  CHECK(servers.is_dead(kServer, at_second(0)));
  servers.replied(kServer, milliseconds(10), Instant{});
  CHECK_FALSE(servers.is_dead(kServer, at_second(0)));
  CHECK(servers.expected(kServer, kUnknown) == milliseconds(10));
}

TEST_CASE("resolve/servers: all kinds of silence speak against the family", "[resolve]") {
  ServerTable servers;
  const auto v6 = [](const char* text) { return IpAddress::from_text(text).value(); };
  servers.replied(kServer, milliseconds(10), Instant{});
  servers.timed_out(v6("2001:db8::1"), at_second(0));
  servers.outrun(v6("2001:db8::2"), at_second(0));
  CHECK_FALSE(servers.families().rests(Family::ipv6, at_second(0)));
  servers.unreachable(v6("2001:db8::3"), at_second(0));
  CHECK(servers.families().rests(Family::ipv6, at_second(0)));
  servers.replied(v6("2001:db8::3"), milliseconds(10), Instant{});
  CHECK_FALSE(servers.families().rests(Family::ipv6, at_second(0)));
}

}  // namespace siskin::resolve::test
