#include <algorithm>
#include <string>
#include <string_view>

#include "siskin/dnssec/canonical_zone.hpp"
#include "siskin/dnssec/denial.hpp"
#include "siskin/text/zone.hpp"
#include "support/catch.hpp"
#include "support/hex.hpp"

using namespace siskin;
using namespace siskin::dnssec;
using siskin::wire::Name;
using siskin::wire::RRType;

namespace {

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

// RFC 8976 appendix A.1 to A.3.
constexpr std::string_view kSimple = R"(
example.      86400  IN  SOA     ns1 admin 2018031900 ( 1800 900 604800 86400 )
              86400  IN  NS      ns1
              86400  IN  NS      ns2
              86400  IN  ZONEMD  2018031900 1 1 (
                c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3
                a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c )
ns1           3600   IN  A       203.0.113.63
ns2           3600   IN  AAAA    2001:db8::63
)";

constexpr std::string_view kComplex = R"(
example.      86400  IN  SOA     ns1 admin 2018031900 ( 1800 900 604800 86400 )
              86400  IN  NS      ns1
              86400  IN  NS      ns2
              86400  IN  ZONEMD  2018031900 1 1 (
                a3b69bad980a3504e1cffcb0fd6397f93848071c93151f55
                2ae2f6b1711d4bd2d8b39808226d7b9db71e34b72077f8fe )
ns1           3600   IN  A       203.0.113.63
NS2           3600   IN  AAAA    2001:db8::63
occluded.sub  7200   IN  TXT     "I'm occluded but must be digested"
sub           7200   IN  NS      ns1
duplicate     300    IN  TXT     "I must be digested just once"
duplicate     300    IN  TXT     "I must be digested just once"
foo.test.     555    IN  TXT     "out-of-zone data must be excluded"
UPPERCASE     3600   IN  TXT     "canonicalize uppercase owner names"
*             777    IN  PTR     dont-forget-about-wildcards
mail          3600   IN  MX      20 MAIL1
mail          3600   IN  MX      10 Mail2.Example.
sortme        3600   IN  AAAA    2001:db8::5:61
sortme        3600   IN  AAAA    2001:db8::3:62
sortme        3600   IN  AAAA    2001:db8::4:63
sortme        3600   IN  AAAA    2001:db8::1:65
sortme        3600   IN  AAAA    2001:db8::2:64
non-apex      900    IN  ZONEMD  2018031900 1 1 (
                616c6c6f776564206275742069676e6f7265642e20616c6c
                6f776564206275742069676e6f7265642e20616c6c6f7765 )
)";

constexpr std::string_view kMultipleApex = R"(
example.      86400  IN  SOA     ns1 admin 2018031900 ( 1800 900 604800 86400 )
example.      86400  IN  NS      ns1.example.
example.      86400  IN  NS      ns2.example.
ns1.example.  3600   IN  A       203.0.113.63
ns2.example.  86400  IN  TXT     "This example has multiple digests"
NS2.EXAMPLE.  3600   IN  AAAA    2001:db8::63
)";
constexpr std::string_view kSha384 = R"(
example.      86400  IN  ZONEMD  2018031900 1 1 (
                62e6cf51b02e54b9b5f967d547ce43136792901f9f88e637
                493daaf401c92c279dd10f0edb1c56f8080211f8480ee306 )
)";
constexpr std::string_view kSha512 = R"(
example.      86400  IN  ZONEMD  2018031900 1 2 (
                08cfa1115c7b948c4163a901270395ea226a930cd2cbcf2f
                a9a5e6eb85f37c8a4e114d884e66f176eab121cb02db7d65
                2e0cc4827e7a3204f166b47e5613fd27 )
)";
constexpr std::string_view kUnknown = R"(
example.      86400  IN  ZONEMD  2018031900 1 240 ( e2d523f654b9422a96c5a8f44607bbee )
example.      86400  IN  ZONEMD  2018031900 241 1 (
                e1846540e33a9e4189792d18d5d131f605fc283eaaaaaaaa
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa )
)";

std::vector<text::Record> records_of(std::string_view text) {
  text::ZoneOptions options;
  options.origin = name("example.");
  return text::parse_records(text, options).value();
}

CanonicalZone zone_of(const std::vector<text::Record>& records) {
  CanonicalZoneBuilder builder(name("example."));
  for (const text::Record& record : records) {
    REQUIRE(builder.add(record.owner, record.type, record.ttl, record.rdata));
  }
  return std::move(builder).finish();
}

CanonicalZone zone_of(std::string_view text) {
  return zone_of(records_of(text));
}

std::string verdict_of(std::string_view text) {
  const auto verdict = check_zone_digest(zone_of(text));
  return verdict ? "right" : verdict.error().detail;
}

std::string with(std::string_view text, std::string_view before, std::string_view after) {
  std::string changed(text);
  const std::size_t at = changed.find(before);
  REQUIRE(at != std::string::npos);
  return changed.replace(at, before.size(), after);
}

}  // namespace

TEST_CASE("dnssec/canonical_zone: the digests of RFC 8976's examples are right", "[dnssec]") {
  const std::string multiple(kMultipleApex);
  CHECK(verdict_of(kSimple) == "right");
  CHECK(verdict_of(kComplex) == "right");
  CHECK(verdict_of(multiple + std::string(kSha384)) == "right");
  CHECK(verdict_of(multiple + std::string(kSha512)) == "right");
  CHECK(verdict_of(multiple + std::string(kUnknown) + std::string(kSha512) +
                   std::string(kSha384)) == "right");
}

TEST_CASE("dnssec/canonical_zone: the order in which records come does not matter", "[dnssec]") {
  std::vector<text::Record> records = records_of(kComplex);
  const auto expected = zone_digest(zone_of(records), ZoneHash::sha384);
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::ranges::rotate(records, records.begin() + 1);
    CHECK(zone_digest(zone_of(records), ZoneHash::sha384) == expected);
  }
  std::ranges::reverse(records);
  CHECK(zone_digest(zone_of(records), ZoneHash::sha384) == expected);
}

TEST_CASE("dnssec/canonical_zone: each changed octet and each lost record is noticed", "[dnssec]") {
  const std::vector<text::Record> records = records_of(kSimple);
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t at = 0; at < records[i].rdata.size(); ++at) {
      std::vector<text::Record> changed = records;
      changed[i].rdata[at] ^= 0x01;
      CanonicalZoneBuilder builder(name("example."));
      bool is_readable = true;
      for (const text::Record& record : changed) {
        is_readable = is_readable &&
                      builder.add(record.owner, record.type, record.ttl, record.rdata).has_value();
      }
      CAPTURE(i, at);
      const bool is_refused =
          !is_readable || check_zone_digest(std::move(builder).finish()).has_error();
      CHECK(is_refused);
    }
    std::vector<text::Record> fewer = records;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(check_zone_digest(zone_of(fewer)).has_error());
    std::vector<text::Record> slower = records;
    ++slower[i].ttl;
    CHECK(check_zone_digest(zone_of(slower)).has_error() == (records[i].type != RRType::zonemd));
  }
}

TEST_CASE("dnssec/canonical_zone: a refusal says why", "[dnssec]") {
  const std::string bare(kMultipleApex);
  CHECK(verdict_of(bare) == "it has no ZONEMD");
  CHECK(verdict_of(bare + std::string(kUnknown)) ==
        "its ZONEMD is of a scheme or hash that is not known here");
  CHECK(verdict_of(bare + with(kSha384, "2018031900 1 1", "2018031901 1 1")) ==
        "its ZONEMD is of serial 2018031901, its SOA of 2018031900");
  CHECK(verdict_of(bare + with(kSha384, "62e6", "62e7")) ==
        "its ZONEMD does not match what it holds");
  CHECK(verdict_of(bare + std::string(kUnknown) + with(kSha384, "62e6", "62e7")) ==
        "its ZONEMD does not match what it holds");
  CHECK(verdict_of(bare + std::string(kSha384) + with(kSha384, "62e6", "62e7")) ==
        "it has two ZONEMD of one scheme and hash");
  CHECK(verdict_of("ns1 3600 IN A 203.0.113.63\n") == "it has no SOA");
}

TEST_CASE("dnssec/canonical_zone: a ZONEMD's own signature is not digested, others are",
          "[dnssec]") {
  const std::string of_zonemd =
      "example. 86400 IN RRSIG ZONEMD 8 1 86400 20300101000000 20200101000000 1 example. AAAA\n";
  const std::string of_soa =
      "example. 86400 IN RRSIG SOA 8 1 86400 20300101000000 20200101000000 1 example. AAAA\n";
  CHECK(verdict_of(std::string(kSimple) + of_zonemd) == "right");
  CHECK(verdict_of(std::string(kSimple) + of_soa) == "its ZONEMD does not match what it holds");
  CHECK(verdict_of(std::string(kSimple) + "ns1" + of_zonemd.substr(8)) ==
        "its ZONEMD does not match what it holds");
}

TEST_CASE("dnssec/canonical_zone: owners are in canonical order", "[dnssec]") {
  const CanonicalZone zone = zone_of(kComplex);
  CHECK(zone.size() == 19);  // without the duplicate and what is outside
  for (std::size_t i = 1; i < zone.size(); ++i) {
    const Name before = Name::from_wire(zone[i - 1].owner).value();
    const Name after = Name::from_wire(zone[i].owner).value();
    CHECK(compare_canonical(before, after) <= 0);
  }
  for (std::size_t i = 0; i < zone.size(); ++i) {
    const std::size_t found = zone.lower_bound(Name::from_wire(zone[i].owner).value());
    CHECK(Name::from_wire(zone[found].owner).value() == Name::from_wire(zone[i].owner).value());
    CHECK((found == 0 || Name::from_wire(zone[found - 1].owner).value() !=
                             Name::from_wire(zone[found].owner).value()));
  }
  CHECK(zone.lower_bound(name(".")) == 0);
  CHECK(zone.lower_bound(name("zzz.example.")) == zone.size());
  CHECK(zone.lower_bound(name("Mail.Example.")) == zone.lower_bound(name("mail.example.")));
}

TEST_CASE("dnssec/canonical_zone: RDATA that cannot be read is refused", "[dnssec]") {
  CanonicalZoneBuilder builder(name("example."));
  const auto added = builder.add(name("example."), RRType::a, 60, test::from_hex("c00002"));
  REQUIRE(added.has_error());
  CHECK(added.error().code == Errc::malformed);
  CHECK(builder.size() == 0);
}
