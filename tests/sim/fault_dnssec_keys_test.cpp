/// Keys that vouch for nothing, and forgers who leave a zone only the weakest of what vouches for
/// it: verdict, exchanges, signatures and hashes of a whole query.
#include "sim/signed_world.hpp"
#include "support/catch.hpp"

namespace siskin::sim {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

using Octets = std::vector<std::uint8_t>;

constexpr std::string_view kZone = "keyed.example.";
constexpr std::string_view kKeyed = "192.0.2.7";

Name name(std::string_view text) {
  return Name::from_text(text).value();
}

RRset set_of(std::string_view owner, RRType type, const std::vector<Octets>& rdata) {
  RRset set{name(owner), type, 3600, {}, {}};
  for (const Octets& one : rdata) set.records.add(one);
  return set;
}

/// All that one look-up says and costs.
struct Told {
  std::string verdict;
  unsigned exchanges = 0;
  unsigned signatures = 0;
  unsigned hashes = 0;
};

/// A zone below example. with that DS set, which serves these keys and, perhaps, another www.
class KeyedWorld {
 public:
  KeyedWorld(const std::vector<Octets>& ds, RRset keys, const std::optional<RRset>& www = {})
      : signed_world_({}, delegation(ds)) {
    World& world = signed_world_.world;
    world.add_zone(std::string(kZone), sign(kZone, R"(
$TTL 3600
@   NS ns
ns  A 192.0.2.7
www A 192.0.2.97
)"));
    Server& server = world.add_server(std::string(kKeyed), {std::string(kZone)});
    server.vices.hooks.push_back([keys = std::move(keys), www](const Query& query, Reply& reply) {
      if (query.type == RRType::dnskey && query.name == keys.owner) reply.answer = {keys};
      if (www && query.type == RRType::a && query.name == www->owner) reply.answer = {*www};
    });
  }

  Told ask() {
    SimResolver resolver(signed_world_.world, validating());
    const resolve::Outcome outcome = resolver.ask("www.keyed.example.", RRType::a);
    return {verdict_of(outcome), outcome.exchanges, outcome.signatures, outcome.hashes};
  }

 private:
  static std::string delegation(const std::vector<Octets>& ds) {
    std::string text = "keyed NS ns.keyed\nns.keyed A 192.0.2.7\n";
    for (const Octets& one : ds) text += generic_line(name(kZone), RRType::ds, 3600, one);
    return text;
  }

  SignedWorld signed_world_;
};

RRset own_keys() {
  RRset keys = set_of(kZone, RRType::dnskey, {dnskey_of(kZone)});
  sign_set(keys, kZone);
  return keys;
}

/// Root, TLD and zone: each asked on the way down and for its keys.
constexpr unsigned kExchanges = 6;
/// What was bogus is asked of the zone above too, which might serve both.
constexpr unsigned kAskedAbove = 2;
/// Keys of root and TLD, and the DS sets in them.
constexpr unsigned kSignaturesAbove = 4;
constexpr unsigned kHashesAbove = 2;

void check(const Told& told, std::string_view verdict, unsigned signatures, unsigned hashes,
           unsigned exchanges = kExchanges) {
  CHECK(told.verdict == verdict);
  CHECK(told.signatures == kSignaturesAbove + signatures);
  CHECK(told.hashes == kHashesAbove + hashes);
  CHECK(told.exchanges == exchanges);
}

std::string tag_of(Bytes dnskey) {
  return std::to_string(dnssec::key_tag(dnskey));
}

TEST_CASE("fault A37: a key that only the SHA-1 DS names is not the zone's", "[sim][fault]") {
  const Octets forged = dnskey_of(kZone, {.key = 9});
  RRset keys = set_of(kZone, RRType::dnskey, {forged});
  sign_set(keys, kZone, {.key = 9});
  RRset www = set_of("www.keyed.example.", RRType::a, {{203, 0, 113, 66}});
  sign_set(www, kZone, {.key = 9});
  KeyedWorld world({ds_of(kZone, forged, 1), ds_of(kZone, dnskey_of(kZone), 2)}, keys, www);
  check(world.ask(),
        "SERVFAIL EDE 9 keyed.example.: no DNSKEY that goes with DS " + tag_of(dnskey_of(kZone)), 0,
        0, kExchanges + kAskedAbove);
}

TEST_CASE("fault A37: digests beside the one that fits change nothing", "[sim][fault]") {
  const Octets own = dnskey_of(kZone);
  for (const auto& more : {ds_of(kZone, dnskey_of(kZone, {.key = 9}), 4), ds_of(kZone, own, 1)}) {
    KeyedWorld world({ds_of(kZone, own, 2), more}, own_keys());
    check(world.ask(), "NOERROR secure", 2, 1);
  }
}

TEST_CASE("fault A37: an algorithm whose signatures are stripped is not missed", "[sim][fault]") {
  Octets other = ds_of(kZone, dnskey_of(kZone, {.key = 9}));
  other[2] = 13;
  KeyedWorld world({other, ds_of(kZone, dnskey_of(kZone))}, own_keys());
  check(world.ask(), "NOERROR secure", 2, 1);
}

TEST_CASE("fault A37: an unknown algorithm beside a known one makes no zone unsigned",
          "[sim][fault]") {
  Octets unknown = ds_of(kZone, dnskey_of(kZone));
  unknown[2] = 200;
  Octets wrong = ds_of(kZone, dnskey_of(kZone));
  wrong.back() ^= 1;
  KeyedWorld bogus({unknown, wrong}, own_keys());
  check(bogus.ask(),
        "SERVFAIL EDE 9 keyed.example.: no DNSKEY that goes with DS " + tag_of(dnskey_of(kZone)), 0,
        1, kExchanges + kAskedAbove);
  KeyedWorld insecure({unknown}, own_keys());
  check(insecure.ask(), "NOERROR EDE 1 keyed.example.: no DS with an algorithm known here", 0, 0,
        kExchanges - 1);
}

TEST_CASE("fault A39: keys that are revoked, no zone's or of another protocol vouch for nothing",
          "[sim][fault]") {
  for (const ZoneKey& odd : {ZoneKey{.flags = kRevoked}, ZoneKey{.flags = 0x0001},
                             ZoneKey{.flags = 0x0101, .protocol = 2}}) {
    CAPTURE(odd.flags, odd.protocol);
    const Octets key = dnskey_of(kZone, odd);
    RRset keys = set_of(kZone, RRType::dnskey, {key});
    sign_by(keys, kZone, odd);
    RRset www = set_of("www.keyed.example.", RRType::a, {{203, 0, 113, 66}});
    sign_by(www, kZone, odd);
    KeyedWorld world({ds_of(kZone, key)}, keys, www);
    const std::string why =
        odd.flags == kRevoked
            ? "EDE 9 keyed.example.: no DNSKEY that goes with DS " + tag_of(key)
            : std::string("EDE 11 keyed.example.: the key of its DS is no zone key");
    check(world.ask(), "SERVFAIL " + why, 0, 1, kExchanges + kAskedAbove);
  }
}

TEST_CASE("fault A39: the key that the DS names has to sign the keys itself", "[sim][fault]") {
  const ZoneKey second{.key = 9, .flags = 0x0100};
  RRset keys = set_of(kZone, RRType::dnskey, {dnskey_of(kZone), dnskey_of(kZone, second)});
  sign_by(keys, kZone, second);
  KeyedWorld world({ds_of(kZone, dnskey_of(kZone))}, keys);
  check(world.ask(),
        "SERVFAIL EDE 9 keyed.example. DNSKEY: signed by key " + tag_of(dnskey_of(kZone, second)) +
            ", which is none",
        0, 1, kExchanges + kAskedAbove);
}

TEST_CASE("fault A39: a key below the apex signs for nobody", "[sim][fault]") {
  RRset www = set_of("www.keyed.example.", RRType::a, {{203, 0, 113, 66}});
  sign_set(www, "www.keyed.example.");
  KeyedWorld world({ds_of(kZone, dnskey_of(kZone))}, own_keys(), www);
  // Two more of the zone's signatures: the proof that there is no zone of that name.
  check(world.ask(), "SERVFAIL EDE 6 www.keyed.example.: signed by www.keyed.example., no zone", 3,
        1, kExchanges + kAskedAbove);
}

/// A key that is none, and a DS that names it.
struct Monster {
  const char* what;
  Octets key;
};

Octets rsa(std::size_t exponent, std::size_t modulus, std::uint8_t filling = 0xff) {
  Octets rdata{
      1, 1, 3, 8, 0, static_cast<std::uint8_t>(exponent >> 8), static_cast<std::uint8_t>(exponent)};
  rdata.insert(rdata.end(), exponent + modulus, filling);
  return rdata;
}

Octets of(std::uint8_t algorithm, std::size_t size) {
  Octets rdata{1, 1, 3, algorithm};
  rdata.insert(rdata.end(), size, 1);
  return rdata;
}

std::vector<Monster> monsters() {
  return {{"RSA, an exponent of 4096 bits", rsa(512, 256)},
          {"RSA, a modulus of 16,384 bits", rsa(3, 2048)},
          {"RSA, no modulus", rsa(3, 0)},
          {"RSA, all zeros", rsa(3, 256, 0)},
          {"RSA, an exponent past the end", {1, 1, 3, 8, 0, 0xff, 0xff, 1, 0, 1}},
          {"ECDSA, too short", of(13, 63)},
          {"ECDSA, too long", of(14, 97)},
          {"ECDSA, not on the curve", of(13, 64)},
          {"Ed25519, one octet", of(15, 1)}};
}

/// Signatures that name the key and fit its algorithm.
void sign_for(RRset& set, const Octets& key) {
  RRset as_own = set;
  as_own.signatures = {};
  sign_set(as_own, kZone);
  const Bytes signature = *as_own.signatures.begin();
  Octets rdata(signature.begin(), signature.end());
  rdata[2] = key[3];
  const std::uint16_t tag = dnssec::key_tag(key);
  rdata[16] = static_cast<std::uint8_t>(tag >> 8);
  rdata[17] = static_cast<std::uint8_t>(tag);
  set.signatures.add(rdata);
}

TEST_CASE("fault A41: a key that is none but has its DS is a failure, and is tried once",
          "[sim][fault]") {
  for (const Monster& monster : monsters()) {
    CAPTURE(monster.what);
    RRset keys = set_of(kZone, RRType::dnskey, {monster.key, dnskey_of(kZone)});
    sign_set(keys, kZone);  // the good key's, which no DS names
    sign_for(keys, monster.key);
    KeyedWorld world({ds_of(kZone, monster.key)}, keys);
    // The longest comes over TCP.
    const unsigned over_tcp = monster.key.size() > 1232 ? 1 : 0;
    check(world.ask(),
          "SERVFAIL EDE 6 keyed.example. DNSKEY: signature by key " + tag_of(monster.key) +
              " is wrong",
          1, 1, kExchanges + kAskedAbove + over_tcp);
  }
}

TEST_CASE("fault A41: a key without a key in it is no record", "[sim][fault]") {
  RRset keys = set_of(kZone, RRType::dnskey, {{1, 1, 3, 8}, dnskey_of(kZone)});
  sign_set(keys, kZone);
  KeyedWorld world({ds_of(kZone, dnskey_of(kZone))}, keys);
  // Twice over UDP and then TCP.
  check(world.ask(),
        "SERVFAIL EDE 9 keyed.example. DNSKEY: servers of keyed.example.: 192.0.2.7 malformed: bad "
        "RDATA of DNSKEY",
        0, 0, kExchanges + kAskedAbove + 3);
}

TEST_CASE("fault B103: signatures of unknown algorithms leave the known one its turn",
          "[sim][fault]") {
  RRset good = set_of("www.keyed.example.", RRType::a, {{192, 0, 2, 97}});
  sign_set(good, kZone);
  const Bytes signature = *good.signatures.begin();
  for (const int count : {2, 40}) {
    RRset mixed = good;
    mixed.signatures = {};
    for (int i = 0; i < count; ++i) {
      Octets unknown(signature.begin(), signature.end());
      unknown[2] = static_cast<std::uint8_t>(200 + i % 2);
      unknown.back() = static_cast<std::uint8_t>(i);
      mixed.signatures.add(unknown);
    }
    mixed.signatures.add(signature);
    KeyedWorld world({ds_of(kZone, dnskey_of(kZone))}, own_keys(), mixed);
    // Forty do not fit into a datagram.
    check(world.ask(), "NOERROR secure", 2, 1, count == 40 ? kExchanges + 1 : kExchanges);
  }
}

}  // namespace
}  // namespace siskin::sim
