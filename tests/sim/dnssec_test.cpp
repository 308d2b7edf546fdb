#include "sim/crowd.hpp"
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

TEST_CASE("sim/dnssec: many that need a zone's keys at once ask for them once", "[sim]") {
  const SignedWorld signed_world;
  SimResolver resolver(signed_world.world, validating());
  Crowd crowd(resolver);
  for (int i = 0; i < 50; ++i) crowd.ask("n" + std::to_string(i) + ".wild.example.", RRType::txt);
  resolver.time().run_until([&] { return crowd.pending() == 0; });
  for (const auto& asker : crowd.askers()) {
    CHECK(asker.outcome->rcode == wire::Rcode::noerror);
    CHECK(asker.outcome->is_secure);
  }
  const auto count = [&](std::string_view words) {
    const std::string log = resolver.upstream().log(0);
    std::size_t found = 0;
    for (auto at = log.find(words); at != std::string::npos; at = log.find(words, at + 1)) ++found;
    return found;
  };
  CHECK(count(" DNSKEY") == 2);  // the root's and the TLD's
}

}  // namespace
}  // namespace siskin::sim
