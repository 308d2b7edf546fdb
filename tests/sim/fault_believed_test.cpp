/// What is believed of replies that are not as they should be, and for whom it holds.
#include "sim/signed_world.hpp"
#include "sim/sim_frontend.hpp"
#include "siskin/text/zone.hpp"
#include "siskin/wire/header.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using namespace std::chrono_literals;
using wire::Name;
using wire::Rcode;
using wire::RRset;
using wire::RRType;

constexpr std::string_view kOdd = "192.0.2.10";
constexpr std::string_view kEven = "192.0.2.11";

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

/// odd.example. with one server, and both.example. with a second, too.
World& build(World& world) {
  add_base(world,
           "odd NS ns.odd\nns.odd A 192.0.2.10\n"
           "both NS ns1.both\nboth NS ns2.both\nns1.both A 192.0.2.10\nns2.both A 192.0.2.11\n");
  world.add_zone("odd.example.",
                 "$TTL 300\n@ NS ns\nns A 192.0.2.10\nwww A 192.0.2.80\nx A 192.0.2.81\n");
  world.add_zone("both.example.",
                 "$TTL 300\n@ NS ns1\n@ NS ns2\nns1 A 192.0.2.10\nns2 A 192.0.2.11\n"
                 "www A 192.0.2.82\nwww AAAA 2001:db8::1\n");
  world.place_servers();
  return world;
}

void clear_aa(const Query&, Reply& reply) {
  reply.flags &= static_cast<std::uint16_t>(~wire::flag::aa);
}

/// NXDOMAIN and NODATA come with this zone's SOA.
Hook with_soa_of(std::string_view zone) {
  const std::string line = std::string(zone) + " 3600 SOA ns.invalid. host.invalid. 1 1 1 1 3600\n";
  return [soa = text::parse_zone(line).value().front()](const Query&, Reply& reply) {
    for (RRset& set : reply.authority) {
      if (set.type == RRType::soa) set = soa;
    }
  };
}

}  // namespace

TEST_CASE("fault A23: an SOA from above the zone says nothing of other names", "[sim][fault]") {
  for (const std::string_view soa : {"example.", "."}) {
    CAPTURE(soa);
    World world;
    build(world).server(kOdd).vices.hooks.push_back(with_soa_of(soa));
    SimResolver resolver(world);
    // Believed for that one name, and nothing is kept of it.
    CHECK(resolver.answer("nope.odd.example.", RRType::a) == "NXDOMAIN\n");
    CHECK(resolver.answer("www.odd.example.", RRType::a) ==
          "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
    CHECK(resolver.answer("www.both.example.", RRType::a) ==
          "NOERROR\nwww.both.example. 300 IN A 192.0.2.82\n");
    CHECK(resolver.answer("nope.odd.example.", RRType::a) == "NXDOMAIN\n");
    CHECK(resolver.exchanges(kOdd) == 1);
    CHECK(resolver.exchanges() == 1);
  }
}

TEST_CASE("fault B51: NXDOMAIN with the root's SOA denies no top-level domain", "[sim][fault]") {
  World world;
  build(world).server(kOdd).vices.hooks.push_back(with_soa_of("."));
  SimResolver::Settings settings;
  settings.resolve.nxdomain_cut = true;
  SimResolver resolver(world, settings);
  CHECK(resolver.answer("www.nope.odd.example.", RRType::a) == "NXDOMAIN\n");
  CHECK(resolver.answer("www.odd.example.", RRType::a) ==
        "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.answer("ns.tld.example.", RRType::a) ==
        "NOERROR\nns.tld.example. 3600 IN A 192.0.2.2\n");
}

TEST_CASE("fault A27: what somebody had unchecked does not replace what was validated",
          "[sim][fault]") {
  SignedWorld world;
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  world.world.server(kGood).vices.hooks.push_back([](const Query&, Reply& reply) {
    reply.rcode = Rcode::nxdomain;
    reply.answer.clear();
    reply.authority.clear();
    reply.flags |= wire::flag::aa;
  });
  // The name does not exist, hears who checks for himself: of no weight for anybody else.
  resolve::Question unchecked{name("www.good.example."), RRType::txt};
  unchecked.checking_disabled = true;
  CHECK(resolver.ask(unchecked).rcode == Rcode::nxdomain);
  unchecked.type = RRType::a;
  CHECK(resolver.ask(unchecked).rcode == Rcode::noerror);
  CHECK(resolver.exchanges() == 0);
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
  CHECK(resolver.exchanges() == 0);
  CHECK(verdict(resolver, "www.good.example.", RRType::txt).starts_with("SERVFAIL EDE 10 "));
}

TEST_CASE("fault A27: a client without DO leaves the signatures to the next", "[sim][fault]") {
  const SignedWorld world;
  SimFrontend frontend(world.world, validating());
  const resolve::Question asked{name("www.good.example."), RRType::a};
  ClientQuery plain;
  plain.with_edns = false;
  const auto first = outcome_of(frontend.ask(asked, plain), asked, plain.id);
  REQUIRE(first.answer.size() == 1);
  CHECK(first.answer.front().signatures.empty());
  ClientQuery signed_too;
  signed_too.dnssec_ok = true;
  const auto second = outcome_of(frontend.ask(asked, signed_too), asked, signed_too.id);
  REQUIRE(second.answer.size() == 1);
  CHECK(second.answer.front().signatures.count() == 1);
  CHECK(second.answer.front().records == first.answer.front().records);
  CHECK(frontend.resolver().counted(stats::Metric::resolutions) == 1);
}

TEST_CASE("fault B29: an answer that fits is one without AA too", "[sim][fault]") {
  World world;
  build(world).server(kOdd).vices.hooks.push_back(clear_aa);
  SimResolver resolver(world);
  CHECK(resolver.answer("www.odd.example.", RRType::a) ==
        "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
  CHECK(resolver.exchanges(kOdd) == 1);
}

TEST_CASE("fault B29: an empty reply without AA is no NODATA", "[sim][fault]") {
  const auto says_nothing = [](const Query& query, Reply& reply) {
    if (query.type != RRType::aaaa) return;
    clear_aa(query, reply);
    reply.answer.clear();
    reply.authority.clear();
  };
  World world;
  build(world);
  world.server(kOdd).vices.hooks.push_back(says_nothing);
  // Whoever is asked first, the other one knows.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SimResolver::Settings settings;
    settings.seed = seed;
    SimResolver resolver(world, settings);
    CHECK(resolver.answer("www.both.example.", RRType::aaaa) ==
          "NOERROR\nwww.both.example. 300 IN AAAA 2001:db8::1\n");
    CHECK(resolver.exchanges(kOdd) <= 2);
    CHECK(resolver.exchanges(kEven) == 1);
  }
  // Where all say it, it is a failure, and a short one.
  SimResolver resolver(world);
  CHECK(verdict(resolver, "www.odd.example.", RRType::aaaa) ==
        "SERVFAIL EDE 22 servers of odd.example.: 192.0.2.10 empty answer without authority");
  CHECK(resolver.answer("www.odd.example.", RRType::a) ==
        "NOERROR\nwww.odd.example. 300 IN A 192.0.2.80\n");
  world.server(kOdd).vices.hooks.clear();
  resolver.advance(6s);
  CHECK(resolver.answer("www.odd.example.", RRType::aaaa).starts_with("NOERROR\n"));
}

TEST_CASE("sim/fault_believed: EDE 23 names the server that is there and what it did", "[sim]") {
  World world;
  Vices& vices = build(world).server(kOdd).vices;
  vices.hooks.push_back([](const Query&, Reply& reply) { reply.rcode = Rcode::servfail; });
  SimResolver resolver(world);
  CHECK(verdict(resolver, "www.odd.example.", RRType::a) ==
        "SERVFAIL EDE 23 servers of odd.example.: 192.0.2.10 SERVFAIL");
}

TEST_CASE("fault B77: keys that only TCP could bring, and there is none", "[sim][fault]") {
  SignedWorld world;
  Vices& vices = world.world.server(kGood).vices;
  vices.tcp = TcpManner::refused;
  vices.hooks.push_back([](const Query& query, Reply& reply) {
    const bool is_udp = query.transport == runtime::Transport::udp;
    reply.is_truncated = is_udp && query.type == RRType::dnskey;
  });
  SimResolver resolver(world.world, validating());
  CHECK(verdict(resolver, "www.good.example.", RRType::a) ==
        "SERVFAIL EDE 9 good.example. DNSKEY: servers of good.example.: 192.0.2.4 unreachable over "
        "TCP");
  // The answer, then its key, twice over UDP and TCP.
  CHECK(resolver.exchanges(kGood) == 5);
  vices.tcp = TcpManner::normal;
  resolver.advance(10s);
  CHECK(verdict(resolver, "www.good.example.", RRType::a) == "NOERROR secure");
}

}  // namespace siskin::sim
