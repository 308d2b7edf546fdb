/// What forgers and careless operators do to signed zones: each entry of the catalogue by its
/// number, with the verdict and what it may cost.
#include <algorithm>

#include "sim/signed_world.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/header.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

RRset set_of(std::string_view line) {
  return text::parse_zone(std::string(line) + "\n").value().front();
}

RRset signed_set(std::string_view line, std::string_view zone, const SignOptions& options = {}) {
  RRset set = set_of(line);
  sign_set(set, zone, options);
  return set;
}

/// The server answers questions for (`asked`, `type`) so.
Hook replies(std::string_view asked, RRType type, wire::Rcode rcode, std::vector<RRset> answer,
             std::vector<RRset> authority = {}) {
  return [asked = name(asked), type, rcode, answer = std::move(answer),
          authority = std::move(authority)](const Query& query, Reply& reply) {
    if (query.name != asked || query.type != type) return;
    reply.flags |= wire::flag::aa;
    reply.rcode = rcode;
    reply.answer = answer;
    reply.authority = authority;
    reply.additional.clear();
  };
}

const std::string kForged = "www.good.example. 3600 A 203.0.113.66";

void lie(SignedWorld& world, std::string_view server, Hook hook) {
  world.world.server(server).vices.hooks.push_back(std::move(hook));
}

std::string of_www(SignedWorld& world) {
  SimResolver resolver(world.world, validating());
  return verdict(resolver, "www.good.example.", RRType::a);
}

TEST_CASE("fault A29: only the zone's own keys vouch for its data", "[sim][fault]") {
  for (const std::string_view signer : {"plain.example.", "example.", "atk.example.", "."}) {
    CAPTURE(signer);
    SignedWorld world;
    lie(world, kGood,
        replies("www.good.example.", RRType::a, wire::Rcode::noerror,
                {signed_set(kForged, signer)}));
    CHECK(of_www(world) == "SERVFAIL EDE 10 good.example.: nothing signed about www.good.example.");
  }
  // By the right name and another key.
  SignedWorld world;
  lie(world, kGood,
      replies("www.good.example.", RRType::a, wire::Rcode::noerror,
              {signed_set(kForged, "good.example.", {.key = 1})}));
  CHECK(of_www(world).starts_with("SERVFAIL EDE 9 good.example. A: signed by key "));
}

TEST_CASE("fault A31: a zone denies nothing outside itself", "[sim][fault]") {
  SignedWorld world;
  const RRset soa = signed_set(
      "good.example. 300 SOA ns.invalid. host.invalid. 1 7200 900 604800 300", "good.example.");
  const RRset nsec =
      signed_set("good.example. 300 NSEC z.example. NS SOA RRSIG NSEC DNSKEY", "good.example.");
  lie(world, kGood, replies("no.good.example.", RRType::a, wire::Rcode::nxdomain, {}, {soa, nsec}));
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "no.good.example.", RRType::a) ==
        "SERVFAIL EDE 12 good.example.: no proof about no.good.example.");
  CHECK(verdict(resolver, "www.example.", RRType::a) == "NOERROR secure");
}

TEST_CASE("fault A33: the records at a cut deny nothing but the DS, and the child's not that",
          "[sim][fault]") {
  const RRset tld_soa =
      signed_set("example. 300 SOA ns.invalid. host.invalid. 1 7200 900 604800 300", "example.");
  const RRset at_cut =
      signed_set("good.example. 300 NSEC plain.example. NS DS RRSIG NSEC", "example.");
  SignedWorld below;
  lie(below, kGood,
      replies("www.good.example.", RRType::a, wire::Rcode::nxdomain, {}, {tld_soa, at_cut}));
  CHECK(of_www(below).starts_with("SERVFAIL EDE "));

  SignedWorld at;
  lie(at, kGood, replies("good.example.", RRType::a, wire::Rcode::noerror, {}, {tld_soa, at_cut}));
  SimResolver resolver(at.world, validating());
  CHECK(verdict(resolver, "good.example.", RRType::a).starts_with("SERVFAIL EDE "));

  // The child's apex says that there is no DS: not its to say.
  SignedWorld child;
  const RRset soa = signed_set(
      "good.example. 300 SOA ns.invalid. host.invalid. 1 7200 900 604800 300", "good.example.");
  const RRset apex = signed_set("good.example. 300 NSEC ns.good.example. NS SOA RRSIG NSEC DNSKEY",
                                "good.example.");
  lie(child, kExample, replies("good.example.", RRType::ds, wire::Rcode::noerror, {}, {soa, apex}));
  SimResolver asker(child.world, validating());
  CHECK(verdict(asker, "good.example.", RRType::ds).starts_with("SERVFAIL EDE "));
}

TEST_CASE(
    "fault A35: a wildcard's answer needs its proof, and one made by a wildcard is "
    "none",
    "[sim][fault]") {
  SignedWorld stripped;
  lie(stripped, kExample, [](const Query&, Reply& reply) {
    if (!reply.answer.empty() && reply.answer.front().type == RRType::txt) reply.authority.clear();
  });
  SimResolver resolver(stripped.world, validating());
  CHECK(verdict(resolver, "x.wild.example.", RRType::txt) ==
        "SERVFAIL EDE 12 example.: no proof about x.wild.example.");

  // The wildcard's NSEC under a name that it makes.
  SignedWorld expanded;
  RRset nsec = signed_set("*.wild.example. 300 NSEC www.example. TXT RRSIG NSEC", "example.");
  nsec.owner = name("!.wild.example.");  // before "*", so that it would cover all there is
  const RRset soa =
      signed_set("example. 300 SOA ns.invalid. host.invalid. 1 7200 900 604800 300", "example.");
  lie(expanded, kExample,
      replies("b.wild.example.", RRType::txt, wire::Rcode::nxdomain, {}, {soa, nsec}));
  SimResolver asker(expanded.world, validating());
  CHECK(verdict(asker, "b.wild.example.", RRType::txt) ==
        "SERVFAIL EDE 12 example.: no proof about b.wild.example.");
}

/// Public keys with one tag: it is a sum of words, so their order does not matter.
RRset keys_of_one_tag(std::string_view zone, std::size_t count) {
  const dnssec::TrustAnchor anchor = anchor_for(zone);
  SignedWorld world;
  const RRset own = *world.world.find_zone(name(zone))->find(name(zone), RRType::dnskey);
  std::vector<std::uint8_t> rdata((*own.records.begin()).begin(), (*own.records.begin()).end());
  RRset keys = own;
  keys.signatures = {};
  std::uint32_t state = 1;
  while (keys.records.count() < count) {
    state = state * 1664525 + 1013904223;
    const std::size_t a = 4 + 2 * ((state >> 10) % 16);
    const std::size_t b = 4 + 2 * ((state >> 20) % 16);
    std::swap_ranges(rdata.begin() + static_cast<std::ptrdiff_t>(a),
                     rdata.begin() + static_cast<std::ptrdiff_t>(a + 2),
                     rdata.begin() + static_cast<std::ptrdiff_t>(b));
    keys.records.add_unique(rdata);
  }
  sign_set(keys, zone);
  return keys;
}

TEST_CASE("fault A43: many keys and many signatures are tried a few times only", "[sim][fault]") {
  SignedWorld world;
  const RRset keys = keys_of_one_tag("good.example.", 100);
  RRset answer = set_of(kForged);
  RRset other = signed_set("www.good.example. 3600 A 192.0.2.1", "good.example.");
  for (int i = 0; i < 100; ++i) {
    std::vector<std::uint8_t> bad((*other.signatures.begin()).begin(),
                                  (*other.signatures.begin()).end());
    bad.back() = static_cast<std::uint8_t>(i);
    answer.signatures.add(bad);
  }
  lie(world, kGood, replies("good.example.", RRType::dnskey, wire::Rcode::noerror, {keys}));
  lie(world, kGood, replies("www.good.example.", RRType::a, wire::Rcode::noerror, {answer}));
  SimResolver resolver(world.world, validating());
  const auto outcome = resolver.ask("www.good.example.", RRType::a);
  CHECK(outcome.rcode == wire::Rcode::servfail);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == wire::Ede::dnssec_bogus);
  // Root and TLD: keys, DS, keys, DS.  The zone's keys, and at most eight for the set.
  CHECK(outcome.signatures == 5 + 8);
  // What came of it is remembered.
  CHECK(verdict(resolver, "www.good.example.", RRType::a).starts_with("SERVFAIL EDE 6 "));
  CHECK(resolver.exchanges() == 0);
}

TEST_CASE("fault A45: NSEC3 of many iterations is not computed, and long names are bounded",
          "[sim][fault]") {
  for (const std::uint16_t iterations : {std::uint16_t{51}, std::uint16_t{2500}}) {
    SignedWorld costly({.nsec3 = true, .iterations = iterations});
    SimResolver resolver(costly.world, validating());
    const auto outcome = resolver.ask("no.good.example.", RRType::a);
    CHECK(verdict_of(outcome) == "NXDOMAIN EDE 27 good.example.: NSEC3 with too many iterations");
    CHECK(outcome.hashes == 3);  // the DS digests of root, TLD and zone
  }
  SignedWorld world({.nsec3 = true, .iterations = 50});
  SimResolver resolver(world.world, validating());
  std::string longest = "good.example.";
  for (int labels = 0; labels < 115; ++labels) longest.insert(0, "a.");
  const auto outcome = resolver.ask(longest, RRType::a);
  // A closest encloser of 117 labels, its next closer name and wildcard: all within the budget.
  CHECK(verdict_of(outcome) == "NXDOMAIN secure");
  CHECK(outcome.hashes == 120);
}

TEST_CASE("fault A47: a denial padded with proofs is not worked through", "[sim][fault]") {
  SignedWorld world;
  lie(world, kGood, [](const Query&, Reply& reply) {
    if (reply.rcode != wire::Rcode::nxdomain) return;
    std::vector<RRset> padding;
    for (int i = 0; i < 100; ++i) {
      const std::string owner = "p" + std::to_string(i) + ".good.example.";
      padding.push_back(
          signed_set(owner + " 300 NSEC " + owner + " A RRSIG NSEC", "good.example."));
    }
    reply.authority.insert(reply.authority.begin() + 1, padding.begin(), padding.end());
  });
  SimResolver resolver(world.world, validating());
  const auto outcome = resolver.ask("no.good.example.", RRType::a);
  CHECK(outcome.rcode == wire::Rcode::servfail);
  // Root and TLD, the zone's keys, SOA and eight proofs; the other servers are this one.
  CHECK(outcome.signatures == 5 + 1 + 8);
}

TEST_CASE("fault A49: ANY asks nobody and checks nothing", "[sim][fault]") {
  const SignedWorld world;
  SimFrontend frontend(world.world, validating());
  const std::string answer = frontend.answer("good.example.", RRType::any);
  CHECK(answer.find("IN HINFO \"RFC8482\" \"\"") != std::string::npos);
  CHECK(frontend.resolver().upstream().count() == 0);
}

TEST_CASE("fault B91: opt-out leaves AD clear, a record at the name itself sets it",
          "[sim][fault]") {
  SignedWorld world({.nsec3 = true, .opt_out = true});
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "no.example.", RRType::a) == "NXDOMAIN");
  CHECK(verdict(resolver, "plain.example.", RRType::ds) == "NOERROR");
  CHECK(verdict(resolver, "www.example.", RRType::aaaa) == "NOERROR secure");
  CHECK(verdict(resolver, "c.example.", RRType::a) == "NOERROR secure");
}

TEST_CASE("fault B93: the DS is asked of the zone above", "[sim][fault]") {
  SignedWorld world;
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  resolver.cache().remove(name("good.example."), RRType::ds);
  CHECK(verdict(resolver, "good.example.", RRType::ds) == "NOERROR secure");
  CHECK(resolver.exchanges(kGood) == 0);
  CHECK(resolver.exchanges(kExample) == 1);
}

TEST_CASE("fault B95: below an unsigned zone nothing is bogus", "[sim][fault]") {
  SignedWorld world;
  const RRset answer = signed_set("www.plain.example. 3600 A 192.0.2.95", "plain.example.",
                                  {.expiration = 1'790'000'001});
  lie(world, kPlain, replies("www.plain.example.", RRType::a, wire::Rcode::noerror, {answer}));
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.plain.example.", RRType::a) == "NOERROR");
}

/// Referrals tell nothing of keys, and whoever asks for them hears nothing for a while.
void hide_ds(SignedWorld& world, std::chrono::seconds silence) {
  Vices vices;
  const Hook hide = [](const Query& query, Reply& reply) {
    if (query.type == RRType::ds) return;
    std::erase_if(reply.authority, [](const RRset& set) { return set.type == RRType::ds; });
  };
  vices.hooks = {hide, [](const Query& query, Reply& reply) {
                   if (query.type == RRType::ds) reply.is_silent = true;
                 }};
  world.world.server(kExample).behave(Duration{}, silence, vices);
  lie(world, kExample, hide);
}

TEST_CASE("fault B97: a DS or keys that cannot be had are tried again soon", "[sim][fault]") {
  SignedWorld without_ds;
  hide_ds(without_ds, std::chrono::seconds(20));
  SignedWorld without_keys;
  Vices silent;
  silent.hooks.push_back([](const Query& query, Reply& reply) {
    if (query.type == RRType::dnskey) reply.is_silent = true;
  });
  without_keys.world.server(kGood).behave(Duration{}, std::chrono::seconds(20), silent);
  for (SignedWorld* const world : {&without_ds, &without_keys}) {
    SimResolver resolver(world->world, validating());
    const std::string first = verdict(resolver, "www.good.example.", RRType::a);
    CAPTURE(first);
    CHECK(first.starts_with("SERVFAIL EDE "));
    resolver.advance(std::chrono::seconds(20));
    CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  }
}

TEST_CASE("fault B97: where it is proved that there are no keys nobody asks for any",
          "[sim][fault]") {
  SignedWorld world;
  lie(world, kPlain, [](const Query& query, Reply& reply) {
    if (query.type == RRType::dnskey) reply.rcode = wire::Rcode::servfail;
  });
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.plain.example.", RRType::a) == "NOERROR");
  CHECK(resolver.exchanges(kPlain) == 1);
}

TEST_CASE("sim/fault_dnssec: what a query had no time to check is looked at again in seconds",
          "[sim]") {
  SignedWorld world;
  Vices silent;
  silent.hooks.push_back([](const Query& query, Reply& reply) {
    if (query.type == RRType::dnskey) reply.is_silent = true;
  });
  world.world.server(kGood).behave(Duration{}, std::chrono::seconds(9), silent);
  auto settings = validating();
  settings.resolve.limits.time = std::chrono::seconds(2);  // less than the tries need
  SimResolver resolver(world.world, settings);
  CHECK(verdict(resolver, "www.good.example.", RRType::a).starts_with("SERVFAIL EDE "));
  resolver.advance(std::chrono::seconds(10));
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
}

TEST_CASE("fault B99: a foreign signature in an unsigned zone is passed over", "[sim][fault]") {
  SignedWorld world;
  lie(world, kPlain,
      replies("www.plain.example.", RRType::a, wire::Rcode::noerror,
              {signed_set("www.plain.example. 3600 A 192.0.2.95", "good.example.")}));
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.plain.example.", RRType::a) == "NOERROR");
}

TEST_CASE("fault B105: one NSEC3 may cover all names but its own", "[sim][fault]") {
  SignedWorld world({.nsec3 = true},
                    "lone NS ns.lone\nns.lone A 192.0.2.7\n" + ds_line("lone.example."));
  world.world.add_zone("lone.example.",
                       sign("lone.example.", "@ 3600 NS ns.example.\n", {.nsec3 = true}));
  world.world.add_server("192.0.2.7", {"lone.example."});
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "a.lone.example.", RRType::a) == "NXDOMAIN secure");
  // And the next name needs no question.
  CHECK(verdict(resolver, "b.lone.example.", RRType::a) == "NXDOMAIN secure EDE 29 ");
  CHECK(resolver.exchanges() == 0);
}

TEST_CASE("fault B107: what is told from proofs ends with them and says so", "[sim][fault]") {
  SignedWorld world;
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "no.good.example.", RRType::a) == "NXDOMAIN secure");
  CHECK(verdict(resolver, "nn.good.example.", RRType::a) == "NXDOMAIN secure EDE 29 ");
  CHECK(resolver.exchanges() == 0);
  resolver.advance(std::chrono::seconds(301));
  CHECK(verdict(resolver, "nm.good.example.", RRType::a) == "NXDOMAIN secure");
  CHECK(resolver.exchanges() == 1);

  auto settings = validating();
  settings.resolve.validation.aggressive_nsec = false;
  SimResolver plain(world.world, settings);
  CHECK(verdict(plain, "no.good.example.", RRType::a) == "NXDOMAIN secure");
  CHECK(verdict(plain, "nn.good.example.", RRType::a) == "NXDOMAIN secure");
  CHECK(plain.exchanges() == 1);
}

TEST_CASE("fault B109: bogus data is for those who check themselves, and for them alone",
          "[sim][fault]") {
  SignedWorld world;
  lie(world, kGood,
      replies("www.good.example.", RRType::a, wire::Rcode::noerror, {set_of(kForged)}));
  SimResolver resolver(world.world, validating());
  const std::string bogus = "SERVFAIL EDE 10 good.example.: nothing signed about www.good.example.";
  resolve::Question unchecked{name("www.good.example."), RRType::a};
  unchecked.checking_disabled = true;
  const auto check_unchecked = [&] {
    const auto outcome = resolver.ask(unchecked);
    CHECK(outcome.rcode == wire::Rcode::noerror);
    CHECK(!outcome.is_secure);
    CHECK(!outcome.error);
    REQUIRE(outcome.answer.size() == 1);
    CHECK(outcome.answer.front().records == set_of(kForged).records);
  };
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == bogus);
  check_unchecked();
  CHECK(resolver.exchanges() == 0);
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == bogus);
  CHECK(resolver.exchanges() == 0);

  // The other way round: what came unchecked is checked before anybody else gets it.
  resolver.cache().clear();
  check_unchecked();
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == bogus);
}

TEST_CASE("fault B111: a failure carries no data", "[sim][fault]") {
  SignedWorld world;
  lie(world, kGood,
      replies("www.good.example.", RRType::a, wire::Rcode::noerror, {set_of(kForged)}));
  SimResolver resolver(world.world, validating());
  for (const std::string_view asked : {"alias.example.", "www.good.example."}) {
    const auto outcome = resolver.ask(asked, RRType::a);
    CHECK(outcome.rcode == wire::Rcode::servfail);
    CHECK(outcome.answer.empty());
    CHECK(outcome.authority.empty());
  }
}

TEST_CASE("fault B113: nothing outlives its signature", "[sim][fault]") {
  SignedWorld world;
  const SignOptions soon{.expiration = 1'800'000'300};
  lie(world, kGood,
      replies("www.good.example.", RRType::a, wire::Rcode::noerror,
              {signed_set("www.good.example. 86400 A 192.0.2.90", "good.example.", soon)}));
  SimResolver resolver(world.world, validating());
  const auto outcome = resolver.ask("www.good.example.", RRType::a);
  REQUIRE(outcome.answer.size() == 1);
  CHECK(outcome.is_secure);
  CHECK(outcome.answer.front().ttl <= 300);
  CHECK(outcome.answer.front().ttl >= 299);
  resolver.advance(std::chrono::seconds(301));
  resolver.ask("www.good.example.", RRType::a);
  CHECK(resolver.exchanges() == 1);
}

TEST_CASE("fault B115: what somebody rewrote in a signed zone is refused with a reason",
          "[sim][fault]") {
  SignedWorld world;
  const RRset cname = set_of("www.good.example. 60 CNAME www.plain.example.");
  lie(world, kGood, replies("www.good.example.", RRType::a, wire::Rcode::noerror, {cname}));
  lie(world, kPlain,
      replies("www.plain.example.", RRType::a, wire::Rcode::noerror,
              {set_of("www.plain.example. 60 CNAME www.example.")}));
  CHECK(of_www(world) == "SERVFAIL EDE 10 good.example.: nothing signed about www.good.example.");
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.plain.example.", RRType::a) == "NOERROR");
}

}  // namespace
}  // namespace siskin::sim
