/// Fuzz target: keys, signatures, sets and denial records of any octets before the validator's
/// plain functions, and so before OpenSSL and ldns.  Signatures are made to fit the keys in all but
/// the cryptography, or hardly any would get that far.
#include "siskin/base/check.hpp"
#include "siskin/dnssec/denial.hpp"
#include "siskin/dnssec/validate.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::dnssec::fuzz {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::uint32_t kNow = 1'800'000'000;
constexpr std::size_t kRecordsMax = 24;
constexpr std::array kAlgorithms{1, 3, 5, 7, 8, 10, 13, 14, 15, 16, 253};
constexpr std::array kTypes{RRType::a,     RRType::txt,   RRType::mx,    RRType::soa,
                            RRType::dname, RRType::cname, RRType::srv,   RRType::nsec,
                            RRType::nsec3, RRType::ds,    RRType::naptr, RRType{65280},
                            RRType::svcb};

void put(std::vector<std::uint8_t>& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void put(std::vector<std::uint8_t>& out, std::uint32_t value, unsigned octets) {
  for (; octets > 0; --octets) out.push_back(static_cast<std::uint8_t>(value >> 8 * (octets - 1)));
}

class Input {
 public:
  explicit Input(Bytes bytes) : in_(bytes) {}

  bool is_empty() const { return in_.remaining() == 0; }
  unsigned below(std::size_t limit) { return static_cast<unsigned>(u8() % limit); }
  std::uint8_t u8() { return is_empty() ? std::uint8_t{0} : in_.u8(); }
  Bytes octets() {
    const std::size_t size = u8() * (below(8) == 0 ? 5U : 1U);
    return in_.bytes(std::min(size, in_.remaining()));
  }
  Name name(const Name& zone) {
    Name name = zone;
    for (unsigned labels = below(4); labels > 0; --labels) {
      const Bytes label = in_.bytes(std::min<std::size_t>(1 + below(63), in_.remaining()));
      name = name.with_label(label).value_or(name);
    }
    return name;
  }

 private:
  wire::Reader in_;
};

struct Scene {
  Name zone = Name::from_text("example.").value();
  RRset dnskeys;
  std::vector<RRset> sets;

  explicit Scene(Input& input) {
    dnskeys.owner = zone;
    dnskeys.type = RRType::dnskey;
    dnskeys.ttl = 3600;
    for (unsigned count = 1 + input.below(kRecordsMax); count > 0; --count) add_key(input);
    sign(dnskeys, input);
    for (unsigned count = input.below(6); count > 0; --count) add_set(input);
  }

  void add_key(Input& input) {
    std::vector<std::uint8_t> rdata;
    put(rdata, input.below(8) == 0 ? input.u8() : 257, 2);
    rdata.push_back(3);
    rdata.push_back(static_cast<std::uint8_t>(kAlgorithms[input.below(kAlgorithms.size())]));
    put(rdata, input.octets());
    dnskeys.records.add(rdata);
  }

  void add_set(Input& input) {
    RRset& set = sets.emplace_back();
    set.owner = input.name(zone);
    set.type = kTypes[input.below(kTypes.size())];
    set.ttl = input.u8();
    for (unsigned count = 1 + input.below(4); count > 0; --count) {
      const Bytes rdata = input.octets();
      if (wire::is_well_formed(set.type, rdata)) set.records.add(rdata);
    }
    sign(set, input);
  }

  /// By some of the keys.
  void sign(RRset& set, Input& input) const {
    for (unsigned count = input.below(kRecordsMax); count > 0; --count) {
      unsigned skip = input.below(dnskeys.records.count());
      auto at = dnskeys.records.begin();
      for (; skip > 0; --skip) ++at;
      const auto key = Dnskey::parse(*at);
      if (!key) continue;
      std::vector<std::uint8_t> rdata;
      put(rdata, static_cast<std::uint32_t>(set.type), 2);
      rdata.push_back(static_cast<std::uint8_t>(key->algorithm));
      const std::size_t labels = signed_labels(set.owner);
      rdata.push_back(
          static_cast<std::uint8_t>(labels - std::min<std::size_t>(labels, input.below(2))));
      put(rdata, input.u8(), 4);
      put(rdata, kNow + 1000, 4);
      put(rdata, kNow - 1000, 4);
      put(rdata, key->tag, 2);
      put(rdata, zone.wire());
      put(rdata, input.octets());
      set.signatures.add(rdata);
    }
  }
};

void run(Bytes bytes) {
  Input input(bytes);
  const Scene scene(input);
  OpensslVerifier verifier({.sha1 = input.below(2) == 0, .keys_max = 4});
  Work work({.signatures = 64, .hashes = 128});
  const Moment moment{kNow, 300};
  TrustAnchor anchor;
  anchor.zone = scene.zone;
  for (const Bytes rdata : scene.dnskeys.records)
    anchor.dnskey.emplace_back(rdata.begin(), rdata.end());
  (void)check_keys(scene.dnskeys, anchor, moment, work, verifier);
  const auto keys = usable_keys(scene.dnskeys);
  for (const RRset& set : scene.sets) {
    const std::uint32_t before = work.signatures();
    (void)check_set(set, scene.zone, keys, moment, work, verifier);
    SISKIN_CHECK(work.signatures() - before <= kAttemptsMax);
    if (set.type == RRType::ds)
      (void)check_keys(scene.dnskeys, anchor_of(set), moment, work, verifier);
  }
  const Denial denial(scene.zone, scene.sets);
  const Name name = input.name(scene.zone);
  (void)denial.no_name(name, work);
  (void)denial.no_data(name, RRType::a, work);
  (void)denial.no_ds(name, work);
  (void)denial.no_closer_match(name, input.below(4), work);
  SISKIN_CHECK(work.signatures() <= 64 && work.hashes() <= 128);
}

}  // namespace
}  // namespace siskin::dnssec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  siskin::dnssec::fuzz::run({data, size});
  return 0;
}
