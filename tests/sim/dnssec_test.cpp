#include "resolve/anchor_tags.hpp"
#include "sim/crowd.hpp"
#include "sim/signed_world.hpp"
#include "siskin/text/zone.hpp"
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

/// "00123", as in the names of RFC 8509.
std::string five_digits(std::uint16_t tag) {
  const std::string number = std::to_string(tag);
  return std::string(5 - number.size(), '0') + number;
}

TEST_CASE("sim/dnssec: clients can find out which keys of the root are trusted (RFC 8509)",
          "[sim]") {
  const std::uint16_t own = resolve::tags_of(anchor_for(".")).front();
  const std::string tag = five_digits(own);
  const std::string other = five_digits(static_cast<std::uint16_t>(own + 1));
  const std::string is = "root-key-sentinel-is-ta-";
  const std::string is_not = "root-key-sentinel-not-ta-";
  std::string names;
  for (const auto& label : {is + tag, is + other, is_not + tag, is_not + other}) {
    names += label + " A 192.0.2.77\n";
  }
  const SignedWorld world({}, names);
  SimResolver resolver(world.world, validating());
  const std::string failure = "SERVFAIL EDE 0 root key sentinel (RFC 8509)";
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(verdict(resolver, is + tag + ".example.", RRType::a) == "NOERROR secure");
    CHECK(verdict(resolver, is + other + ".example.", RRType::a) == failure);
    CHECK(verdict(resolver, is_not + tag + ".example.", RRType::a) == failure);
    CHECK(verdict(resolver, is_not + other + ".example.", RRType::a) == "NOERROR secure");
  }
  auto settings = validating();
  settings.resolve.validation.root_key_sentinel = false;
  SimResolver off(world.world, settings);
  CHECK(verdict(off, is + other + ".example.", RRType::a) == "NOERROR secure");
}

TEST_CASE("sim/dnssec: a zone is told of its anchor when its keys are fetched (RFC 8145)",
          "[sim]") {
  const SignedWorld world;
  auto settings = validating();
  settings.resolve.validation.key_tag_signalling = true;
  SimResolver resolver(world.world, settings);
  CHECK(verdict(resolver, "www.example.", RRType::a) == "NOERROR secure");
  const std::string signal = resolve::signal_name(anchor_for("."))->to_text() + " null";
  std::string log = resolver.log();
  std::ranges::transform(log, log.begin(), [](char c) { return std::tolower(c); });
  CHECK(log.find(signal) != std::string::npos);
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  CHECK(resolver.log().find(" NULL") == std::string::npos);
}

/// What is said of www.good.example. when its server answers with this signature.
std::string with_signature(const SignOptions& options) {
  SignedWorld world;
  auto set = text::parse_zone("www.good.example. 3600 A 192.0.2.90\n")->front();
  sign_set(set, "good.example.", options);
  world.world.server(kGood).vices.hooks.push_back([set](const Query& query, Reply& reply) {
    if (query.type == RRType::a) reply.answer = {set};
  });
  SimResolver resolver(world.world, validating());
  return verdict(resolver, "www.good.example.", RRType::a);
}

std::uint16_t tag_of_good() {
  return resolve::tags_of(anchor_for("good.example.")).front();
}

TEST_CASE("sim/dnssec: failures of signatures in time say which key and why (EDE 7, 8, 25)",
          "[sim]") {
  const std::string which =
      " good.example. A: signature by key " + std::to_string(tag_of_good()) + " ";
  CHECK(with_signature({.expiration = 1'799'999'000}) == "SERVFAIL EDE 7" + which + "has expired");
  CHECK(with_signature({.inception = 1'800'001'000}) ==
        "SERVFAIL EDE 8" + which + "is not yet valid");
  CHECK(with_signature({.inception = 1'800'000'000, .expiration = 1'799'000'000}) ==
        "SERVFAIL EDE 25" + which + "ends before it begins");
  // Five minutes are nothing.
  CHECK(with_signature({.expiration = 1'799'999'800}) == "NOERROR secure");
  CHECK(with_signature({.inception = 1'800'000'200}) == "NOERROR secure");
}

TEST_CASE("sim/dnssec: what is insecure for a reason says it (EDE 1, 2, 5, 33; fault B101)",
          "[sim]") {
  const std::string digest(64, 'A');
  SignedWorld world({}, "odd NS ns.odd\nns.odd A 192.0.2.7\nodd DS 7 200 2 " + digest +
                            "\nnew NS ns.new\nns.new A 192.0.2.7\nnew DS 7 15 200 " + digest +
                            "\n");
  world.world.add_zone("odd.example.", "@ NS ns\nwww A 192.0.2.8\n");
  world.world.add_zone("new.example.", "@ NS ns\nwww A 192.0.2.9\n");
  world.world.add_server("192.0.2.7", {"odd.example.", "new.example."});
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.odd.example.", RRType::a) ==
        "NOERROR EDE 1 odd.example.: no DS with an algorithm known here");
  CHECK(verdict(resolver, "www.new.example.", RRType::a) ==
        "NOERROR EDE 2 new.example.: no DS with a digest known here");

  auto settings = validating();
  settings.resolve.validation.negative_anchors = {wire::Name::from_text("good.example.").value()};
  SimResolver negative(world.world, settings);
  CHECK(verdict(negative, "www.good.example.", RRType::a) ==
        "NOERROR EDE 33 negative trust anchor for good.example.");
  CHECK(verdict(negative, "www.example.", RRType::a) == "NOERROR secure");

  settings = validating();
  settings.resolve.validation.anchors = {anchor_for("good.example.")};
  SimResolver island(world.world, settings);
  CHECK(verdict(island, "www.good.example.", RRType::a) == "NOERROR secure");
  CHECK(verdict(island, "www.example.", RRType::a) == "NOERROR EDE 5 ");
}

TEST_CASE("sim/dnssec: a wrong clock is suspected where an anchor's own keys are out of their time",
          "[sim]") {
  const SignedWorld world;
  auto settings = validating();
  settings.began_at = 1'000'000;
  SimResolver resolver(world.world, settings);
  const std::string tag = std::to_string(resolve::tags_of(anchor_for(".")).front());
  CHECK(verdict(resolver, "www.example.", RRType::a) ==
        "SERVFAIL EDE 8 . DNSKEY: signature by key " + tag +
            " is not yet valid; is the clock right?");
}

}  // namespace
}  // namespace siskin::sim
