#include "sim/sim_resolver.hpp"

#include "sim/base_world.hpp"
#include "sim/signer.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::RRType;

/// A signed root and TLD with signed and unsigned zones below.
class SignedWorld {
 public:
  explicit SignedWorld(const SignOptions& options = {}) {
    world.add_zone(".", sign(".", std::string(R"(
$TTL 86400
@             NS ns.root.
ns.root.      A  192.0.2.1
example.      NS ns.tld.example.
ns.tld.example. A 192.0.2.2
)") + ds_line("example.")));
    world.add_zone("example.", sign("example.", R"(
$TTL 3600
@           NS ns.tld
ns.tld      A 192.0.2.2
www         A 192.0.2.80
alias       CNAME www.good
old         DNAME good
a.b.c       A 192.0.2.81
*.wild      TXT "w"
good        NS ns.good
ns.good     A 192.0.2.4
plain       NS ns.plain
ns.plain    A 192.0.2.5
stripped    NS ns.stripped
ns.stripped A 192.0.2.6
)" + ds_line("good.example.") + ds_line("stripped.example."),
                                    options));
    world.add_zone("good.example.", sign("good.example.", R"(
$TTL 3600
@    NS ns
ns   A 192.0.2.4
www  A 192.0.2.90
www  A 192.0.2.91
out  CNAME www.plain.example.
)",
                                         options));
    world.add_zone("plain.example.", R"(
$TTL 3600
@    NS ns
ns   A 192.0.2.5
www  A 192.0.2.95
)");
    world.add_zone("stripped.example.", "$TTL 3600\n@ NS ns\nns A 192.0.2.6\nwww A 192.0.2.96\n");
    world.place_servers();
  }

  World world;
};

SimResolver::Settings validating() {
  SimResolver::Settings settings;
  settings.resolve.validation.anchors = {anchor_for(".")};
  return settings;
}

std::string verdict(SimResolver& resolver, std::string_view name, RRType type) {
  const resolve::Outcome outcome = resolver.ask(name, type);
  std::string text = to_string(outcome.rcode) + (outcome.is_secure ? " secure" : "");
  if (outcome.error) text += " EDE " + std::to_string(static_cast<unsigned>(outcome.error->code));
  if (outcome.error) text += " " + outcome.error->text;
  return text;
}

TEST_CASE("sim/dnssec: what is signed is secure, what is provably not signed is told as it is",
          "[sim]") {
  const auto options = GENERATE(SignOptions{}, SignOptions{.nsec3 = true},
                                SignOptions{.nsec3 = true, .opt_out = true});
  CAPTURE(options.nsec3, options.opt_out);
  const SignedWorld signed_world(options);
  SimResolver resolver(signed_world.world, validating());
  CHECK(verdict(resolver, "www.example.", RRType::a) == "NOERROR secure");
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  CHECK(verdict(resolver, "alias.example.", RRType::a) == "NOERROR secure");
  CHECK(verdict(resolver, "www.old.example.", RRType::a) == "NOERROR secure");
  CHECK(verdict(resolver, "www.example.", RRType::aaaa) == "NOERROR secure");
  CHECK(verdict(resolver, "b.c.example.", RRType::a) == "NOERROR secure");
  // A span with opt-out proves nothing of what is not signed (RFC 5155 §9.2).
  const std::string by_span = options.opt_out ? "" : " secure";
  CHECK(verdict(resolver, "x.wild.example.", RRType::txt) == "NOERROR" + by_span);
  CHECK(verdict(resolver, "x.wild.example.", RRType::a) == "NOERROR" + by_span);
  CHECK(verdict(resolver, "no.good.example.", RRType::a) == "NXDOMAIN" + by_span);
  CHECK(verdict(resolver, "no.example.", RRType::a) == "NXDOMAIN" + by_span);
  CHECK(verdict(resolver, "www.plain.example.", RRType::a) == "NOERROR");
  CHECK(verdict(resolver, "no.plain.example.", RRType::a) == "NXDOMAIN");
  CHECK(verdict(resolver, "out.good.example.", RRType::a) == "NOERROR");
  CHECK(verdict(resolver, "good.example.", RRType::ds) == "NOERROR secure");
  CHECK(verdict(resolver, "plain.example.", RRType::ds) == "NOERROR" + by_span);
  CHECK(verdict(resolver, "good.example.", RRType::dnskey) == "NOERROR secure");
  CHECK(verdict(resolver, "www.stripped.example.", RRType::a).starts_with("SERVFAIL EDE 9 "));
}

}  // namespace
}  // namespace siskin::sim
