#include "resolve/root_zone.hpp"

#include "resolve/describe.hpp"
#include "resolve/root_samples.hpp"
#include "resolve/samples.hpp"
#include "support/catch.hpp"

using namespace siskin;
using namespace siskin::resolve;
using namespace siskin::resolve::test;
using wire::Name;

namespace {

std::string replaced(std::string_view text, std::string_view before, std::string_view after) {
  std::string changed(text);
  const std::size_t at = changed.find(before);
  SISKIN_CHECK(at != std::string::npos);
  return changed.replace(at, before.size(), after);
}

std::string owners(const std::vector<RRset>& sets) {
  std::string text;
  for (const RRset& set : sets) {
    text += (text.empty() ? "" : ", ") + set.owner.to_text() + " " + to_string(set.type);
  }
  return text;
}

/// "RCODE aa | answer | authority | additional": owners and types.
std::string summary(const RootZone& zone, std::string_view asked, RRType type) {
  const auto message = zone.answer(name(asked), type);
  if (!message) return "ask a server";
  return to_string(message->rcode) + (message->authoritative ? " aa" : "") + " | " +
         owners(message->answer) + " | " + owners(message->authority) + " | " +
         owners(message->additional);
}

std::string refusal_of(const std::vector<text::Record>& records) {
  const auto zone = RootZone::make(canonical(records));
  return zone ? "taken" : zone.error().detail;
}

std::string refusal_of(std::string_view zone_text) {
  return refusal_of(root_records(zone_text));
}

}  // namespace

TEST_CASE("resolve/root_zone: replies are those of a root server", "[resolve]") {
  const RootZone zone = root_zone();
  struct Row {
    const char* asked;
    RRType type;
    const char* expected;
  };
  const Row rows[] = {
      {"example.", RRType::a,
       "NOERROR |  | example. NS, example. DS | ns.tld.test. A, ns.tld.example. A, "
       "ns.tld.example. AAAA"},
      {"www.example.", RRType::ns,
       "NOERROR |  | example. NS, example. DS | ns.tld.test. A, ns.tld.example. A, "
       "ns.tld.example. AAAA"},
      {"ns.tld.example.", RRType::a,
       "NOERROR |  | example. NS, example. DS | ns.tld.test. A, ns.tld.example. A, "
       "ns.tld.example. AAAA"},
      {"x.test.", RRType::a, "NOERROR |  | test. NS, test. NSEC | ns.tld.test. A"},
      {"example.", RRType::ds, "NOERROR aa | example. DS |  | "},
      {"test.", RRType::ds, "NOERROR aa |  | . SOA, test. NSEC | "},
      {"x.test.", RRType::ds, "NOERROR |  | test. NS, test. NSEC | ns.tld.test. A"},
      {".", RRType::ns, "NOERROR aa | . NS |  | ns.root. A"},
      {".", RRType::soa, "NOERROR aa | . SOA |  | "},
      {".", RRType::a, "NOERROR aa |  | . SOA, . NSEC | "},
      {"ns.root.", RRType::a, "NOERROR aa | ns.root. A |  | "},
      {"zone.", RRType::a, "NOERROR aa |  | . SOA, test. NSEC | "},
      {"deep.zone.", RRType::txt, "NOERROR aa | deep.zone. TXT |  | "},
      {"deep.zone.", RRType::a, "NOERROR aa |  | . SOA, deep.zone. NSEC | "},
      {"other.zone.", RRType::a, "NXDOMAIN aa |  | . SOA, deep.zone. NSEC, test. NSEC | "},
      {"nothing.", RRType::a, "NXDOMAIN aa |  | . SOA, example. NSEC, . NSEC | "},
      {"www.nothing.", RRType::aaaa, "NXDOMAIN aa |  | . SOA, example. NSEC, . NSEC | "},
      {"zzz.", RRType::a, "NXDOMAIN aa |  | . SOA, deep.zone. NSEC, . NSEC | "},
      {"NOTHING.", RRType::a, "NXDOMAIN aa |  | . SOA, example. NSEC, . NSEC | "},
      {"Example.", RRType::ds, "NOERROR aa | example. DS |  | "},
      {".", RRType::rrsig, "ask a server"},
      {".", RRType::any, "ask a server"},
      {".", RRType::axfr, "ask a server"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.asked, row.type);
    CHECK(summary(zone, row.asked, row.type) == row.expected);
  }
}

TEST_CASE("resolve/root_zone: signatures go with their sets", "[resolve]") {
  const RootZone zone = root_zone();
  const auto message = zone.answer(name("nothing."), RRType::a);
  REQUIRE(message);
  CHECK(message->authority.at(0).signatures.count() == 1);
  CHECK(message->authority.at(1).signatures.count() == 0);
  CHECK(message->authority.at(2).signatures.count() == 1);
}

TEST_CASE("resolve/root_zone: a reply means what a server's would", "[resolve]") {
  const RootZone zone = root_zone();
  const Name root;
  const auto kind_of = [&](std::string_view asked, RRType type) {
    const Name shown = name(asked);
    const Asked question{shown, type, root};
    const auto reply = zone.reply(question, 20);
    return reply ? reply->kind : ReplyKind::broken;
  };
  CHECK(kind_of("example.", RRType::a) == ReplyKind::referral);
  CHECK(kind_of("example.", RRType::ds) == ReplyKind::answer);
  CHECK(kind_of("test.", RRType::ds) == ReplyKind::nodata);
  CHECK(kind_of("nothing.", RRType::a) == ReplyKind::nxdomain);
  CHECK(kind_of("zone.", RRType::a) == ReplyKind::nodata);
  CHECK(kind_of(".", RRType::rrsig) == ReplyKind::broken);

  const Name shown = name("www.example.");
  const Asked question{shown, RRType::a, root};
  const auto reply = zone.reply(question, 20);
  REQUIRE(reply);
  REQUIRE(reply->delegation);
  CHECK(reply->delegation->zone == name("example."));
  CHECK(reply->delegation->ttl == 86400);
  REQUIRE(reply->delegation->servers.size() == 2);
  CHECK(reply->delegation->servers[0].addresses == std::vector<IpAddress>{ip("192.0.2.3")});
  CHECK(reply->delegation->servers[1].addresses ==
        std::vector<IpAddress>{ip("192.0.2.2"), ip("2001:db8::2")});
}

TEST_CASE("resolve/root_zone: wildcards and aliases are left to servers", "[resolve]") {
  const RootZone zone = root_zone(std::string(kSmallRoot) +
                                  "*.zone. 60 IN A 192.0.2.9\n"
                                  "alias.zone. 60 IN CNAME example.\n"
                                  "moved. 60 IN DNAME example.\n");
  CHECK(summary(zone, "other.zone.", RRType::a) == "ask a server");
  CHECK(summary(zone, "alias.zone.", RRType::a) == "ask a server");
  CHECK(summary(zone, "x.moved.", RRType::a) == "ask a server");
  CHECK(summary(zone, "example.", RRType::ds) == "NOERROR aa | example. DS |  | ");
}

TEST_CASE("resolve/root_zone: a zone without NSEC has replies without", "[resolve]") {
  const RootZone zone = root_zone(
      ". 60 IN SOA ns.root. admin.root. 7 1800 900 604800 60\n"
      ". 60 IN NS ns.root.\n"
      "example. 60 IN NS ns.tld.example.\n");
  CHECK(summary(zone, "example.", RRType::a) == "NOERROR |  | example. NS | ");
  CHECK(summary(zone, "nothing.", RRType::a) == "NXDOMAIN aa |  | . SOA | ");
}

TEST_CASE("resolve/root_zone: what is no root zone is refused", "[resolve]") {
  CHECK(refusal_of(kSmallRoot) == "taken");
  CHECK(refusal_of(replaced(kSmallRoot, ".            86400 IN NS    ns.root.", "")) ==
        "it has no NS records of its own");
  CHECK(refusal_of(std::string(kSmallRoot) +
                   ". 86400 IN SOA ns.root. admin.root. 8 1800 900 604800 86400\n") ==
        "it does not have one SOA");
  CHECK(refusal_of(std::string(kSmallRoot) + ". 0 IN NSEC3PARAM 1 0 0 -\n") ==
        "its denials are NSEC3, not NSEC");
  std::vector<text::Record> records = root_records();
  records.pop_back();
  CHECK(refusal_of(records) == "it has no ZONEMD");
  records.push_back(zonemd_of(records, 8));
  CHECK(refusal_of(records) == "its ZONEMD is of serial 8, its SOA of 7");
  records = root_records();
  records.at(5).rdata.back() ^= 1;
  CHECK(refusal_of(records) == "its ZONEMD does not match what it holds");
}

TEST_CASE("resolve/root_zone: serials wrap around", "[resolve]") {
  CHECK(is_newer(2, 1));
  CHECK_FALSE(is_newer(1, 1));
  CHECK_FALSE(is_newer(1, 2));
  CHECK(is_newer(0, 0xffffffff));
  CHECK(is_newer(0x7fffffff, 0));
  CHECK_FALSE(is_newer(0x80000000, 0));  // undefined, and so not newer
  CHECK_FALSE(is_newer(0, 0x80000000));
}
