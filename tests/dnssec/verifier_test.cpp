#include "siskin/dnssec/verifier.hpp"

#include "dnssec/signed_zone.hpp"
#include "support/catch.hpp"

namespace siskin::dnssec::test {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;
using Octets = std::vector<std::uint8_t>;

bool is_signed_well(OpensslVerifier& verifier, const SignedZone& zone, const RRset& set,
                    const Rrsig& signature) {
  const Dnskey* key = zone.key_of(signature);
  const auto data = signed_data(set, signature);
  return key != nullptr && data && verifier.verify(*key, *data, signature.signature);
}

/// `set` with one octet of its n-th record changed.
RRset changed(const RRset& set, std::size_t n, std::size_t octet) {
  RRset made = set;
  made.records = {};
  for (std::size_t i = 0; const Bytes rdata : set.records) {
    Octets octets(rdata.begin(), rdata.end());
    if (i++ == n) octets[octet % octets.size()] ^= 1;
    made.records.add(octets);
  }
  return made;
}

RRset reversed(const RRset& set) {
  RRset made = set;
  made.records = {};
  std::vector<Bytes> records(set.records.begin(), set.records.end());
  for (auto at = records.rbegin(); at != records.rend(); ++at) made.records.add(*at);
  return made;
}

TEST_CASE("dnssec/verifier: every signature that BIND makes is good, whatever the order",
          "[dnssec]") {
  OpensslVerifier verifier({});
  for (const int algorithm : {5, 7, 8, 10, 13, 14, 15, 16}) {
    CAPTURE(algorithm);
    const SignedZone zone(algorithm);
    std::size_t checked = 0;
    for (const RRset& set : zone.sets) {
      for (const Bytes rdata : set.signatures) {
        const Rrsig signature = Rrsig::parse(rdata).value();
        CAPTURE(set.owner.to_text(), to_string(set.type));
        CHECK(signature.covered == set.type);
        CHECK(signature.signer == Name::from_text("example.").value());
        CHECK(is_signed_well(verifier, zone, set, signature));
        CHECK(is_signed_well(verifier, zone, reversed(set), signature));
        ++checked;
      }
    }
    CHECK(checked > 30);
  }
}

TEST_CASE("dnssec/verifier: a changed record, owner, TTL or signature is not signed", "[dnssec]") {
  OpensslVerifier verifier({});
  for (const int algorithm : {5, 8, 10, 13, 14, 15, 16}) {
    CAPTURE(algorithm);
    const SignedZone zone(algorithm);
    const RRset& set = zone.at("mail.example.", RRType::a);
    const Rrsig signature = Rrsig::parse(*set.signatures.begin()).value();
    REQUIRE(is_signed_well(verifier, zone, set, signature));
    for (std::size_t n = 0; n < 3; ++n) {
      CHECK_FALSE(is_signed_well(verifier, zone, changed(set, n, 3), signature));
    }
    RRset less = set;
    less.records = {};
    less.records.add(*set.records.begin());
    CHECK_FALSE(is_signed_well(verifier, zone, less, signature));
    RRset elsewhere = set;
    elsewhere.owner = Name::from_text("mai1.example.").value();
    CHECK_FALSE(is_signed_well(verifier, zone, elsewhere, signature));
    RRset other_ttl = set;
    other_ttl.ttl = 1;  // the original one is in the signature
    CHECK(is_signed_well(verifier, zone, other_ttl, signature));
    for (const std::size_t octet : {0U, 1U, 2U, 3U, 4U, 8U, 17U, 25U, 30U}) {
      Octets forged(signature.rdata.begin(), signature.rdata.end());
      forged[octet] ^= 1;
      const auto other = Rrsig::parse(forged);
      if (!other || zone.key_of(*other) == nullptr) continue;
      CAPTURE(octet);
      CHECK_FALSE(is_signed_well(verifier, zone, set, *other));
    }
  }
}

TEST_CASE("dnssec/verifier: letter case does not matter where RFC 4034 section 6.2 says so",
          "[dnssec]") {
  OpensslVerifier verifier({});
  const SignedZone zone(13);
  RRset set = zone.at("example.", RRType::mx);
  const Rrsig signature = Rrsig::parse(*set.signatures.begin()).value();
  RRset shouted = set;
  shouted.owner = Name::from_text("EXAMPLE.").value();
  shouted.records = {};
  Octets rdata{0, 10};
  const Name host = Name::from_text("MAIL.EXAMPLE.").value();
  rdata.insert(rdata.end(), host.wire().begin(), host.wire().end());
  shouted.records.add(rdata);
  CHECK(is_signed_well(verifier, zone, shouted, signature));
}

TEST_CASE("dnssec/verifier: a wildcard's signature is over what it expands to", "[dnssec]") {
  OpensslVerifier verifier({});
  const SignedZone zone(13);
  RRset set = zone.at("*.wild.example.", RRType::mx);
  const Rrsig signature = Rrsig::parse(*set.signatures.begin()).value();
  CHECK(signed_labels(set.owner) == 2);
  CHECK_FALSE(is_expanded(signature, set.owner));
  set.owner = Name::from_text("a.b.wild.example.").value();
  CHECK(is_expanded(signature, set.owner));
  CHECK(is_signed_well(verifier, zone, set, signature));
  set.owner = Name::from_text("wild.example.").value();
  CHECK_FALSE(is_signed_well(verifier, zone, set, signature));
  set.owner = Name::from_text("example.").value();  // the signature has more labels
  CHECK_FALSE(signed_data(set, signature).has_value());
}

TEST_CASE("dnssec/verifier: each digest is of its key under its owner, and no other", "[dnssec]") {
  for (const int algorithm : {5, 7, 8, 10, 13, 14, 15, 16}) {
    CAPTURE(algorithm);
    const SignedZone zone(algorithm);
    const Name owner = Name::from_text("eXample.").value();
    const RRset set = read_sets("algorithm" + std::to_string(algorithm) + ".ds").at(0);
    REQUIRE(set.records.count() == 3);
    for (const Bytes rdata : set.records) {
      const Ds ds = Ds::parse(rdata).value();
      int of_keys = 0;
      for (const Dnskey& key : zone.keys) {
        CHECK(key.tag == key_tag(key.rdata));
        if (!is_digest_of(ds, owner, key)) continue;
        CHECK(key.is_entry_point());
        ++of_keys;
        CHECK_FALSE(is_digest_of(ds, Name::from_text("example.net.").value(), key));
        Octets cut(rdata.begin(), rdata.end() - 1);
        CHECK_FALSE(is_digest_of(Ds::parse(cut).value(), owner, key));
      }
      CHECK(of_keys == 1);
    }
  }
}

TEST_CASE("dnssec/verifier: keys are read once, and the oldest forgotten", "[dnssec]") {
  OpensslVerifier verifier({.sha1 = true, .keys_max = 2});
  std::vector<std::unique_ptr<SignedZone>> zones;
  for (const int algorithm : {13, 14, 15}) zones.push_back(std::make_unique<SignedZone>(algorithm));
  const auto ask = [&](std::size_t zone) {
    const RRset& set = zones[zone]->at("mail.example.", RRType::a);
    CHECK(
        is_signed_well(verifier, *zones[zone], set, Rrsig::parse(*set.signatures.begin()).value()));
  };
  ask(0);
  ask(0);
  ask(1);
  CHECK(verifier.keys_read() == 2);
  ask(0);
  ask(2);  // in place of 1
  ask(0);
  CHECK(verifier.keys_read() == 3);
  ask(1);
  CHECK(verifier.keys_read() == 4);
}

TEST_CASE("dnssec/verifier: SHA-1 is a matter of choice", "[dnssec]") {
  const OpensslVerifier with({});
  const OpensslVerifier without({.sha1 = false, .keys_max = 2});
  for (const auto algorithm : {Algorithm::rsasha1, Algorithm::rsasha1_nsec3}) {
    CHECK(with.supports(algorithm));
    CHECK_FALSE(without.supports(algorithm));
  }
  CHECK_FALSE(without.supports(DigestType::sha1));
  for (const int other : {8, 10, 13, 14, 15, 16}) {
    CHECK(without.supports(static_cast<Algorithm>(other)));
  }
  for (const int unknown : {0, 1, 3, 6, 9, 11, 12, 17, 252, 253, 255}) {
    CHECK_FALSE(with.supports(static_cast<Algorithm>(unknown)));
  }
  for (const int unknown : {0, 3, 5, 255}) {
    CHECK_FALSE(with.supports(static_cast<DigestType>(unknown)));
  }
}

TEST_CASE("dnssec/verifier: keys that are none, or cost too much, sign nothing (fault A41)",
          "[dnssec]") {
  OpensslVerifier verifier({});
  const Octets data{1, 2, 3};
  const auto verifies = [&](std::uint8_t algorithm, const Octets& key, std::size_t signature) {
    Octets rdata{1, 0, 3, algorithm};
    rdata.insert(rdata.end(), key.begin(), key.end());
    const auto parsed = Dnskey::parse(rdata);
    return parsed && verifier.verify(*parsed, data, Octets(signature, 1));
  };
  const auto rsa = [](const Octets& exponent, std::size_t modulus) {
    Octets key{0, static_cast<std::uint8_t>(exponent.size() >> 8),
               static_cast<std::uint8_t>(exponent.size())};
    key.insert(key.end(), exponent.begin(), exponent.end());
    key.insert(key.end(), modulus, 0xff);
    return key;
  };
  CHECK_FALSE(verifies(8, {}, 128));
  CHECK_FALSE(verifies(8, {0}, 128));
  CHECK_FALSE(verifies(8, {3, 1, 0}, 128));
  CHECK_FALSE(verifies(8, rsa({1, 0, 1}, 63), 63));           // 504 bits
  CHECK_FALSE(verifies(8, rsa({1, 0, 1}, 513), 513));         // 4104 bits
  CHECK_FALSE(verifies(8, rsa(Octets(64, 0xff), 256), 256));  // an exponent of 512 bits
  CHECK_FALSE(verifies(8, rsa({1}, 256), 256));
  CHECK_FALSE(verifies(8, rsa({2}, 256), 256));
  CHECK_FALSE(verifies(8, rsa(Octets(60000, 1), 5000), 256));
  CHECK_FALSE(verifies(13, Octets(63, 1), 64));
  CHECK_FALSE(verifies(13, Octets(64, 1), 64));  // not on the curve
  CHECK_FALSE(verifies(13, Octets(64, 0), 64));
  CHECK_FALSE(verifies(14, Octets(96, 7), 96));
  CHECK_FALSE(verifies(15, Octets(31, 1), 64));
  CHECK_FALSE(verifies(15, Octets(32, 0xff), 64));
  CHECK_FALSE(verifies(16, Octets(57, 0xff), 114));
  CHECK_FALSE(verifies(16, Octets(20, 0xff), 114));
}

TEST_CASE("dnssec/verifier: signatures of every wrong length are bad", "[dnssec]") {
  OpensslVerifier verifier({});
  for (const int algorithm : {8, 13, 14, 15, 16}) {
    const SignedZone zone(algorithm);
    const RRset& set = zone.at("mail.example.", RRType::a);
    const Rrsig signature = Rrsig::parse(*set.signatures.begin()).value();
    const auto data = signed_data(set, signature).value();
    const Dnskey& key = *zone.key_of(signature);
    for (std::size_t size = 0; size < 300; ++size) {
      if (size == signature.signature.size()) continue;
      CHECK_FALSE(verifier.verify(key, data, Octets(size, 1)));
    }
  }
}

TEST_CASE("dnssec/verifier: periods by serial arithmetic, with a skew", "[dnssec]") {
  Rrsig signature;
  signature.inception = 1000;
  signature.expiration = 2000;
  CHECK(period_of(signature, 999, 0) == Period::not_begun);
  CHECK(period_of(signature, 1000, 0) == Period::current);
  CHECK(period_of(signature, 2000, 0) == Period::current);
  CHECK(period_of(signature, 2001, 0) == Period::over);
  CHECK(period_of(signature, 900, 100) == Period::current);
  CHECK(period_of(signature, 899, 100) == Period::not_begun);
  CHECK(period_of(signature, 2100, 100) == Period::current);
  CHECK(period_of(signature, 2101, 100) == Period::over);
  CHECK(seconds_left(signature, 1990) == 10);
  CHECK(seconds_left(signature, 2000) == 0);
  CHECK(seconds_left(signature, 3000) == 0);

  signature.inception = 0xffffff00;  // February 2106
  signature.expiration = 0x100;
  CHECK(period_of(signature, 0xfffffeff, 0) == Period::not_begun);
  CHECK(period_of(signature, 0xffffffff, 0) == Period::current);
  CHECK(period_of(signature, 5, 0) == Period::current);
  CHECK(period_of(signature, 0x101, 0) == Period::over);

  signature.inception = 2000;  // begins after its end
  signature.expiration = 1000;
  CHECK(period_of(signature, 1500, 0) == Period::over);
}

}  // namespace
}  // namespace siskin::dnssec::test
