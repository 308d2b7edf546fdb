#include "sim/signed_world.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::RRType;

TEST_CASE("sim/dnssec: what is signed is secure, what is provably not signed is told as it is",
          "[sim]") {
  const auto options = GENERATE(SignOptions{}, SignOptions{.nsec3 = true},
                                SignOptions{.nsec3 = true, .opt_out = true});
  CAPTURE(options.nsec3, options.opt_out);
  const SignedWorld signed_world(options);
  auto settings = validating();
  settings.resolve.validation.aggressive_nsec = false;  // each answer from its server
  SimResolver resolver(signed_world.world, settings);
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
