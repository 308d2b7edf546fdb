#include <algorithm>
#include <array>

#include "sim/lies.hpp"
#include "sim/random_world.hpp"

namespace siskin::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using wire::Name;

Name name_of(const char* text) {
  return Name::from_text(text).value();
}

void be_lame(Server& server, SimRandom& random) {
  const auto lameness =
      random.pick(std::array{Lameness::refused, Lameness::servfail, Lameness::notimp,
                             Lameness::empty, Lameness::referral});
  server.vices.lameness = lameness;
  server.vices.false_referral = {random.pick(std::array{Name(), name_of("t1."), name_of("x.t9.")}),
                                 name_of("ns.evil.test."), IpAddress::v4(203, 0, 113, 66)};
}

void be_dumb(Server& server, SimRandom& random) {
  server.vices.edns = random.pick(std::array{EdnsManner::formerr, EdnsManner::formerr_bare,
                                             EdnsManner::silent, EdnsManner::ignored});
}

void speak_of_cookies(Server& server, SimRandom& random) {
  server.vices.cookies =
      random.pick(std::array{CookieManner::demands, CookieManner::hides, CookieManner::formerr,
                             CookieManner::refused, CookieManner::silent, CookieManner::mistaken});
}

void be_narrow(Server& server, SimRandom& random) {
  server.vices.truncates_always = true;
  server.vices.tcp =
      random.pick(std::array{TcpManner::normal, TcpManner::normal, TcpManner::refused,
                             TcpManner::closes, TcpManner::silent});
}

/// Adds records that it has no right to give: whoever believes them is found out by the oracle.
/// Only about TLDs in which it serves nothing, and the root's servers do not lie.
void lie(Server& server, SimRandom& random) {
  const std::array tlds{name_of("t1."), name_of("t2.")};
  for (const Name& tld : tlds) {
    const bool has_a_say = std::ranges::any_of(server.zones(), [&](const Zone* zone) {
      return zone->origin().is_at_or_below(tld) || zone->origin().is_root();
    });
    if (has_a_say) continue;
    const IpAddress evil = IpAddress::v4(203, 0, 113, 66);
    server.vices.hooks.push_back(random.chance(0.5) ? lies::servers_of(tld, evil)
                                                    : lies::poisoned_tail(tld, evil));
  }
}

void forge(Server& server, SimRandom& random) {
  server.vices.forged_ids = random.between(0, 3);
  server.vices.forged_questions = random.between(0, 3);
  server.vices.forgery = lies::always(IpAddress::v4(203, 0, 113, 66));
}

}  // namespace

void corrupt(World& world, SimRandom& random) {
  for (auto& [address, server] : world.servers()) {
    if (random.chance(0.3)) server.vices.cookies = CookieManner::speaks;
    if (!random.chance(0.25)) continue;
    switch (random.below(11)) {
      case 0: server.vices.is_dead = true; break;
      case 1: server.vices.is_unreachable = true; break;
      case 2: server.dead_until(random.between(seconds(1), seconds(60))); break;
      case 3: server.vices.slowness = random.between(milliseconds(50), milliseconds(2500)); break;
      case 4: be_lame(server, random); break;
      case 5: be_dumb(server, random); break;
      case 6: be_narrow(server, random); break;
      case 7:
        server.vices.question =
            random.pick(std::array{QuestionManner::lowered, QuestionManner::missing});
        break;
      case 8: lie(server, random); break;
      case 9: forge(server, random); break;
      case 10: speak_of_cookies(server, random); break;
    }
    if (random.chance(0.3)) server.vices.adds_zone_servers = true;
  }
}

}  // namespace siskin::sim
