#include "siskin/dnssec/rollover.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include "dnssec/paper_keys.hpp"
#include "siskin/base/date.hpp"
#include "siskin/dnssec/anchor_state.hpp"
#include "support/catch.hpp"

namespace siskin::dnssec::test {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;
using Keys = std::vector<PaperKey>;

const PaperKey kOld{"the old key"};
const PaperKey kNew{"the new key"};
const PaperKey kThird{"a third key"};

PaperKey revoked(PaperKey key) {
  key.is_revoked = true;
  return key;
}

/// What an operator trusts by digest: SHA-256 over the root's name and the RDATA.
TrustAnchor digest_anchor(const PaperKey& key) {
  std::vector<std::uint8_t> data{0};
  const std::vector<std::uint8_t> rdata = key.rdata();
  data.insert(data.end(), rdata.begin(), rdata.end());
  const std::uint16_t tag = key_tag(rdata);
  std::vector<std::uint8_t> ds{static_cast<std::uint8_t>(tag >> 8), static_cast<std::uint8_t>(tag),
                               15, 2};
  ds.resize(4 + SHA256_DIGEST_LENGTH);
  SHA256(data.data(), data.size(), ds.data() + 4);
  TrustAnchor anchor;
  anchor.ds.push_back(std::move(ds));
  return anchor;
}

/// A trust point of the root with time that a test moves.
struct Bench {
  explicit Bench(const Keys& configured = {kOld}) : point(anchor_of_keys(configured)) {}

  static TrustAnchor anchor_of_keys(const Keys& keys) {
    TrustAnchor anchor;
    for (const PaperKey& key : keys) anchor.dnskey.push_back(key.rdata());
    return anchor;
  }

  /// Shows a set; what it has changed, as text.
  std::string see(const Keys& keys, const Keys& signers) {
    const auto at = static_cast<std::uint32_t>(now.time_since_epoch().count());
    PaperPeriod period{ttl, at - 3600, at + left};
    Work work{{64, 128}};
    last = point.see(paper_set({}, keys, signers, period), {at, 300}, now, work, verifier);
    signatures = work.signatures();
    return text_of(last);
  }

  static std::string text_of(const TrustPoint::Seen& seen) {
    std::string text = seen.is_good ? "good" : "not good";
    for (const TrustPoint::Change& change : seen.changes) {
      const std::string name(change.key.rdata.begin() + 4, change.key.rdata.end());
      text += fmt::format("; {}: {} to {}", name, change.from ? to_string(*change.from) : "start",
                          change.to ? to_string(*change.to) : "start");
    }
    return text;
  }

  /// Names of the keys that are trusted.
  std::string trusted() const {
    std::string text;
    for (const auto& rdata : point.anchor().dnskey) {
      text += (text.empty() ? "" : ", ") + std::string(rdata.begin() + 4, rdata.end());
    }
    return text;
  }

  PaperVerifier verifier;
  TrustPoint point;
  WallTime now = *date_from("2026-12-05");
  std::uint32_t ttl = 86'400;
  std::uint32_t left = 14 * 86'400;
  TrustPoint::Seen last;
  std::uint32_t signatures = 0;
};

TEST_CASE("dnssec/rollover: a new key is trusted once it stood there for thirty days", "[dnssec]") {
  Bench bench;
  CHECK(bench.see({kOld}, {kOld}) == "good; the old key: start to valid");
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the new key: start to pending");
  CHECK(bench.trusted() == "the old key");
  bench.now += days(30) - seconds(1);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good");
  bench.now += seconds(1);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the new key: pending to valid");
  CHECK(bench.trusted() == "the old key, the new key");
  CHECK(bench.see({kOld, kNew}, {kNew}) == "good");
}

TEST_CASE("dnssec/rollover: hold-down lasts as long as the first set's TTL", "[dnssec]") {
  Bench bench;
  bench.ttl = 40 * 86'400;
  CHECK(bench.see({kOld, kNew}, {kOld}) ==
        "good; the old key: start to valid; the new key: start to pending");
  bench.ttl = 86'400;
  bench.now += days(39);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good");
  bench.now += days(1);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the new key: pending to valid");
}

TEST_CASE("dnssec/rollover: a pending key that is gone in one good set begins anew", "[dnssec]") {
  Bench bench;
  bench.see({kOld, kNew}, {kOld});
  bench.now += days(29);
  CHECK(bench.see({kOld}, {kOld}) == "good; the new key: pending to start");
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the new key: start to pending");
  bench.now += days(29);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good");
  CHECK(bench.trusted() == "the old key");
}

TEST_CASE("dnssec/rollover: a set that nobody trusted has signed changes nothing", "[dnssec]") {
  Bench bench;
  bench.see({kOld, kNew}, {kOld});
  bench.now += days(31);
  CHECK(bench.see({kOld, kNew}, {kNew}) == "not good");
  CHECK(bench.last.why.code == wire::Ede::dnskey_missing);
  CHECK(bench.see({kNew, kThird}, {kNew, kThird}) == "not good");
  CHECK(bench.see({kOld}, {}) == "not good");
  CHECK(bench.point.keys().at(1).state == KeyState::pending);
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the new key: pending to valid");
}

TEST_CASE("dnssec/rollover: a key that is not in the set stays trusted", "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew}, {kOld});
  CHECK(bench.see({kNew}, {kNew}) == "good; the old key: valid to missing");
  bench.now += days(400);
  CHECK(bench.see({kNew}, {kNew}) == "good");
  CHECK(bench.trusted() == "the old key, the new key");
  CHECK(bench.see({kOld, kNew}, {kOld}) == "good; the old key: missing to valid");
}

TEST_CASE("dnssec/rollover: a key that revokes itself is trusted no more, and never again",
          "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew}, {kOld});
  CHECK(bench.see({revoked(kOld), kNew}, {revoked(kOld), kNew}) ==
        "good; the old key: valid to revoked");
  CHECK(bench.trusted() == "the new key");
  bench.now += days(31);
  CHECK(bench.see({revoked(kOld), kNew}, {revoked(kOld), kNew}) == "good");
  bench.now += days(30) - seconds(1);
  CHECK(bench.see({kNew}, {kNew}) == "good");
  bench.now += seconds(1);
  CHECK(bench.see({kNew}, {kNew}) == "good; the old key: revoked to removed");
  CHECK(bench.see({kOld, kNew}, {kOld, kNew}) == "good");
  CHECK(bench.trusted() == "the new key");
}

TEST_CASE("dnssec/rollover: a missing key can still be revoked", "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew}, {kOld});
  bench.see({kNew}, {kNew});
  CHECK(bench.see({revoked(kOld), kNew}, {revoked(kOld), kNew}) ==
        "good; the old key: missing to revoked");
}

TEST_CASE("dnssec/rollover: only a key's own signature revokes it", "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew}, {kOld});
  CHECK(bench.see({revoked(kOld), kNew}, {kNew}) == "good; the old key: valid to missing");
  CHECK(bench.see({revoked(kOld), kNew}, {kOld, kNew}) == "good");  // by its tag without the flag
  CHECK(bench.trusted() == "the old key, the new key");
}

TEST_CASE("dnssec/rollover: a key's own signature is enough to revoke it", "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew}, {kOld});
  CHECK(bench.see({revoked(kOld), kThird}, {revoked(kOld)}) ==
        "not good; the old key: valid to revoked");
  CHECK(bench.trusted() == "the new key");
}

TEST_CASE("dnssec/rollover: keys nobody trusts are not looked at when they are revoked",
          "[dnssec]") {
  Bench bench;
  bench.see({kOld, kNew}, {kOld});
  CHECK(bench.see({kOld, revoked(kNew), revoked(kThird)}, {kOld, revoked(kNew), revoked(kThird)}) ==
        "good; the new key: pending to start");
  CHECK(bench.signatures == 1);
  bench.now += days(31);
  CHECK(bench.see({kOld, revoked(kNew)}, {kOld, revoked(kNew)}) == "good");
}

TEST_CASE("dnssec/rollover: where all keys are revoked there is no anchor", "[dnssec]") {
  Bench bench;
  CHECK(bench.see({revoked(kOld)}, {revoked(kOld)}) == "not good; the old key: start to revoked");
  CHECK(bench.point.anchor().dnskey.empty());
  CHECK(bench.last.why.text == ".: all keys are revoked");
  CHECK(bench.see({kOld}, {kOld}) == "not good");
  CHECK(anchors_of(std::vector{bench.point}).empty());
}

TEST_CASE("dnssec/rollover: what the operator trusts is trusted at once", "[dnssec]") {
  const std::vector<TrackedKey> pending{
      {kNew.rdata(), KeyState::pending, *date_from("2026-12-30")}};
  Bench bench;
  bench.point = TrustPoint(Bench::anchor_of_keys({kOld, kNew}), pending);
  CHECK(bench.trusted() == "the old key, the new key");
  CHECK(bench.see({kOld, kNew}, {kNew}) ==
        "good; the old key: start to valid; the new key: pending to valid");
}

TEST_CASE("dnssec/rollover: a DS of the configuration gives way to its key", "[dnssec]") {
  Bench bench;
  bench.point = TrustPoint(digest_anchor(kOld));
  CHECK(bench.point.anchor().ds.size() == 1);
  CHECK(bench.see({kOld, kNew}, {kOld}) ==
        "good; the old key: start to valid; the new key: start to pending");
  CHECK(bench.point.anchor().ds.empty());
  CHECK(bench.trusted() == "the old key");
  CHECK(bench.see({revoked(kOld)}, {revoked(kOld)}) == "not good; the old key: valid to revoked");
  CHECK(bench.point.anchor().ds.empty());
}

TEST_CASE("dnssec/rollover: zone keys that are no entry points, or unknown here, are not met",
          "[dnssec]") {
  Bench bench;
  PaperKey zone_key{"a zone key"};
  zone_key.is_entry_point = false;
  PaperKey strange{"a strange key"};
  strange.algorithm = 200;
  CHECK(bench.see({kOld, zone_key, strange}, {kOld}) == "good; the old key: start to valid");
  CHECK(bench.point.keys().size() == 1);
}

TEST_CASE("dnssec/rollover: a zone cannot make us track more than so many keys", "[dnssec]") {
  Bench bench;
  Keys keys{kOld};
  for (int i = 0; i < 200; ++i) keys.push_back({fmt::format("key {}", i)});
  bench.see(keys, {kOld});
  CHECK(bench.point.keys().size() == TrustPoint::kKeysMax);
  CHECK(bench.trusted() == "the old key");
}

TEST_CASE("dnssec/rollover: the next look is in half the TTL or signature, within limits",
          "[dnssec]") {
  struct Case {
    std::uint32_t ttl, left;
    bool is_good;
    seconds next;
  };
  const Case cases[]{
      {172'800, 14 * 86'400, true, days(1)},
      {60 * 86'400, 60 * 86'400, true, days(15)},
      {60 * 86'400, 8 * 86'400, true, days(4)},
      {300, 14 * 86'400, true, hours(1)},
      {86'400, 600, true, hours(1)},
      {172'800, 14 * 86'400, false, seconds(17'280)},
      {60 * 86'400, 60 * 86'400, false, days(1)},
      {300, 14 * 86'400, false, hours(1)},
  };
  for (const Case& one : cases) {
    CAPTURE(one.ttl, one.left, one.is_good);
    Bench bench;
    bench.ttl = one.ttl;
    bench.left = one.left;
    const PaperKey& signer = one.is_good ? kOld : kThird;
    bench.see({kOld, kThird}, {signer});
    CHECK(bench.last.is_good == one.is_good);
    CHECK(bench.last.next == one.next);
  }
}

TEST_CASE("dnssec/rollover: the state is written and read as it was", "[dnssec]") {
  Bench bench({kOld, kNew});
  bench.see({kOld, kNew, kThird}, {kOld});
  bench.see({revoked(kOld), kNew, kThird}, {revoked(kOld), kNew});
  const std::string text = print_anchor_state(std::vector{bench.point});
  CHECK(text.find("revoked 2026-12-05T00:00:00Z . DNSKEY 257 3 15 ") != std::string::npos);
  CHECK(text.find("pending 2027-01-04T00:00:00Z . DNSKEY 257 3 15 ") != std::string::npos);
  const auto stored = parse_anchor_state(text, "state");
  REQUIRE(stored);
  const auto points = trust_points({Bench::anchor_of_keys({kOld, kNew})}, *stored);
  CHECK(points.at(0).keys() == bench.point.keys());
  TrustAnchor other;
  other.zone = wire::Name::from_text("example.").value();
  CHECK(trust_points({other}, *stored).at(0).keys().empty());
}

TEST_CASE("dnssec/rollover: a state file that cannot be is refused by its line", "[dnssec]") {
  const std::string key = ". DNSKEY 257 3 15 AAAA\n";
  const std::pair<std::string, std::string> cases[]{
      {"good 2026-12-05 " + key, "f:1: \"good\" is no state of a key, such as valid"},
      {"valid", "f:1: \"\" is no date such as 2026-12-05T12:00:00Z"},
      {"; comment\n\nvalid 2026-13-05 " + key,
       "f:3: \"2026-13-05\" is no date such as 2026-12-05T12:00:00Z"},
      {"valid 2026-12-05", "f:1: a DNSKEY record was expected behind the date"},
      {"valid 2026-12-05 . A 192.0.2.1", "f:1: a DNSKEY record was expected behind the date"},
      {"valid 2026-12-05 . DNSKEY 385 3 15 AAAA",
       "f:1: a zone's key was expected, without the flag REVOKE"},
      {"valid 2026-12-05 " + key + "pending 2026-12-05 " + key,
       "f:2: this key stands on a line before"},
  };
  for (const auto& [text, wrong] : cases) {
    CAPTURE(text);
    const auto parsed = parse_anchor_state(text, "f");
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().detail == wrong);
  }
}

}  // namespace
}  // namespace siskin::dnssec::test
