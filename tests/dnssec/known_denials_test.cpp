#include "siskin/dnssec/known_denials.hpp"

#include <set>

#include "dnssec/signed_zone.hpp"
#include "support/catch.hpp"

namespace siskin::dnssec {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;
using Kind = KnownDenials::Synthesis::Kind;

constexpr std::uint32_t kNow = 1000;
constexpr std::size_t kBytes = 1U << 20;

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

std::vector<RRset> sets(std::string_view text) {
  return text::parse_zone(text).value();
}

const std::string kZone = R"(
example. 3600 SOA ns.example. host.example. 1 7200 900 604800 300
example. 600 NSEC alias.example. NS SOA RRSIG NSEC DNSKEY
alias.example. 600 NSEC a.b.example. CNAME RRSIG NSEC
a.b.example. 600 NSEC cut.example. A RRSIG NSEC
cut.example. 600 NSEC tree.example. NS RRSIG NSEC
tree.example. 600 NSEC *.wild.example. DNAME RRSIG NSEC
*.wild.example. 600 NSEC www.example. TXT RRSIG NSEC
www.example. 600 NSEC example. A RRSIG NSEC
)";

/// Asks a store that holds all of the zone.
std::string answer(std::string_view asked, RRType type = RRType::a, std::string_view zone = kZone) {
  KnownDenials known(kBytes);
  for (const RRset& set : sets(zone)) known.add(name("example."), set, kNow);
  Work work({});
  const auto made = known.synthesise(name(asked), type, kNow, work);
  CHECK(work.hashes() == 0);
  if (!made) return "nothing";
  std::string text = made->kind == Kind::nxdomain ? "NXDOMAIN"
                     : made->kind == Kind::nodata ? "NODATA"
                                                  : made->wildcard.to_text();
  for (const RRset& set : made->authority) text += ' ' + set.owner.to_text();
  return text;
}

TEST_CASE("dnssec/known_denials: names in a span do not exist", "[dnssec]") {
  CHECK(answer("no.example.") == "NXDOMAIN example. cut.example. example.");
  CHECK(answer("zzz.example.") == "NXDOMAIN example. www.example. example.");
  CHECK(answer("x.www.example.") == "NXDOMAIN example. www.example.");
  CHECK(answer("NO.Example.") == "NXDOMAIN example. cut.example. example.");
}

TEST_CASE("dnssec/known_denials: types that are not in the bitmap are not there", "[dnssec]") {
  CHECK(answer("www.example.", RRType::aaaa) == "NODATA example. www.example.");
  CHECK(answer("b.example.") == "NODATA example. alias.example.");  // an empty non-terminal
  CHECK(answer("www.example.") == "nothing");
  CHECK(answer("alias.example.") == "nothing");  // what an alias leads to is not known
  CHECK(answer("cut.example.", RRType::ds) == "NODATA example. cut.example.");
  CHECK(answer("example.", RRType::ds) == "nothing");  // the parent's
}

TEST_CASE("dnssec/known_denials: below a cut or a DNAME nothing is denied (faults A33, B97)",
          "[dnssec]") {
  CHECK(answer("cut.example.") == "nothing");
  CHECK(answer("www.cut.example.") == "nothing");
  CHECK(answer("www.tree.example.") == "nothing");
}

TEST_CASE("dnssec/known_denials: a wildcard stands in where nothing is closer", "[dnssec]") {
  CHECK(answer("x.wild.example.", RRType::txt) == "*.wild.example. *.wild.example.");
  CHECK(answer("x.wild.example.") == "NODATA example. *.wild.example.");
  CHECK(answer("*.wild.example.", RRType::txt) == "nothing");
}

TEST_CASE("dnssec/known_denials: without the SOA or part of the proof nothing is said",
          "[dnssec]") {
  const std::string without_soa = kZone.substr(kZone.find("example. 600"));
  CHECK(answer("no.example.", RRType::a, without_soa) == "nothing");
  const std::string soa = kZone.substr(0, kZone.find("example. 600"));
  const std::string cut = "cut.example. 600 NSEC tree.example. NS RRSIG NSEC\n";
  // Perhaps there is a wildcard: that it would stand in is all there is to say.
  CHECK(answer("no.example.", RRType::a, soa + cut) == "*.example. cut.example.");
}

TEST_CASE("dnssec/known_denials: what is known ends with its TTL and tells what is left",
          "[dnssec]") {
  KnownDenials known(kBytes);
  for (const RRset& set : sets(kZone)) known.add(name("example."), set, kNow);
  Work work({});
  auto made = known.synthesise(name("no.example."), RRType::a, kNow + 200, work);
  REQUIRE(made);
  for (const RRset& set : made->authority) CHECK(set.ttl == 100);
  made = known.synthesise(name("no.example."), RRType::a, kNow + 100, work);
  REQUIRE(made);
  CHECK(made->authority.front().ttl == 200);
  // Not longer than the SOA's minimum, whatever the NSEC says (RFC 9077).
  CHECK(!known.synthesise(name("no.example."), RRType::a, kNow + 300, work));
}

TEST_CASE("dnssec/known_denials: one zone cannot push out the others", "[dnssec]") {
  KnownDenials known(64U << 10);
  for (const RRset& set : sets(kZone)) known.add(name("example."), set, kNow);
  for (int i = 0; i < 5000; ++i) {
    const std::string owner = "n" + std::to_string(100000 + i) + ".lab.";
    known.add(name("lab."), sets(owner + " 600 NSEC " + owner + " A\n").front(), kNow);
    CHECK(known.bytes() <= 64U << 10);
  }
  Work work({});
  CHECK(known.synthesise(name("no.example."), RRType::a, kNow, work));
}

TEST_CASE("dnssec/known_denials: the bound counts all that is kept", "[dnssec]") {
  KnownDenials known(64U << 10);
  for (int i = 0; i < 200; ++i) {
    const std::string zone = "z" + std::to_string(i) + ".";
    RRset soa = sets(zone + " 600 SOA " + zone + " " + zone + " 1 2 3 4 300\n").front();
    soa.signatures.add(std::vector<std::uint8_t>(2000));
    const std::size_t before = known.bytes();
    known.add(name(zone), soa, kNow);
    CHECK(known.bytes() <= 64U << 10);
    if (i == 0) CHECK(known.bytes() >= before + 2000);
    RRset monster = soa;
    monster.signatures.add(std::vector<std::uint8_t>(50000));
    known.add(name(zone), monster, kNow);  // not kept at all
    CHECK(known.bytes() <= 64U << 10);
  }
  CHECK(known.knows(name("z0."), sets("z0. 600 SOA z0. z0. 1 2 3 4 300\n").front(), kNow) == 0);
  known.clear();
  CHECK(known.bytes() == 0);
}

TEST_CASE("dnssec/known_denials: spans of nothing take no room", "[dnssec]") {
  KnownDenials known(kBytes);
  for (const RRset& set : sets(kZone)) known.add(name("example."), set, kNow);
  const std::size_t before = known.bytes();
  for (int i = 0; i < 100; ++i) {
    const std::string owner = "n" + std::to_string(i) + ".example.";
    known.add(name("example."),
              sets(owner + " 600 NSEC \\000." + owner + " A RRSIG NSEC\n").front(), kNow);
  }
  CHECK(known.bytes() == before);
}

TEST_CASE("dnssec/known_denials: the SOA bounds what came before it too (RFC 9077)", "[dnssec]") {
  KnownDenials known(kBytes);
  auto all = sets(kZone);
  std::ranges::rotate(all, all.begin() + 1);  // the SOA last
  for (const RRset& set : all) known.add(name("example."), set, kNow);
  Work work({});
  CHECK(known.synthesise(name("no.example."), RRType::a, kNow + 299, work));
  CHECK(!known.synthesise(name("no.example."), RRType::a, kNow + 300, work));
}

TEST_CASE("dnssec/known_denials: a zone that comes to have NSEC3 loses its NSEC, and back",
          "[dnssec]") {
  KnownDenials known(kBytes);
  for (const RRset& set : sets(kZone)) known.add(name("example."), set, kNow);
  Work work({});
  CHECK(known.synthesise(name("no.example."), RRType::a, kNow, work));
  const RRset nsec3 = sets(
                          "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example. 600 NSEC3 1 0 0 - "
                          "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom SOA NS\n")
                          .front();
  known.add(name("example."), nsec3, kNow);
  CHECK(!known.synthesise(name("no.example."), RRType::a, kNow, work));
  CHECK(known.knows(name("example."), nsec3, kNow) == 600);
  for (const RRset& set : sets(kZone)) known.add(name("example."), set, kNow);
  CHECK(known.synthesise(name("no.example."), RRType::a, kNow, work));
  CHECK(known.knows(name("example."), nsec3, kNow) == 0);
}

TEST_CASE("dnssec/known_denials: exactly what was added is known", "[dnssec]") {
  KnownDenials known(kBytes);
  RRset set = sets("a.example. 600 NSEC c.example. A RRSIG NSEC\n").front();
  known.add(name("example."), set, kNow);
  CHECK(known.knows(name("example."), set, kNow + 1) == 599);
  CHECK(known.knows(name("example."), set, kNow + 600) == 0);
  CHECK(known.knows(name("other."), set, kNow) == 0);
  set.signatures.add(set.owner.wire());
  CHECK(known.knows(name("example."), set, kNow) == 0);
}

/// Names of up to three labels out of few, so that they meet.
Name random_name(std::uint32_t& state) {
  const auto next = [&state](unsigned limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % limit;
  };
  Name made = name("example.");
  for (unsigned labels = 1 + next(3); labels > 0; --labels) {
    const std::uint8_t letter = static_cast<std::uint8_t>("abc*"[next(4)]);
    made = made.with_label({&letter, 1}).value();
  }
  return made;
}

struct Before {
  bool operator()(const Name& a, const Name& b) const { return compare_canonical(a, b) < 0; }
};

TEST_CASE("dnssec/known_denials: parts of random zones never contradict the zone", "[dnssec]") {
  std::uint32_t state = 7;
  std::size_t denied = 0;
  for (int round = 0; round < 300; ++round) {
    std::set<Name, Before> owners{name("example.")};
    for (int i = 0; i < 6; ++i) owners.insert(random_name(state));
    const auto exists = [&](const Name& wanted) {
      return std::ranges::any_of(owners, [&](const Name& o) { return o.is_at_or_below(wanted); });
    };
    KnownDenials known(kBytes);
    known.add(name("example."), sets(kZone).front(), kNow);
    for (auto at = owners.begin(); at != owners.end(); ++at) {
      state = state * 1664525 + 1013904223;
      if ((state >> 20) % 4 == 0) continue;
      const auto next = std::next(at) == owners.end() ? owners.begin() : std::next(at);
      const std::string line = at->to_text() + " 600 NSEC " + next->to_text() + " A RRSIG NSEC\n";
      known.add(name("example."), sets(line).front(), kNow);
    }
    for (int i = 0; i < 50; ++i) {
      const Name asked = random_name(state);
      Work work({});
      const auto made = known.synthesise(asked, RRType::a, kNow, work);
      if (!made) continue;
      ++denied;
      CAPTURE(asked.to_text());
      Name encloser = asked;
      while (!exists(encloser)) encloser = encloser.parent();
      const std::uint8_t star = '*';
      const bool has_wildcard = exists(encloser.with_label({&star, 1}).value());
      switch (made->kind) {
        case Kind::nxdomain: CHECK((!exists(asked) && !has_wildcard)); break;
        case Kind::nodata: CHECK(!owners.contains(asked)); break;
        case Kind::expand:
          CHECK(!exists(asked));
          CHECK(made->wildcard == encloser.with_label({&star, 1}).value());
          break;
      }
    }
  }
  CHECK(denied > 1000);
}

}  // namespace
}  // namespace siskin::dnssec
