/// Failure sweeps: the n-th exchange of a resolution fails, for n = 0, 1, 2, ... until none is left
/// to fail.  Each point at which the network can let the resolver down is walked.
#include <string>

#include "sim/base_world.hpp"
#include "sim/oracle.hpp"
#include "sim/sim_resolver.hpp"
#include "support/catch.hpp"

using namespace siskin::sim;
using siskin::Errc;
using siskin::resolve::Question;
using siskin::wire::Name;
using siskin::wire::Rcode;
using siskin::wire::RRType;

namespace {

/// A resolution with all there is: minimised names, servers without glue, aliases across zones, a
/// set that needs TCP.
void build(World& world) {
  add_base(world,
           "deep NS ns1.hosts.test.\ndeep NS ns2.hosts.test.\n"
           "plain NS ns.plain\nns.plain A 192.0.2.10\n",
           "hosts NS a.hosts\nhosts NS b.hosts\na.hosts A 192.0.2.11\nb.hosts A 192.0.2.12\n");
  world.add_zone("hosts.test.", R"(
@   NS   a
@   NS   b
a   A    192.0.2.11
b   A    192.0.2.12
ns1 A    192.0.2.13
ns2 AAAA 2001:db8::14
)");
  world.add_zone("plain.example.",
                 "@ NS ns\nns A 192.0.2.10\nstart CNAME x.y.middle.deep.example.\n");
  std::string deep = "@ NS ns1.hosts.test.\n@ NS ns2.hosts.test.\nmiddle DNAME end\n";
  for (int i = 0; i < 20; ++i) {
    deep += "x.y.end TXT \"" + std::string(100, static_cast<char>('a' + i)) + "\"\n";
  }
  world.add_zone("deep.example.", deep);
  world.place_servers();
}

struct Sweep {
  const char* name;
  void (SimUpstream::*fail)(std::size_t, Errc);
  Errc how;
};

}  // namespace

TEST_CASE("sim/sweep: whichever exchange fails, the outcome is right or SERVFAIL", "[sim]") {
  World world;
  build(world);
  const Oracle oracle(world);
  const Question question{Name::from_text("start.plain.example.").value(), RRType::txt};
  const Expectation expected = oracle.expect(question.name, question.type);
  REQUIRE(expected.rcode == Rcode::noerror);
  REQUIRE(expected.answer.size() == 4);

  const Sweep sweeps[] = {
      {"one timeout", &SimUpstream::fail_exchange, Errc::timeout},
      {"one unreachable", &SimUpstream::fail_exchange, Errc::unreachable},
      {"one closed", &SimUpstream::fail_exchange, Errc::closed},
      {"one suspected forgery", &SimUpstream::fail_exchange, Errc::spoof_suspected},
      {"one without a socket", &SimUpstream::fail_exchange, Errc::limit},
      {"timeouts from there on", &SimUpstream::fail_exchanges_from, Errc::timeout},
      {"unreachable from there on", &SimUpstream::fail_exchanges_from, Errc::unreachable},
  };
  for (const Sweep& sweep : sweeps) {
    bool was_hit = true;
    for (std::size_t n = 0; was_hit; ++n) {
      SimResolver resolver(world);
      (resolver.upstream().*sweep.fail)(n, sweep.how);
      const auto outcome = resolver.ask(question);
      was_hit = resolver.exchanges() > n;
      CAPTURE(sweep.name, n, to_text(outcome), resolver.log());
      CHECK(Oracle::disagreement(expected, outcome, was_hit) == "");
      CHECK(resolver.exchanges() <= 100);
      CHECK(resolver.took() <= std::chrono::milliseconds(8001));
      CHECK(resolver.time().settle(std::chrono::seconds(60)));
      CHECK(resolver.upstream().pending() == 0);
      REQUIRE(n < 100);
    }
  }
}

TEST_CASE("sim/sweep: one lost packet never makes a resolution fail", "[sim]") {
  World world;
  build(world);
  const Oracle oracle(world);
  const Question question{Name::from_text("start.plain.example.").value(), RRType::txt};
  const Expectation expected = oracle.expect(question.name, question.type);
  for (std::size_t n = 0; n < 30; ++n) {
    SimResolver resolver(world);
    resolver.upstream().fail_exchange(n);
    const auto outcome = resolver.ask(question);
    CAPTURE(n, to_text(outcome), resolver.log());
    CHECK(Oracle::disagreement(expected, outcome, false) == "");
  }
}
