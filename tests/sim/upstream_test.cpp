#include "sim/upstream.hpp"

#include <cmath>
#include <string>

#include "sim/probe.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Duration;
using siskin::runtime::Transport;
using siskin::wire::RRType;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

void build(World& world) {
  world.add_zone("example.", "@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.80\n");
  world.add_server("192.0.2.1", {"example."});
}

/// The log of 200 questions over a bad link.
std::string bad_link_log(std::uint64_t seed) {
  World world;
  build(world);
  world.link = {milliseconds(1), milliseconds(90), 0.2, 0.1, 0.1};
  Probe probe(world, seed);
  for (int i = 0; i < 200; ++i) (void)probe.ask("192.0.2.1", "www.example.", RRType::a);
  return probe.upstream().log();
}

}  // namespace

TEST_CASE("sim/virtual_time: timers run in order, and time stands still meanwhile", "[sim]") {
  VirtualTime time;
  std::string order;
  siskin::runtime::Timer late(time.timers(), [&] { order += 'b'; });
  siskin::runtime::Timer early(time.timers(), [&] {
    order += 'a';
    CHECK(time.elapsed() == milliseconds(10));
  });
  late.arm(time.now() + milliseconds(20));
  early.arm(time.now() + milliseconds(10));
  CHECK(time.elapsed() == Duration{});
  CHECK_FALSE(time.settle(milliseconds(15)));
  CHECK(order == "a");
  CHECK(time.settle(milliseconds(15)));
  CHECK(order == "ab");
  CHECK(time.elapsed() == milliseconds(20));
  time.run_for(seconds(3600));
  CHECK(time.elapsed() == milliseconds(3'600'020));
  CHECK_FALSE(time.run_until([] { return false; }));
}

TEST_CASE("sim/random: the same seed draws the same, another one something else", "[sim]") {
  SimRandom a(7);
  SimRandom b(7);
  SimRandom c(8);
  const auto first = a.u64();
  CHECK(first == b.u64());
  CHECK(first != c.u64());
  for (int i = 0; i < 1000; ++i) {
    const Duration d = a.between(milliseconds(3), milliseconds(5));
    CHECK((d >= milliseconds(3) && d <= milliseconds(5)));
  }
  CHECK_FALSE(a.chance(0));
  CHECK(a.chance(1));
}

TEST_CASE("sim/link: loss, doubling and delay are as probable as said", "[sim]") {
  constexpr int kPackets = 100'000;
  const Link link{milliseconds(10), milliseconds(30), 0.2, 0.1, 0.05};
  SimRandom random(1);
  int lost = 0;
  int doubled = 0;
  int late = 0;
  int copies = 0;
  double delays = 0;
  for (int i = 0; i < kPackets; ++i) {
    const auto arrivals = link.carry(random);
    lost += arrivals.empty();
    doubled += arrivals.size() == 2;
    for (const Duration delay : arrivals) {
      ++copies;
      if (delay > milliseconds(30)) {
        ++late;
      } else {
        delays += std::chrono::duration<double, std::milli>(delay).count();
      }
    }
  }
  // Five standard deviations around what the probabilities say.
  CHECK(std::abs(lost - kPackets * (0.9 * 0.2 + 0.1 * 0.04)) < 5 * 124);
  CHECK(std::abs(doubled - kPackets * 0.1 * 0.64) < 5 * 78);
  CHECK(std::abs(late - copies * 0.05) < 5 * 65);
  CHECK(std::abs(delays / (copies - late) - 20) < 5 * 0.02);
}

TEST_CASE("sim/link: TCP loses nothing but time", "[sim]") {
  const Link link{milliseconds(10), milliseconds(10), 0.5, 0, 0};
  SimRandom random(1);
  int at_once = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Duration delay = link.carry_reliably(random);
    at_once += delay == milliseconds(10);
    CHECK((delay - milliseconds(10)) % seconds(1) == Duration{});
  }
  CHECK(std::abs(at_once - 5000) < 5 * 50);
}

TEST_CASE("sim/upstream: the share of timeouts is that of lost queries and replies", "[sim]") {
  World world;
  build(world);
  world.link.loss = 0.2;
  Probe probe(world);
  int timeouts = 0;
  for (int i = 0; i < 5000; ++i) {
    timeouts += !probe.ask("192.0.2.1", "www.example.", RRType::a).has_value();
  }
  CHECK(std::abs(timeouts - 5000 * 0.36) < 5 * 34);
  CHECK(probe.upstream().count("192.0.2.1") == 5000);
  CHECK(probe.upstream().pending() == 0);
  CHECK_FALSE(probe.time().timers().next());
}

TEST_CASE("sim/upstream: the same seed gives the same log", "[sim]") {
  const std::string log = bad_link_log(1);
  CHECK(log == bad_link_log(1));
  CHECK(log != bad_link_log(2));
}

TEST_CASE("sim/upstream: the log tells when, how, whom, what and the end", "[sim]") {
  World world;
  build(world);
  Probe probe(world);
  (void)probe.ask("192.0.2.1", "wWw.example.", RRType::a);
  probe.time().run_for(seconds(1));
  ProbeQuery query;
  query.transport = Transport::tcp;
  query.with_edns = false;
  (void)probe.ask("2001:db8::1", "www.example.", RRType::aaaa, query);
  CHECK(probe.upstream().log() ==
        "0.000ms udp 192.0.2.1 wWw.example. A id 4660: NOERROR aa 1/0/1 after 10.000ms\n"
        "1010.000ms tcp 2001:db8::1 www.example. AAAA (no EDNS) id 4660: timeout after "
        "2000.000ms\n");
}

TEST_CASE("sim/upstream: exchanges can be made to fail", "[sim]") {
  World world;
  build(world);
  Probe probe(world);
  probe.upstream().fail_exchange(1);
  std::string results;
  for (int i = 0; i < 3; ++i) {
    (void)probe.ask("192.0.2.1", "www.example.", RRType::a);
    results += probe.upstream().events().back().result + ";";
  }
  CHECK(results == "NOERROR aa 1/0/1;timeout;NOERROR aa 1/0/1;");
  probe.upstream().fail_exchanges_from(1, siskin::Errc::unreachable);
  results.clear();
  for (int i = 0; i < 3; ++i) {
    (void)probe.ask("192.0.2.1", "www.example.", RRType::a);
    results += probe.upstream().events().back().result + ";";
  }
  CHECK(results == "NOERROR aa 1/0/1;unreachable;unreachable;");
}

TEST_CASE("sim/upstream: queries that no resolver should send are complained of", "[sim]") {
  World world;
  build(world);
  Probe probe(world);
  probe.upstream().port = 5353;
  (void)probe.ask("192.0.2.1", "www.example.", RRType::axfr);
  REQUIRE(probe.upstream().complaints().size() == 2);
  CHECK(probe.upstream().complaints()[0].starts_with("a meta-type is asked for: "));
  CHECK(probe.upstream().complaints()[1].starts_with("another port than asked for: "));
}
