// The order in which a zone's servers are asked.
#include "resolve/candidates.hpp"

#include "resolve/core_rig.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::milliseconds;

const IpAddress kQuick = IpAddress::v4(192, 0, 2, 1);
const IpAddress kSlow = IpAddress::v4(192, 0, 2, 2);
const IpAddress kDead = IpAddress::v4(192, 0, 2, 3);

/// Three servers of known speed and health.
struct CandidatesRig : CoreRig {
  explicit CandidatesRig(unsigned tries_max) : candidates(tries_max) {
    core.servers.replied(kQuick, milliseconds(10), Instant{});
    core.servers.replied(kSlow, milliseconds(80), Instant{});
    core.servers.unreachable(kDead, clock.now());
    for (const IpAddress& address : {kDead, kSlow, kQuick}) candidates.add(address);
  }

  Candidates candidates;
};

using Choice = std::optional<IpAddress>;

}  // namespace

TEST_CASE("resolve/candidates: the quickest first, then the others alive", "[resolve]") {
  CandidatesRig rig(4);
  CHECK(rig.candidates.fresh(rig.core) == Choice(kQuick));
  CHECK(rig.candidates.fresh(rig.core) == Choice(kQuick));  // looking is not asking
  rig.candidates.asked(kQuick, false);
  CHECK(rig.candidates.fresh(rig.core) == Choice(kSlow));
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.fresh(rig.core) == Choice());
}

TEST_CASE("resolve/candidates: then again as often as allowed, then the dead, once", "[resolve]") {
  CandidatesRig rig(2);
  rig.candidates.asked(kQuick, false);
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kQuick));
  rig.candidates.asked(kQuick, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kSlow));
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kDead));
  rig.candidates.asked(kDead, true);
  CHECK(rig.candidates.again(rig.core) == Choice());
}

TEST_CASE("resolve/candidates: a time-out puts a server behind slower ones", "[resolve]") {
  CandidatesRig rig(4);
  for (int i = 0; i < 3; ++i) rig.core.servers.timed_out(kQuick, rig.clock.now());
  CHECK(rig.candidates.fresh(rig.core) == Choice(kSlow));
  rig.core.servers.timed_out(kSlow, rig.clock.now());
  CHECK(rig.candidates.fresh(rig.core) == Choice(kQuick));  // 80 ms against 160
}

TEST_CASE("resolve/candidates: who answered uselessly is not asked again", "[resolve]") {
  CandidatesRig rig(4);
  rig.candidates.exclude(kQuick);
  rig.candidates.exclude(kDead);
  CHECK(rig.candidates.fresh(rig.core) == Choice(kSlow));
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kSlow));
  rig.candidates.exclude(kSlow);
  CHECK(rig.candidates.again(rig.core) == Choice());
  CHECK_FALSE(rig.candidates.empty());
}

TEST_CASE("resolve/candidates: who died while being asked is no longer asked", "[resolve]") {
  CandidatesRig rig(4);
  rig.candidates.asked(kQuick, false);
  rig.candidates.asked(kSlow, false);
  rig.core.servers.unreachable(kQuick, rig.clock.now());
  CHECK(rig.candidates.again(rig.core) == Choice(kSlow));
}

TEST_CASE("resolve/candidates: the dead come back to life after a minute", "[resolve]") {
  CandidatesRig rig(4);
  rig.candidates.asked(kQuick, false);
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.fresh(rig.core) == Choice());
  rig.clock.advance(ServerTable::kDeadFor);
  CHECK(rig.candidates.fresh(rig.core) == Choice(kDead));
}

TEST_CASE("resolve/candidates: an address counts once", "[resolve]") {
  CandidatesRig rig(1);
  rig.candidates.add(kQuick);
  rig.candidates.asked(kQuick, false);
  rig.candidates.add(kQuick);
  CHECK(rig.candidates.fresh(rig.core) == Choice(kSlow));
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kDead));
}

TEST_CASE("resolve/candidates: a stranger is tried before a known one now and then", "[resolve]") {
  CandidatesRig rig(4);
  rig.candidates.exclude(kQuick);
  const IpAddress stranger = IpAddress::v4(192, 0, 2, 9);
  rig.candidates.add(stranger);
  int first = 0;
  for (int i = 0; i < 1000; ++i) {
    const Choice choice = rig.candidates.fresh(rig.core);
    CHECK((choice == Choice(stranger) || choice == Choice(kSlow)));
    if (choice == Choice(stranger)) ++first;
  }
  // It counts as between 0 and 120 ms, the known one as 80: two times of three.
  CHECK(first > 600);
  CHECK(first < 730);
}

TEST_CASE("resolve/candidates: of none there is none", "[resolve]") {
  CoreRig rig;
  Candidates candidates(4);
  CHECK(candidates.empty());
  CHECK(candidates.fresh(rig.core) == Choice());
  CHECK(candidates.again(rig.core) == Choice());
}

TEST_CASE("resolve/candidates: a rival is alive and not being asked", "[resolve]") {
  CandidatesRig rig(2);
  rig.candidates.asked(kQuick, false);
  CHECK(rig.candidates.rival(rig.core, true) == Choice(kSlow));
  rig.candidates.asked(kSlow, false);
  CHECK(rig.candidates.rival(rig.core, true) == Choice());
  rig.candidates.ended(kQuick);
  CHECK(rig.candidates.rival(rig.core, true) == Choice(kQuick));
  CHECK(rig.candidates.rival(rig.core, false) == Choice());
  rig.candidates.asked(kQuick, false);
  rig.candidates.ended(kQuick);
  CHECK(rig.candidates.rival(rig.core, true) == Choice());  // asked twice
}

TEST_CASE("resolve/candidates: beside a family of which nobody has answered, the other first",
          "[resolve]") {
  CoreRig rig;
  Candidates candidates(2);
  const IpAddress v6 = IpAddress::from_text("2001:db8::1").value();
  const IpAddress other_v6 = IpAddress::from_text("2001:db8::2").value();
  for (const IpAddress& address : {v6, other_v6, kSlow}) candidates.add(address);
  rig.core.servers.replied(kSlow, milliseconds(300), Instant{});
  candidates.asked(v6, false);
  CHECK(candidates.rival(rig.core, true) == Choice(kSlow));
  rig.core.servers.replied(other_v6, milliseconds(20), Instant{});
  CHECK(candidates.rival(rig.core, true) == Choice(other_v6));
}

TEST_CASE("resolve/candidates: a family that rests comes last", "[resolve]") {
  CoreRig rig;
  Candidates candidates(2);
  const IpAddress v6 = IpAddress::from_text("2001:db8::1").value();
  for (const IpAddress& address : {v6, kSlow}) candidates.add(address);
  rig.core.servers.replied(v6, milliseconds(20), Instant{});
  rig.core.servers.replied(kSlow, milliseconds(300), Instant{});
  CHECK(candidates.fresh(rig.core) == Choice(v6));
  for (const char* silent : {"2001:db8::7", "2001:db8::8", "2001:db8::9"}) {
    rig.core.servers.timed_out(IpAddress::from_text(silent).value(), rig.clock.now());
  }
  CHECK(candidates.fresh(rig.core) == Choice(kSlow));
  candidates.asked(kSlow, false);
  CHECK(candidates.fresh(rig.core) == Choice(v6));
}

TEST_CASE("resolve/candidates: one that dies on the way is asked as often as it may be",
          "[resolve]") {
  CandidatesRig rig(3);
  rig.candidates.exclude(kQuick);
  rig.candidates.exclude(kSlow);
  rig.candidates.asked(kDead, false);
  CHECK(rig.candidates.again(rig.core) == Choice(kDead));
  rig.candidates.asked(kDead, true);
  CHECK(rig.candidates.again(rig.core) == Choice());
}

TEST_CASE("resolve/candidates: where there is no room another is asked, and it is told",
          "[resolve]") {
  Options options;
  options.queries_per_server = 2;
  CoreRig rig(options);
  rig.core.servers.replied(kQuick, milliseconds(10), Instant{});
  rig.core.servers.replied(kSlow, milliseconds(80), Instant{});
  Candidates candidates(4);
  candidates.add(kQuick);
  candidates.add(kSlow);
  for (int i = 0; i < 2; ++i) rig.core.servers_in_flight.begin(rig.core.id_of(kQuick));
  CHECK(candidates.fresh(rig.core) == Choice(kSlow));
  CHECK(candidates.crowded() == Choice(kQuick));
  rig.core.servers_in_flight.end(rig.core.id_of(kQuick));
  CHECK(candidates.fresh(rig.core) == Choice(kQuick));
}

}  // namespace siskin::resolve::test
