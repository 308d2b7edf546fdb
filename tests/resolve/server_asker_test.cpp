// One question to one server, and the ways to ask it again.
#include "resolve/server_asker.hpp"

#include "resolve/core_rig.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using runtime::Transport;
using std::chrono::milliseconds;

constexpr std::uint16_t kAa = 0x0400;
constexpr std::uint16_t kTc = 0x0200;
constexpr std::uint16_t kFormerr = 1;
constexpr std::uint16_t kServfail = 2;
constexpr std::uint16_t kNotimp = 4;
constexpr std::uint16_t kRefused = 5;

const IpAddress kServer = IpAddress::v4(192, 0, 2, 53);

/// Cookies have tests of their own.
struct AskerRig : CoreRig {
  explicit AskerRig(Options options = {}) : CoreRig(std::move(options)) {
    core.options.cookies = false;
  }

  /// Asks for www.example. A of a server of example.
  Attempt ask(Query& query) {
    const Asked asked{qname, RRType::a, zone};
    return run(asker.ask(query, kServer, asked, leash));
  }

  Attempt ask() {
    Query query(core.options, clock.now());
    return ask(query);
  }

  /// "udp+ udp- tcp+": transports, + with EDNS, - without.
  std::string ways() const {
    std::string text;
    for (const Seen& seen : upstream.seen) {
      if (!text.empty()) text += ' ';
      text += seen.transport == Transport::udp ? "udp" : "tcp";
      text += seen.has_edns() ? '+' : '-';
    }
    return text;
  }

  wire::Name qname = name("www.example.");
  wire::Name zone = name("example.");
  Octets answer = record("c00c", RRType::a, "c0000201");
  ServerAsker asker{core};
  Leash leash;
};

bool is_answer(const Attempt& attempt) {
  return attempt.end == Attempt::End::reply && attempt.reply.kind == ReplyKind::answer &&
         text_of(*attempt.reply.set) == "www.example. 60 IN A 192.0.2.1";
}

bool is_broken(const Attempt& attempt) {
  return attempt.end == Attempt::End::reply && attempt.reply.kind == ReplyKind::broken;
}

}  // namespace

TEST_CASE("resolve/server_asker: one query over UDP, to the configured port, with EDNS",
          "[resolve]") {
  Options options;
  options.upstream_port = 5353;
  options.edns_udp_size = 1400;
  AskerRig rig(options);
  rig.upstream.script = {says(kAa, rig.answer)};
  const Attempt attempt = rig.ask();
  CHECK(is_answer(attempt));
  CHECK(attempt.complaint.empty());
  CHECK(rig.ways() == "udp+");
  const Seen& seen = rig.upstream.seen[0];
  CHECK(seen.server == Endpoint{kServer, 5353});
  CHECK(seen.deadline - seen.began == milliseconds(400));
  CHECK(seen.view().edns->udp_size == 1400);
  CHECK(seen.view().edns->dnssec_ok);
  CHECK(seen.view().type == RRType::a);
  CHECK_FALSE(seen.view().recursion_desired());
}

TEST_CASE("resolve/server_asker: the reply's time goes into the server's record", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kAa, rig.answer)};
  rig.ask();
  CHECK(rig.core.servers.expected(kServer, milliseconds(99)) == milliseconds(10));
  rig.upstream.script = {says(kRefused)};
  CHECK(rig.ask().reply.kind == ReplyKind::lame);
  CHECK(rig.core.servers.size() == 1);
}

TEST_CASE("resolve/server_asker: IDs and letter case are drawn anew for each query", "[resolve]") {
  AskerRig rig;
  std::vector<std::uint16_t> ids;
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) {
    rig.upstream.script = {says(kAa, rig.answer)};
    CHECK(is_answer(rig.ask()));
    ids.push_back(rig.upstream.seen.back().view().id);
    names.push_back(rig.upstream.seen.back().name_as_sent());
    CHECK(name(names.back()) == rig.qname);
  }
  std::ranges::sort(ids);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(ids) == ids.end());
  CHECK(std::ranges::unique(names).begin() - names.begin() > 15);
}

TEST_CASE("resolve/server_asker: without 0x20 the name goes out as it is", "[resolve]") {
  Options options;
  options.case_randomisation = false;
  AskerRig rig(options);
  rig.qname = name("wWw.example.");
  rig.upstream.script = {says(kAa, rig.answer)};
  rig.ask();
  CHECK(rig.upstream.seen[0].name_as_sent() == "wWw.example.");
}

TEST_CASE("resolve/server_asker: a truncated reply is asked for again over TCP", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kAa | kTc), says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ tcp+");
  // In the client's own letter case, and with time for a handshake more.
  CHECK(rig.upstream.seen[1].name_as_sent() == "www.example.");
  CHECK(rig.upstream.seen[1].deadline - rig.upstream.seen[1].began == milliseconds(1500));
}

TEST_CASE("resolve/server_asker: what a truncated reply holds is not believed", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kAa | kTc, rig.answer), fails(Errc::closed)};
  CHECK(rig.ask().end == Attempt::End::unreachable);
}

TEST_CASE("resolve/server_asker: what is truncated over TCP is of no use", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kAa | kTc), says(kAa | kTc, rig.answer)};
  const Attempt attempt = rig.ask();
  CHECK(is_broken(attempt));
  CHECK(attempt.complaint == "truncated over TCP");
  CHECK(rig.ways() == "udp+ tcp+");
}

TEST_CASE("resolve/server_asker: near misses send the question to TCP, fault A1", "[resolve]") {
  AskerRig rig;
  Step forged;
  forged.delay = milliseconds(1);
  forged.messages = [&](const Seen& seen) {
    Octets wrong = reply_to(seen, kAa, record("c00c", RRType::a, "cb007142"));
    wrong[1] ^= 1U;
    return std::vector<Octets>(5, wrong);
  };
  rig.upstream.script = {forged, says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ tcp+");
  CHECK_FALSE(rig.core.servers.is_dead(kServer, rig.clock.now()));
}

TEST_CASE("resolve/server_asker: two near misses do not end the wait for the true reply, fault A1",
          "[resolve]") {
  AskerRig rig;
  Step step;
  step.messages = [&](const Seen& seen) {
    Octets wrong = reply_to(seen, kAa, record("c00c", RRType::a, "cb007142"));
    wrong[1] ^= 1U;
    return std::vector<Octets>{wrong, wrong, reply_to(seen, kAa, rig.answer)};
  };
  rig.upstream.script = {step};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+");
}

TEST_CASE("resolve/server_asker: a reply in another letter case sends the question to TCP",
          "[resolve]") {
  AskerRig rig;
  Step lowering;
  lowering.messages = [&](const Seen& seen) {
    Octets reply = reply_to(seen, kAa, rig.answer);
    for (std::size_t at = 13; at < 25; ++at) reply[at] = wire::to_lower(reply[at]);
    return std::vector<Octets>{reply};
  };
  rig.upstream.script = {lowering, says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ tcp+");
}

TEST_CASE("resolve/server_asker: what does not understand EDNS is asked once without",
          "[resolve]") {
  for (const std::uint16_t rcode : {kFormerr, kNotimp}) {
    AskerRig rig;
    rig.upstream.script = {says(rcode), says(kAa, rig.answer)};
    CHECK(is_answer(rig.ask()));
    CHECK(rig.ways() == "udp+ udp-");
  }
}

TEST_CASE("resolve/server_asker: a bare header of FORMERR counts as one", "[resolve]") {
  AskerRig rig;
  Step bare;
  bare.messages = [](const Seen& seen) {
    return std::vector<Octets>{u16_octets(seen.view().id) + from_hex("8001 0000 0000 0000 0000")};
  };
  rig.upstream.script = {bare, says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ udp-");
}

TEST_CASE("resolve/server_asker: a lack of EDNS is not remembered, fault A7", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kFormerr), says(kAa, rig.answer), says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ udp- udp+");
}

TEST_CASE("resolve/server_asker: FORMERR without EDNS too is the end", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kFormerr), says(kFormerr)};
  const Attempt attempt = rig.ask();
  CHECK(is_broken(attempt));
  CHECK(attempt.complaint == "FORMERR");
  CHECK(rig.ways() == "udp+ udp-");
}

TEST_CASE("resolve/server_asker: errors that have nothing to do with EDNS end it", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kServfail)};
  const Attempt attempt = rig.ask();
  CHECK(is_broken(attempt));
  CHECK(attempt.complaint == "SERVFAIL");
  CHECK(rig.ways() == "udp+");
}

TEST_CASE("resolve/server_asker: all ways one after the other, and none twice", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {says(kTc), says(kFormerr), says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ tcp+ tcp-");

  AskerRig other;
  other.upstream.script = {says(kFormerr), says(kTc), says(kFormerr)};
  CHECK(is_broken(other.ask()));
  CHECK(other.ways() == "udp+ udp- tcp-");
}

TEST_CASE(
    "resolve/server_asker: a reply that cannot be decoded is asked for again over TCP, "
    "fault A11",
    "[resolve]") {
  AskerRig rig;
  Step cut;
  cut.messages = [&](const Seen& seen) {
    Octets reply = reply_to(seen, kAa, rig.answer);
    reply.pop_back();
    return std::vector<Octets>{reply};
  };
  rig.upstream.script = {cut, says(kAa, rig.answer)};
  CHECK(is_answer(rig.ask()));
  CHECK(rig.ways() == "udp+ tcp+");

  rig.upstream.script = {cut, cut};
  const Attempt attempt = rig.ask();
  CHECK(is_broken(attempt));
  CHECK(attempt.complaint.find("malformed") == 0);
}

TEST_CASE("resolve/server_asker: a time-out goes into the server's record", "[resolve]") {
  AskerRig rig;
  const Instant began = rig.clock.now();
  const Attempt attempt = rig.ask();
  CHECK(attempt.end == Attempt::End::timeout);
  CHECK(attempt.complaint == "timeout");
  CHECK(rig.clock.now() - began == milliseconds(400));
  CHECK(rig.core.servers.wait(kServer) == milliseconds(800));

  for (int i = 0; i < 3; ++i) rig.ask();
  CHECK(rig.core.servers.is_dead(kServer, rig.clock.now()));
  CHECK(rig.ways() == "udp+ udp+ udp+ udp+");
  CHECK(rig.upstream.seen[1].deadline - rig.upstream.seen[1].began == milliseconds(800));
  CHECK(rig.upstream.seen[3].deadline - rig.upstream.seen[3].began == milliseconds(2000));
}

TEST_CASE("resolve/server_asker: TCP waits twice as long as UDP would", "[resolve]") {
  AskerRig rig;
  rig.core.servers.replied(kServer, milliseconds(300), Instant{});  // waits 900 ms, then less
  rig.upstream.script = {says(kTc), says_nothing()};
  CHECK(rig.ask().end == Attempt::End::timeout);
  // After a reply in 10 ms: time 263.75 ms, variation 185 ms.
  const Duration udp = std::chrono::microseconds(263'750) + 4 * milliseconds(185);
  CHECK(rig.upstream.seen[1].deadline - rig.upstream.seen[1].began == 2 * udp);
}

TEST_CASE("resolve/server_asker: unreachable is dead at once, other failures are not",
          "[resolve]") {
  struct Row {
    Errc error;
    bool dead;
  };
  for (const Row& row : {Row{Errc::unreachable, true}, Row{Errc::closed, false},
                         Row{Errc::limit, false}, Row{Errc::io, false}}) {
    AskerRig rig;
    rig.upstream.script = {fails(row.error)};
    const Attempt attempt = rig.ask();
    CAPTURE(attempt.complaint);
    CHECK(attempt.end == Attempt::End::unreachable);
    CHECK(attempt.complaint == to_string(row.error));
    CHECK(rig.core.servers.is_dead(kServer, rig.clock.now()) == row.dead);
    CHECK(rig.ways() == "udp+");
  }
}

TEST_CASE("resolve/server_asker: suspicion over TCP is a failure like others", "[resolve]") {
  AskerRig rig;
  rig.upstream.script = {fails(Errc::spoof_suspected), fails(Errc::spoof_suspected)};
  CHECK(rig.ask().end == Attempt::End::unreachable);
  CHECK(rig.ways() == "udp+ tcp+");
}

TEST_CASE("resolve/server_asker: the budget is spent to its last exchange and no further",
          "[resolve]") {
  AskerRig rig;
  rig.core.options.limits.exchanges = 3;
  Query query(rig.core.options, rig.clock.now());
  rig.upstream.script = {says(kTc), says(kAa, rig.answer), says(kFormerr)};
  CHECK(is_answer(rig.ask(query)));
  CHECK(query.budget.exchanges_spent() == 2);
  CHECK_FALSE(query.budget.exhausted());

  CHECK(rig.ask(query).end == Attempt::End::exhausted);
  CHECK(query.budget.exchanges_spent() == 3);
  CHECK(query.budget.exhausted() == stats::Metric::limit_exchanges);
  CHECK(rig.ask(query).end == Attempt::End::exhausted);
  CHECK(rig.upstream.seen.size() == 3);
}

TEST_CASE("resolve/server_asker: no wait goes beyond the query's deadline", "[resolve]") {
  AskerRig rig;
  rig.core.options.limits.time = milliseconds(250);
  Query query(rig.core.options, rig.clock.now());
  CHECK(rig.ask(query).end == Attempt::End::timeout);
  CHECK(rig.clock.now() == query.budget.deadline());
  CHECK(rig.ask(query).end == Attempt::End::exhausted);
  CHECK(query.budget.exhausted() == stats::Metric::limit_time);
  CHECK(rig.upstream.seen.size() == 1);
}

TEST_CASE("resolve/server_asker: a wait cut short by the deadline says nothing about the server",
          "[resolve]") {
  AskerRig rig;
  rig.core.options.limits.time = milliseconds(1);
  for (int i = 0; i < 10; ++i) CHECK(rig.ask().end == Attempt::End::timeout);
  CHECK_FALSE(rig.core.servers.is_dead(kServer, rig.clock.now()));
  CHECK(rig.core.servers.wait(kServer) == milliseconds(400));
}

TEST_CASE("resolve/server_asker: once stopped, nothing is sent", "[resolve]") {
  AskerRig rig;
  rig.core.stopped = true;
  Query query(rig.core.options, rig.clock.now());
  CHECK(rig.ask(query).end == Attempt::End::exhausted);
  CHECK(rig.upstream.seen.empty());
  CHECK(query.budget.exchanges_spent() == 0);
}

TEST_CASE("resolve/server_asker: stopped between two ways of asking, the second is not tried",
          "[resolve]") {
  AskerRig rig;
  Step step;
  step.messages = [&](const Seen& seen) {
    rig.core.stopped = true;
    return std::vector<Octets>{reply_to(seen, kTc)};
  };
  rig.upstream.script = {step, says(kAa, rig.answer)};
  CHECK(rig.ask().end == Attempt::End::exhausted);
  CHECK(rig.ways() == "udp+");
}

TEST_CASE("resolve/server_asker: names come back in the letter case that was asked for",
          "[resolve]") {
  AskerRig rig;
  rig.qname = name("Www.Example.");
  rig.upstream.script = {says(kAa, rig.answer)};
  const Attempt attempt = rig.ask();
  REQUIRE(attempt.reply.set);
  CHECK(attempt.reply.set->owner.to_text() == "Www.Example.");
}

}  // namespace siskin::resolve::test
