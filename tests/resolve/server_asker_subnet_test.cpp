// Telling a server of a client subnet, and what is done when it does not answer to that.
#include "resolve/core_rig.hpp"
#include "resolve/server_asker.hpp"
#include "support/catch.hpp"

namespace siskin::resolve::test {
namespace {

using std::chrono::minutes;

constexpr std::uint16_t kAa = 0x0400;
constexpr std::uint16_t kTc = 0x0200;
constexpr std::uint16_t kFormerr = 1;
constexpr std::uint16_t kServfail = 2;
constexpr std::uint16_t kNotimp = 4;
constexpr std::uint16_t kRefused = 5;

const IpAddress kServer = IpAddress::v4(192, 0, 2, 53);

/// The option's data for 198.51.100.0/24 with that scope.
std::string told(std::string_view scope) {
  return "0001 18" + std::string(scope) + "c63364";
}

/// Cookies have tests of their own.
struct SubnetRig : CoreRig {
  SubnetRig() { core.options.cookies = false; }

  Attempt ask(std::string_view subnet = "198.51.100.0/24") {
    const Network network = Network::from_text(subnet).value();
    const Asked asked{qname, RRType::a, zone, subnet.empty() ? nullptr : &network};
    Query query(core.options, clock.now());
    return run(asker.ask(query, kServer, asked, leash));
  }

  /// "udp 0001 18 00 c63364, udp, ..." as one word each: transport, then the option's data, or "+"
  /// for an OPT without it, or "-" without OPT.
  std::string ways() const {
    std::string text;
    for (const Seen& seen : upstream.seen) {
      if (!text.empty()) text += ' ';
      text += seen.transport == runtime::Transport::udp ? "udp" : "tcp";
      if (!seen.has_edns()) {
        text += '-';
        continue;
      }
      const wire::QueryView view = seen.view();
      const auto option = wire::find_option(view.edns->options, wire::EdnsOption::client_subnet);
      text += option ? ':' + to_hex(*option) : "+";
    }
    return text;
  }

  Octets answer = record("c00c", RRType::a, "c0000201");
  wire::Name qname = name("www.cdn.example.");
  wire::Name zone = name("cdn.example.");
  ServerAsker asker{core};
  Leash leash;
};

/// A step that answers, with an OPT that holds these options.
Step says_with(std::uint16_t flags, const std::string& options) {
  Step step;
  step.messages = [=](const Seen& seen) {
    Octets reply = reply_to(seen, flags, record("c00c", RRType::a, "c0000201"));
    reply[11] = 1;  // ARCOUNT
    const Octets data = from_hex(options);
    return std::vector<Octets>{reply + from_hex("00 0029 04d0 00000000") + u16_octets(data.size()) +
                               data};
  };
  return step;
}

Step echoes(std::string_view scope, std::uint16_t flags = kAa) {
  return says_with(flags, "0008 0007" + told(scope));
}

/// "192.0.2.1 for 198.51.100.0/24", or what became of it.
std::string outcome(const Attempt& attempt) {
  if (attempt.end != Attempt::End::reply) return "no reply";
  if (attempt.reply.kind != ReplyKind::answer) return attempt.complaint;
  const auto& held = attempt.reply.held_for;
  return "answer for " + (held ? held->to_text() : "everybody");
}

}  // namespace

TEST_CASE("resolve/server_asker: a server is told, and its answer holds as far as it says",
          "[resolve]") {
  struct Row {
    const char* scope;
    const char* outcome;
  };
  for (const Row& row :
       {Row{"18", "answer for 198.51.100.0/24"}, Row{"10", "answer for 198.51.0.0/16"},
        Row{"00", "answer for everybody"}, Row{"20", "answer for 198.51.100.0/24"}}) {
    SubnetRig rig;
    rig.upstream.script = {echoes(row.scope)};
    CHECK(outcome(rig.ask()) == row.outcome);
    CHECK(rig.ways() == "udp:00011800c63364");
  }
}

TEST_CASE("resolve/server_asker: where nobody is told of, the answer holds for everybody",
          "[resolve]") {
  SubnetRig rig;
  const Asked asked{rig.qname, RRType::a, rig.zone};
  Query query(rig.core.options, rig.clock.now());
  rig.upstream.script = {echoes("18")};
  CHECK(outcome(rig.run(rig.asker.ask(query, kServer, asked, rig.leash))) ==
        "answer for everybody");
  CHECK(rig.ways() == "udp+");
}

TEST_CASE(
    "resolve/server_asker: a reply that does not repeat the subnet is not used; the server is "
    "asked again without, fault A3",
    "[resolve]") {
  for (const std::string_view option :
       {"no OPT", "", "000a 0002 abcd", "0008 0007 0001 18 18 c63365",
        "0008 0007 0002 18 18 c63364", "0008 0007 0001 17 18 c63364", "0008 0004 0001 00 00",
        "0008 0006 0001 18 18 c633"}) {
    CAPTURE(option);
    SubnetRig rig;
    rig.upstream.script = {
        option == "no OPT" ? says(kAa, rig.answer) : says_with(kAa, std::string(option)),
        says(kAa, record("c00c", RRType::a, "c0000202"))};
    const Attempt attempt = rig.ask();
    CHECK(outcome(attempt) == "answer for everybody");
    CHECK(text_of(*attempt.reply.set) == "www.cdn.example. 60 IN A 192.0.2.2");
    CHECK(rig.ways() == "udp:00011800c63364 udp+");
  }
}

TEST_CASE("resolve/server_asker: over TCP a reply without the option is taken, a wrong one is not",
          "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {echoes("18", kAa | kTc), says(kAa, rig.answer)};
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.ways() == "udp:00011800c63364 tcp:00011800c63364");

  SubnetRig other;
  other.upstream.script = {says(kTc), says_with(kAa, "0008 0007 0001 18 18 c63365"),
                           says(kAa, rig.answer)};
  CHECK(outcome(other.ask()) == "answer for everybody");
  CHECK(other.ways() == "udp:00011800c63364 tcp:00011800c63364 tcp+");
}

TEST_CASE("resolve/server_asker: over TCP an answer is tailored as well", "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says(kTc), echoes("18")};
  CHECK(outcome(rig.ask()) == "answer for 198.51.100.0/24");
  CHECK(rig.ways() == "udp:00011800c63364 tcp:00011800c63364");
}

TEST_CASE(
    "resolve/server_asker: errors to the option lead to a query without it, then without EDNS",
    "[resolve]") {
  for (const std::uint16_t rcode : {kFormerr, kNotimp, kRefused}) {
    CAPTURE(rcode);
    SubnetRig rig;
    rig.upstream.script = {says(rcode), says(kAa, rig.answer)};
    CHECK(outcome(rig.ask()) == "answer for everybody");
    CHECK(rig.ways() == "udp:00011800c63364 udp+");
  }
  SubnetRig rig;
  rig.upstream.script = {says(kFormerr), says(kFormerr), says(kAa, rig.answer)};
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.ways() == "udp:00011800c63364 udp+ udp-");
}

TEST_CASE("resolve/server_asker: a server that refuses with and without the option is lame",
          "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says(kRefused), says(kRefused)};
  CHECK(outcome(rig.ask()) == "REFUSED");
  CHECK(rig.ways() == "udp:00011800c63364 udp+");
}

TEST_CASE("resolve/server_asker: other errors have nothing to do with the option", "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says(kServfail)};
  CHECK(outcome(rig.ask()) == "SERVFAIL");
  CHECK(rig.ways() == "udp:00011800c63364");
}

TEST_CASE("resolve/server_asker: in the worst case it takes four exchanges", "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says(kTc), says(kFormerr), says(kFormerr), says(kAa, rig.answer)};
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.ways() == "udp:00011800c63364 tcp:00011800c63364 tcp+ tcp-");
}

TEST_CASE("resolve/server_asker: a server that ignores the option is not told for ten minutes",
          "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says(kAa, rig.answer), says(kAa, rig.answer), says(kAa, rig.answer)};
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.ways() == "udp:00011800c63364 udp+ udp+");
  rig.clock.advance(minutes(10));
  rig.upstream.script = {echoes("18")};
  CHECK(outcome(rig.ask()) == "answer for 198.51.100.0/24");
  CHECK(rig.ways() == "udp:00011800c63364 udp+ udp+ udp:00011800c63364");
}

TEST_CASE(
    "resolve/server_asker: a server that drops what it does not know is asked without, fault B81",
    "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says_nothing(), says_nothing(), says(kAa, rig.answer)};
  CHECK(outcome(rig.ask()) == "no reply");
  CHECK(outcome(rig.ask()) == "no reply");
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.ways() == "udp:00011800c63364 udp:00011800c63364 udp+");
}

TEST_CASE("resolve/server_asker: a server that repeats the option goes on being told, fault A3",
          "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {echoes("18"), says(kAa, rig.answer), says(kAa, rig.answer), echoes("18")};
  CHECK(outcome(rig.ask()) == "answer for 198.51.100.0/24");
  CHECK(outcome(rig.ask()) == "answer for everybody");  // forged, say
  CHECK(outcome(rig.ask()) == "answer for 198.51.100.0/24");
  CHECK(rig.ways() == "udp:00011800c63364 udp:00011800c63364 udp+ udp:00011800c63364");
}

TEST_CASE("resolve/server_asker: an opt-out is told as 0 bits, and is satisfied with any reply",
          "[resolve]") {
  for (const Step& step :
       {says(kAa, record("c00c", RRType::a, "c0000201")), says_with(kAa, "0008 0004 0001 00 00"),
        says_with(kAa, "0008 0007 0001 18 18 cb0071")}) {
    SubnetRig rig;
    rig.upstream.script = {step, echoes("18")};
    CHECK(outcome(rig.ask("0.0.0.0/0")) == "answer for 0.0.0.0/0");
    CHECK(rig.ways() == "udp:00010000");
    CHECK(outcome(rig.ask()) == "answer for 198.51.100.0/24");  // nothing was learnt of the server
  }
}

TEST_CASE("resolve/server_asker: a lone option with scope 0 by a server that copies options",
          "[resolve]") {
  SubnetRig rig;
  rig.upstream.script = {says_with(kAa, "0008 0007 0001 18 00 c63364 fde9 0002 abcd")};
  CHECK(outcome(rig.ask()) == "answer for everybody");
  CHECK(rig.upstream.seen.size() == 1);
}

}  // namespace siskin::resolve::test
