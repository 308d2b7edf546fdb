#include "siskin/dnssec/validate.hpp"

#include <fstream>

#include "dnssec/signed_zone.hpp"
#include "support/catch.hpp"

namespace siskin::dnssec::test {
namespace {

using wire::Bytes;
using wire::Ede;
using wire::Name;
using wire::RRset;
using wire::RRType;
using Octets = std::vector<std::uint8_t>;

constexpr Work::Limits kPlenty{1000, 1000};

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

/// What validating a zone's records needs, and costs.
struct Bench {
  explicit Bench(int algorithm = 13) : zone(algorithm) {}

  Finding check(const RRset& set, std::uint32_t now = kNow) {
    return check_set(set, name("example."), zone.keys, {now, 300}, work, verifier);
  }
  Finding check_ds(const RRset& ds) { return check_ds(ds, zone.at("example.", RRType::dnskey)); }
  Finding check_ds(const RRset& ds, const RRset& dnskeys) {
    return check_keys(dnskeys, anchor_of(ds), {kNow, 300}, work, verifier);
  }

  SignedZone zone;
  OpensslVerifier verifier{{}};
  Work work{kPlenty};
};

RRset ds_of(int algorithm) {
  return read_sets("algorithm" + std::to_string(algorithm) + ".ds").at(0);
}

/// The set with one record changed by `change`, or left out where that says so.
template <class Change>
RRset with(const RRset& set, Change change) {
  RRset made = set;
  made.records = {};
  for (const Bytes rdata : set.records) {
    Octets octets(rdata.begin(), rdata.end());
    if (change(octets)) made.records.add(octets);
  }
  return made;
}

/// The set whose only signature is changed by `change`.
template <class Change>
RRset signed_with(const RRset& set, Change change) {
  RRset made = set;
  made.signatures = {};
  const Bytes rdata = *set.signatures.begin();
  Octets octets(rdata.begin(), rdata.end());
  change(octets);
  made.signatures.add(octets);
  return made;
}

void put32(Octets& octets, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    octets[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  }
}

TEST_CASE("dnssec/validate: each set of a zone is secure by its keys", "[dnssec]") {
  for (const int algorithm : {5, 7, 8, 10, 13, 14, 15, 16}) {
    CAPTURE(algorithm);
    Bench bench(algorithm);
    for (const RRset& set : bench.zone.sets) {
      if (set.signatures.empty()) continue;
      CAPTURE(set.owner.to_text(), to_string(set.type));
      const Finding finding = bench.check(set);
      CHECK(finding.security == Security::secure);
      CHECK(finding.ttl_max == set.ttl);
      CHECK_FALSE(finding.is_expanded);
    }
  }
}

TEST_CASE("dnssec/validate: why a set is bogus", "[dnssec]") {
  Bench bench;
  const RRset& good = bench.zone.at("mail.example.", RRType::a);
  const auto why = [&](const RRset& set, std::uint32_t now = kNow) {
    const Finding finding = bench.check(set, now);
    CHECK(finding.security == Security::bogus);
    return finding.why;
  };
  const std::string tag = std::to_string(Rrsig::parse(*good.signatures.begin())->tag);

  RRset bare = good;
  bare.signatures = {};
  CHECK(why(bare) ==
        wire::ExtendedError{Ede::rrsigs_missing, "example. A: no signature of its keys"});
  CHECK(why(good, kExpiration + 301) ==
        wire::ExtendedError{Ede::signature_expired,
                            "example. A: signature by key " + tag + " has expired"});
  CHECK(why(good, kInception - 301).code == Ede::signature_not_yet_valid);
  CHECK(bench.check(good, kExpiration + 300).security == Security::secure);
  CHECK(bench.check(good, kInception - 300).security == Security::secure);
  CHECK(
      why(with(good, [](Octets& o) { return o[3] ^= 1, true; })) ==
      wire::ExtendedError{Ede::dnssec_bogus, "example. A: signature by key " + tag + " is wrong"});
  CHECK(why(signed_with(good, [](Octets& o) { o[16] ^= 1; })).code == Ede::dnskey_missing);
  CHECK(why(signed_with(good, [](Octets& o) { o[2] = 3; })) ==
        wire::ExtendedError{Ede::unsupported_dnskey_algorithm,
                            "example. A: signed with algorithm 3 only"});
  CHECK(why(signed_with(good, [](Octets& o) { put32(o, 8, kInception - 1); })).code ==
        Ede::signature_expired_before_valid);
  // More labels than the owner has (RFC 4035 section 5.3.1) are not worth a computation.
  const unsigned before = bench.work.signatures();
  CHECK(why(signed_with(good, [](Octets& o) { ++o[3]; })).code == Ede::rrsigs_missing);
  CHECK(bench.work.signatures() == before);
}

TEST_CASE("dnssec/validate: a key signs for its own zone alone (fault A29)", "[dnssec]") {
  Bench bench;
  const auto is_good = [&](const RRset& set, const char* zone) {
    return check_set(set, name(zone), bench.zone.keys, {kNow, 300}, bench.work, bench.verifier)
               .security == Security::secure;
  };
  const RRset& mail = bench.zone.at("mail.example.", RRType::a);
  CHECK(is_good(mail, "example."));
  CHECK_FALSE(is_good(mail, "."));
  CHECK_FALSE(is_good(mail, "mail.example."));
  CHECK_FALSE(is_good(mail, "example.net."));
  CHECK(bench.work.signatures() == 1);  // nothing of it was worth a computation
  RRset elsewhere = mail;
  elsewhere.owner = name("mail.example.net.");
  CHECK_FALSE(is_good(elsewhere, "example."));
}

TEST_CASE("dnssec/validate: TTLs end with the signature and at the original TTL", "[dnssec]") {
  Bench bench;
  RRset set = bench.zone.at("mail.example.", RRType::a);
  CHECK(bench.check(set, kExpiration - 100).ttl_max == 100);
  CHECK(bench.check(set, kExpiration + 100).ttl_max == 1);
  set.ttl = 1'000'000;
  CHECK(bench.check(set).ttl_max == 3600);
  set.ttl = 7;
  CHECK(bench.check(set).ttl_max == 7);
}

TEST_CASE("dnssec/validate: an expanded wildcard is told, with the labels that were signed",
          "[dnssec]") {
  Bench bench;
  RRset set = bench.zone.at("*.wild.example.", RRType::txt);
  set.owner = name("a.b.wild.example.");
  const Finding finding = bench.check(set);
  CHECK(finding.security == Security::secure);
  CHECK(finding.is_expanded);
  CHECK(finding.signed_labels == 2);
}

TEST_CASE("dnssec/validate: many keys and many signatures cost eight computations (fault A43)",
          "[dnssec]") {
  Bench bench;
  const RRset& good = bench.zone.at("mail.example.", RRType::a);
  // Keys of the same tag: what is added to one octet is taken from another of the same weight.
  std::vector<Octets> rdata;
  std::vector<Dnskey> keys;
  const auto signature = Rrsig::parse(*good.signatures.begin()).value();
  const Dnskey& original = *bench.zone.key_of(signature);
  for (std::uint8_t i = 1; i <= 50; ++i) {
    Octets octets(original.rdata.begin(), original.rdata.end());
    const std::size_t at = 10;
    if (octets[at] + i > 255 || octets[at + 2] < i) continue;
    octets[at] = static_cast<std::uint8_t>(octets[at] + i);
    octets[at + 2] = static_cast<std::uint8_t>(octets[at + 2] - i);
    rdata.push_back(octets);
  }
  REQUIRE(rdata.size() > 10);
  for (const Octets& octets : rdata) {
    keys.push_back(Dnskey::parse(octets).value());
    CHECK(keys.back().tag == signature.tag);
  }
  RRset attacked = good;
  for (int i = 0; i < 50; ++i) {
    Octets octets(signature.rdata.begin(), signature.rdata.end());
    octets.back() = static_cast<std::uint8_t>(i);
    attacked.signatures.add(octets);
  }
  const Finding finding =
      check_set(attacked, name("example."), keys, {kNow, 300}, bench.work, bench.verifier);
  CHECK(finding.security == Security::bogus);
  CHECK(finding.why.text == "example. A: too many signatures to try");
  CHECK(bench.work.signatures() == kAttemptsMax);

  Work little({3, 0});
  check_set(attacked, name("example."), keys, {kNow, 300}, little, bench.verifier);
  CHECK(little.signatures() == 3);
  CHECK(little.exhausted() == stats::Metric::limit_signatures);
}

TEST_CASE("dnssec/validate: signatures of unknown algorithms use up nothing (fault B103)",
          "[dnssec]") {
  Bench bench;
  const RRset& good = bench.zone.at("mail.example.", RRType::a);
  RRset mixed = good;
  mixed.signatures = {};
  const Bytes rdata = *good.signatures.begin();
  Octets unknown(rdata.begin(), rdata.end());
  unknown[2] = 17;
  for (std::uint8_t i = 0; i < 100; ++i) {
    unknown.back() = i;
    mixed.signatures.add(unknown);
  }
  mixed.signatures.add(*good.signatures.begin());
  CHECK(bench.check(mixed).security == Security::secure);
  CHECK(bench.work.signatures() == 1);
}

TEST_CASE("dnssec/validate: a zone's keys are those that its DS names", "[dnssec]") {
  for (const int algorithm : {5, 7, 8, 10, 13, 14, 15, 16}) {
    CAPTURE(algorithm);
    Bench bench(algorithm);
    CHECK(bench.check_ds(ds_of(algorithm)).security == Security::secure);
    const Finding other = bench.check_ds(ds_of(algorithm == 13 ? 14 : 13));
    CHECK(other.security == Security::bogus);
    CHECK(other.why.code == Ede::dnskey_missing);
  }
}

TEST_CASE("dnssec/validate: what an unknown DS makes of a zone", "[dnssec]") {
  Bench bench;
  const RRset ds = ds_of(13);
  const auto unknown_algorithm = with(ds, [](Octets& o) { return o[2] = 99, true; });
  CHECK(bench.check_ds(unknown_algorithm).security == Security::insecure);
  CHECK(bench.check_ds(unknown_algorithm).why.code == Ede::unsupported_dnskey_algorithm);
  const auto unknown_digest = with(ds, [](Octets& o) { return o[3] = 99, true; });
  CHECK(bench.check_ds(unknown_digest).security == Security::insecure);
  CHECK(bench.check_ds(unknown_digest).why.code == Ede::unsupported_ds_digest);
  // One that is known is enough to hold the zone to it (fault A37).
  auto both = with(ds, [](Octets& o) { return o[3] == 4; });
  both.records.add(*unknown_algorithm.records.begin());
  CHECK(bench.check_ds(both).security == Security::secure);
  auto wrong = with(ds, [](Octets& o) { return o.back() ^= 1, true; });
  wrong.records.add(*unknown_algorithm.records.begin());
  CHECK(bench.check_ds(wrong).security == Security::bogus);
}

TEST_CASE("dnssec/validate: SHA-1 counts only where there is no better digest (fault A37)",
          "[dnssec]") {
  Bench bench;
  const RRset ds = ds_of(13);
  const auto only_sha1 = with(ds, [](Octets& o) { return o[3] == 1; });
  CHECK(bench.check_ds(only_sha1).security == Security::secure);
  // The better one is wrong: the weak one does not help.
  const auto downgraded = with(ds, [](Octets& o) {
    if (o[3] != 1) o.back() ^= 1;
    return true;
  });
  CHECK(bench.check_ds(downgraded).security == Security::bogus);
  OpensslVerifier strict({.sha1 = false, .keys_max = 10});
  CHECK(check_keys(bench.zone.at("example.", RRType::dnskey), anchor_of(only_sha1), {kNow, 300},
                   bench.work, strict)
            .security == Security::insecure);
}

TEST_CASE("dnssec/validate: keys that must not be used (fault A39)", "[dnssec]") {
  Bench bench;
  const RRset& keys = bench.zone.at("example.", RRType::dnskey);
  const auto ds_for = [&](std::uint8_t flags_high, std::uint8_t flags_low, std::uint8_t protocol) {
    RRset changed = with(keys, [&](Octets& o) {
      if ((o[1] & 1) == 0) return true;
      o[0] = flags_high;
      o[1] = flags_low;
      o[2] = protocol;
      return true;
    });
    return changed;
  };
  // As anchors by the keys themselves, so that the changed ones are named.
  const auto check = [&](const RRset& changed) {
    TrustAnchor anchor{name("example."), {}, {}};
    for (const Bytes rdata : changed.records) {
      if ((rdata[1] & 1) != 0) anchor.dnskey.emplace_back(rdata.begin(), rdata.end());
    }
    return check_keys(changed, anchor, {kNow, 300}, bench.work, bench.verifier).why.code;
  };
  CHECK(check(ds_for(0, 1, 3)) == Ede::no_zone_key_bit);
  CHECK(check(ds_for(1, 1, 4)) == Ede::no_zone_key_bit);
  CHECK(check(ds_for(1, 0x81, 3)) == Ede::dnskey_missing);  // revoked
  CHECK(usable_keys(keys).size() == 2);
  CHECK(usable_keys(ds_for(1, 0x81, 3)).size() == 1);
}

TEST_CASE("dnssec/validate: the DNSKEY set is signed by the key that is named, not by another",
          "[dnssec]") {
  Bench bench;
  const RRset& keys = bench.zone.at("example.", RRType::dnskey);
  // A key of an attacker's beside the right ones: the signature is over another set then.
  RRset more = keys;
  const SignedZone other(14);
  more.records.add(other.keys[0].rdata);
  CHECK(bench.check_ds(ds_of(13), more).security == Security::bogus);
  // Named is a key that has not signed the set.
  RRset by_one = keys;
  by_one.signatures = {};
  for (const Bytes rdata : keys.signatures) {
    if (bench.zone.key_of(*Rrsig::parse(rdata))->is_entry_point()) by_one.signatures.add(rdata);
  }
  REQUIRE(by_one.signatures.count() == 1);
  TrustAnchor zsk{name("example."), {}, {}};
  for (const Dnskey& key : bench.zone.keys) {
    if (!key.is_entry_point()) zsk.dnskey.emplace_back(key.rdata.begin(), key.rdata.end());
  }
  CHECK(check_keys(by_one, zsk, {kNow, 300}, bench.work, bench.verifier).security ==
        Security::bogus);
}

TEST_CASE("dnssec/validate: many DS and many keys cost no more hashes than there are (fault A43)",
          "[dnssec]") {
  Bench bench;
  const RRset& keys = bench.zone.at("example.", RRType::dnskey);
  RRset ds = ds_of(13);
  const Octets first(ds.records.bytes().begin() + 2, ds.records.bytes().begin() + 2 + 24);
  ds.records = {};
  for (int i = 0; i < 200; ++i) {
    Octets octets = first;
    octets.back() = static_cast<std::uint8_t>(i);
    octets[octets.size() - 2] = 0;
    ds.records.add(octets);
  }
  Work little({10, 16});
  const Finding finding = check_keys(keys, anchor_of(ds), {kNow, 300}, little, bench.verifier);
  CHECK(finding.security == Security::bogus);
  CHECK(finding.why.text == "example.: limit reached: names and keys hashed");
  CHECK(little.hashes() == 16);
}

TEST_CASE("dnssec/validate: the root's built-in keys equal Debian's dns-root-data", "[dnssec]") {
  std::ifstream file("/usr/share/dns/root.ds");
  if (!file) {
    WARN("dns-root-data is not installed");
    return;
  }
  std::stringstream text;
  text << file.rdbuf();
  const RRset set = text::parse_zone(text.str()).value().at(0);
  const TrustAnchor built_in = root_anchor();
  CHECK(built_in.zone.is_root());
  CHECK(built_in.ds.size() == 2);
  for (const Bytes rdata : set.records) {
    const Octets octets(rdata.begin(), rdata.end());
    CHECK(std::find(built_in.ds.begin(), built_in.ds.end(), octets) != built_in.ds.end());
  }
}

}  // namespace
}  // namespace siskin::dnssec::test
