// Cookies towards one server, and what is done when it does not take them (RFC 7873).
#include "resolve/core_rig.hpp"
#include "resolve/server_asker.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using runtime::Transport;
using std::chrono::minutes;

constexpr std::uint16_t kAa = 0x0400;
constexpr std::uint16_t kTc = 0x0200;
constexpr std::uint16_t kFormerr = 1;
constexpr std::uint16_t kNotimp = 4;
constexpr std::uint16_t kRefused = 5;
constexpr std::uint16_t kBadCookie = 23;

const IpAddress kServer = IpAddress::v4(192, 0, 2, 53);

/// The option's data in a query; empty: none.
Octets sent_in(const Seen& seen) {
  const auto& edns = seen.view().edns;
  if (!edns) return {};
  const auto option = wire::find_option(edns->options, wire::EdnsOption::cookie);
  return option ? Octets(option->begin(), option->end()) : Octets{};
}

struct CookieRig : CoreRig {
  Attempt ask() {
    const Asked asked{qname, RRType::a, zone};
    Query query(core.options, clock.now());
    return run(asker.ask(query, kServer, asked, leash));
  }

  bool is_answered() {
    const Attempt attempt = ask();
    return attempt.end == Attempt::End::reply && attempt.reply.kind == ReplyKind::answer;
  }

  /// "udp0 udp8 udp24 tcp0": octets of the cookie, "-" without EDNS.
  std::string ways() const {
    std::string text;
    for (const Seen& seen : upstream.seen) {
      if (!text.empty()) text += ' ';
      text += seen.transport == Transport::udp ? "udp" : "tcp";
      text += seen.has_edns() ? std::to_string(sent_in(seen).size()) : "-";
    }
    return text;
  }

  /// An answer or an error, with an OPT of these options.
  Octets reply(const Seen& seen, std::uint16_t rcode, const Octets& options) const {
    Octets out = reply_to(seen, static_cast<std::uint16_t>(kAa | (rcode & 15U)),
                          rcode == 0 ? answer : Octets{});
    out[11] = 1;
    const auto high = static_cast<std::uint8_t>(rcode >> 4);
    return out + from_hex("00 0029 04d0") + Octets{high, 0, 0, 0} + u16_octets(options.size()) +
           options;
  }

  /// With the client's cookie, and sixteen octets `server`.
  Octets with_cookie(const Seen& seen, std::uint8_t server, std::uint16_t rcode = 0,
                     std::uint8_t spoilt = 0) const {
    Octets cookie = sent_in(seen);
    cookie.resize(8);
    cookie[0] ^= spoilt;
    return reply(seen, rcode, from_hex("000a 0018") + cookie + Octets(16, server));
  }

  Step shows(std::uint8_t server, std::uint16_t rcode = 0) {
    Step step;
    step.messages = [=, this](const Seen& seen) {
      return std::vector<Octets>{with_cookie(seen, server, rcode)};
    };
    return step;
  }

  Step hides(std::uint16_t rcode = 0) {
    Step step;
    step.messages = [=, this](const Seen& seen) {
      return std::vector<Octets>{reply(seen, rcode, {})};
    };
    return step;
  }

  wire::Name qname = name("www.example.");
  wire::Name zone = name("example.");
  Octets answer = record("c00c", RRType::a, "c0000201");
  ServerAsker asker{core};
  Leash leash;
};

}  // namespace

TEST_CASE("resolve/server_asker: the server's cookie comes back to it", "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.shows(7), rig.shows(9), rig.shows(9)};
  for (int i = 0; i < 3; ++i) CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp24 udp24");
  const Octets client = sent_in(rig.upstream.seen[0]);
  CHECK(sent_in(rig.upstream.seen[1]) == client + Octets(16, 7));
  CHECK(sent_in(rig.upstream.seen[2]) == client + Octets(16, 9));
}

TEST_CASE("resolve/server_asker: without cookies there are none", "[resolve]") {
  CookieRig rig;
  rig.core.options.cookies = false;
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp0");
}

TEST_CASE("resolve/server_asker: a reply with another's cookie is passed over, fault A1",
          "[resolve]") {
  CookieRig rig;
  Step step;
  step.messages = [&](const Seen& seen) {
    return std::vector<Octets>{rig.with_cookie(seen, 7, 0, 1), rig.with_cookie(seen, 7, 0, 128),
                               rig.with_cookie(seen, 9)};
  };
  rig.upstream.script = {step, rig.shows(9)};
  CHECK(rig.is_answered());
  CHECK(rig.is_answered());
  CHECK(sent_in(rig.upstream.seen[1]).back() == 9);
}

TEST_CASE("resolve/server_asker: who showed cookies is not believed without, but over TCP",
          "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.shows(7), rig.hides(), rig.shows(7), rig.shows(7)};
  CHECK(rig.is_answered());
  CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp24 tcp24");
  CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp24 tcp24 udp24");

  SECTION("an error without a question neither") {
    Step bare;
    bare.messages = [](const Seen& seen) {
      return std::vector<Octets>{u16_octets(seen.view().id) + from_hex("8001 0000 0000 0000 0000")};
    };
    rig.upstream.script = {bare, rig.shows(7)};
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp24 tcp24 udp24 udp24 tcp24");
  }
}

TEST_CASE("resolve/server_asker: a server that lost its cookies proves it over TCP", "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.shows(7), rig.hides(), rig.hides(), rig.hides(), rig.hides()};
  for (int i = 0; i < 4; ++i) CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp24 tcp24 udp24 udp24");
}

TEST_CASE("resolve/server_asker: servers with and without cookies at one address cost three TCP",
          "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.shows(7)};
  CHECK(rig.is_answered());
  for (int i = 0; i < 3; ++i) {
    rig.upstream.script = {rig.hides(), rig.shows(7)};
    CHECK(rig.is_answered());
  }
  CHECK(rig.ways() == "udp8 udp24 tcp24 udp24 tcp24 udp24 tcp24");
  for (int i = 0; i < 10; ++i) {
    rig.upstream.script = {i % 2 == 0 ? rig.hides() : rig.shows(7)};
    CHECK(rig.is_answered());
    CHECK(rig.upstream.seen.back().transport == Transport::udp);
  }
  // An hour later it owes them again.
  rig.clock.advance(minutes(61));
  rig.upstream.script = {rig.shows(7), rig.hides(), rig.shows(7)};
  CHECK(rig.is_answered());
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.back().transport == Transport::tcp);
}

TEST_CASE("resolve/server_asker: BADCOOKIE is asked once again with the new one, then over TCP",
          "[resolve]") {
  CookieRig rig;
  SECTION("the new one is good") {
    rig.upstream.script = {rig.shows(7, kBadCookie), rig.shows(7)};
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp24");
    CHECK(sent_in(rig.upstream.seen[1]).back() == 7);
  }
  SECTION("it is not") {
    rig.upstream.script = {rig.shows(7, kBadCookie), rig.shows(8, kBadCookie), rig.shows(9)};
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp24 tcp24");
  }
  SECTION("there is none") {
    rig.upstream.script = {rig.hides(kBadCookie), rig.hides()};
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 tcp8");
  }
  SECTION("whatever is sent") {
    for (int i = 0; i < 9; ++i) rig.upstream.script.push_back(rig.shows(7, kBadCookie));
    CHECK_FALSE(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp24 tcp24 tcp0");
  }
}

TEST_CASE("resolve/server_asker: who chokes on a cookie gets none for ten minutes, fault B79",
          "[resolve]") {
  for (const std::uint16_t rcode : {kFormerr, kNotimp}) {
    CookieRig rig;
    const bool echoes = GENERATE(false, true);
    rig.upstream.script = {echoes ? rig.hides(rcode) : says(rcode), rig.hides(), rig.hides()};
    CHECK(rig.is_answered());
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp0 udp0");
    rig.clock.advance(minutes(10));
    rig.upstream.script = {rig.hides()};
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp0 udp0 udp8");
  }
  SECTION("again, for what it answered without one says nothing of cookies") {
    CookieRig rig;
    rig.upstream.script = {says(kFormerr), rig.hides()};
    CHECK(rig.is_answered());
    rig.clock.advance(minutes(10));
    rig.upstream.script = {says(kFormerr), rig.hides(), rig.hides()};
    CHECK(rig.is_answered());
    CHECK(rig.is_answered());
    CHECK(rig.ways() == "udp8 udp0 udp8 udp0 udp0");
  }
}

TEST_CASE("resolve/server_asker: REFUSED costs the cookie, and no other question", "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {says(kRefused), rig.hides()};
  CHECK(rig.ask().reply.kind == ReplyKind::lame);
  CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp0");
}

TEST_CASE("resolve/server_asker: who is silent twice gets no cookie", "[resolve]") {
  CookieRig rig;
  CHECK_FALSE(rig.is_answered());
  CHECK_FALSE(rig.is_answered());
  CHECK_FALSE(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp8 udp0");
}

TEST_CASE("resolve/server_asker: who has taken one is not doubted for an error or for silence",
          "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  for (int i = 0; i < 4; ++i) rig.ask();
  CHECK(rig.ways() == "udp8 udp8 udp8 udp8 udp8");
}

TEST_CASE("resolve/server_asker: a forged FORMERR does not end EDNS where it works, fault A7",
          "[resolve]") {
  CookieRig rig;
  rig.upstream.script = {rig.hides(), says(kFormerr), says(kFormerr), rig.hides(), rig.hides()};
  for (int i = 0; i < 3; ++i) CHECK(rig.is_answered());
  // Without options, then over TCP, and the next one as if nothing had been.
  CHECK(rig.ways() == "udp8 udp8 udp0 tcp0 udp8");
}

TEST_CASE("resolve/server_asker: a server without EDNS is asked without from the fourth time on",
          "[resolve]") {
  CookieRig rig;
  const Step works = says(kAa, rig.answer);
  rig.upstream.script = {says(kFormerr), says(kFormerr), works, says(kFormerr),
                         works,          says(kFormerr), works, works};
  for (int i = 0; i < 4; ++i) CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp0 udp- udp0 udp- udp0 udp- udp-");
  rig.clock.advance(minutes(10));
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.back().has_edns());
}

TEST_CASE("resolve/server_asker: a server that always truncates is asked over TCP at once",
          "[resolve]") {
  CookieRig rig;
  for (int i = 0; i < 4; ++i) {
    rig.upstream.script = {says(kTc), rig.hides()};
    CHECK(rig.is_answered());
  }
  const std::size_t before = rig.upstream.seen.size();
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.size() == before + 1);
  CHECK(rig.upstream.seen.back().transport == Transport::tcp);

  SECTION("not when that fails") {
    rig.upstream.script = {fails(Errc::unreachable), rig.hides()};
    CHECK_FALSE(rig.is_answered());
    CHECK_FALSE(rig.core.servers.is_dead(kServer, rig.clock.now()));
    CHECK(rig.is_answered());
    CHECK(rig.upstream.seen.back().transport == Transport::udp);
  }
  SECTION("not for ever") {
    rig.clock.advance(minutes(5));
    rig.upstream.script = {rig.hides()};
    CHECK(rig.is_answered());
    CHECK(rig.upstream.seen.back().transport == Transport::udp);
  }
}

TEST_CASE("resolve/server_asker: while replies are forged, questions go over TCP, fault A1",
          "[resolve]") {
  CookieRig rig;
  Step forged;
  forged.messages = [&](const Seen& seen) {
    Octets wrong = rig.reply(seen, 0, {});
    wrong[1] ^= 1U;
    return std::vector<Octets>(5, wrong);
  };
  for (int i = 0; i < 3; ++i) {
    rig.upstream.script = {forged, rig.hides()};
    CHECK(rig.is_answered());
  }
  CHECK(rig.ways() == "udp8 tcp8 udp8 tcp8 udp8 tcp8");
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.back().transport == Transport::tcp);
  rig.clock.advance(std::chrono::seconds(30));
  rig.upstream.script = {rig.hides()};
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.back().transport == Transport::udp);
}

TEST_CASE("resolve/server_asker: who changes the letter case is asked in small letters, fault B133",
          "[resolve]") {
  CookieRig rig;
  rig.qname = name("Www.Example.");
  Step lowering;
  lowering.messages = [&](const Seen& seen) {
    Octets reply = rig.reply(seen, 0, {});
    for (std::size_t at = 13; at < 25; ++at) reply[at] = wire::to_lower(reply[at]);
    return std::vector<Octets>{reply};
  };
  rig.upstream.script = {lowering, lowering, lowering, lowering, lowering};
  for (int i = 0; i < 3; ++i) CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 tcp8 udp8 tcp8 udp8");
  CHECK(rig.upstream.seen.back().name_as_sent() == "www.example.");
  rig.clock.advance(minutes(60));
  rig.upstream.script = {lowering, lowering};
  CHECK(rig.is_answered());
  CHECK(rig.upstream.seen.back().transport == Transport::tcp);
}

TEST_CASE("resolve/server_asker: no data in mixed letters is asked for in small ones, fault B133",
          "[resolve]") {
  CookieRig rig;
  Step picky;
  picky.messages = [&](const Seen& seen) {
    const bool is_small = seen.name_as_sent() == "www.example.";
    return std::vector<Octets>{is_small ? rig.reply(seen, 0, {}) : reply_to(seen, kAa)};
  };
  rig.upstream.script = {picky, picky, picky, picky, picky};
  for (int i = 0; i < 3; ++i) CHECK(rig.is_answered());
  CHECK(rig.ways() == "udp8 udp8 udp8 udp8 udp8");

  SECTION("once a server, where it makes no difference") {
    CookieRig other;
    const Step bare = says(kAa);
    other.upstream.script = {bare, bare, bare};
    for (int i = 0; i < 2; ++i) CHECK(other.ask().reply.kind == ReplyKind::nodata);
    CHECK(other.ways() == "udp8 udp8 udp8");
  }
}

}  // namespace siskin::resolve::test
