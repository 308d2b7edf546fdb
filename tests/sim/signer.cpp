#include "sim/signer.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "dnssec/nsec3.hpp"
#include "siskin/dnssec/denial.hpp"
#include "siskin/text/zone.hpp"

namespace siskin::sim {
namespace {

using dnssec::Rrsig;
using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

using Octets = std::vector<std::uint8_t>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

constexpr std::size_t kKeySize = 32;
constexpr std::uint8_t kEd25519 = 15;
constexpr std::string_view kSalt = "aabb";
constexpr std::uint32_t kDenialTtl = 300;

Name name_of(std::string_view text) {
  const auto name = Name::from_text(text);
  if (!name) throw std::invalid_argument("not a name: " + std::string(text));
  return name->lowered();
}

void put16(Octets& out, std::size_t value) {
  out.push_back(static_cast<std::uint8_t>(value >> 8));
  out.push_back(static_cast<std::uint8_t>(value));
}

void put32(Octets& out, std::uint32_t value) {
  put16(out, value >> 16);
  put16(out, value & 0xffff);
}

void put(Octets& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

Key private_key(const Name& zone, std::uint32_t number) {
  std::array<std::uint8_t, kKeySize> seed{};
  for (std::size_t i = 0; i < zone.size(); ++i) {
    seed[i % kKeySize] = static_cast<std::uint8_t>(31 * seed[i % kKeySize] + zone.wire()[i] + i);
  }
  seed[0] = static_cast<std::uint8_t>(seed[0] + number);
  return {EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()),
          &EVP_PKEY_free};
}

Octets dnskey_rdata(const Name& zone, const ZoneKey& form) {
  const Key key = private_key(zone, form.key);
  std::array<std::uint8_t, kKeySize> octets{};
  std::size_t size = octets.size();
  EVP_PKEY_get_raw_public_key(key.get(), octets.data(), &size);
  Octets rdata;
  put16(rdata, form.flags);
  rdata.push_back(form.protocol);
  rdata.push_back(kEd25519);
  put(rdata, octets);
  return rdata;
}

Octets signature_over(const Octets& data, const Name& zone, std::uint32_t number) {
  const Key key = private_key(zone, number);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  Octets signature(64);
  std::size_t size = signature.size();
  EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get());
  EVP_DigestSign(context.get(), signature.data(), &size, data.data(), data.size());
  return signature;
}

void sign_with(RRset& set, const Name& zone, const SignOptions& options, const ZoneKey& by) {
  const Octets key = dnskey_rdata(zone, by);
  Octets rdata;
  put16(rdata, static_cast<std::size_t>(set.type));
  rdata.push_back(kEd25519);
  rdata.push_back(static_cast<std::uint8_t>(dnssec::signed_labels(set.owner)));
  put32(rdata, set.ttl);
  put32(rdata, options.expiration);
  put32(rdata, options.inception);
  put16(rdata, dnssec::key_tag(key));
  put(rdata, zone.wire());
  Octets whole = rdata;
  whole.push_back(0);  // so that there is a signature to be read
  const auto head = Rrsig::parse(whole);
  const auto data = head ? dnssec::signed_data(set, *head) : std::nullopt;
  if (!data) throw std::invalid_argument("cannot be signed: " + set.owner.to_text());
  put(rdata, signature_over(*data, zone, by.key));
  set.signatures.add(rdata);
}

void sign_with(RRset& set, const Name& zone, const SignOptions& options) {
  sign_with(set, zone, options, {.key = options.key});
  if (set.type != RRType::dnskey) return;
  for (const ZoneKey& more : options.more_keys) {
    if (more.signs) sign_with(set, zone, options, more);
  }
}

Octets bitmap(const std::set<RRType>& types) {
  std::map<unsigned, Octets> windows;
  for (const RRType type : types) {
    const auto number = static_cast<unsigned>(type);
    Octets& window = windows[number >> 8];
    const std::size_t at = (number & 0xff) / 8;
    if (window.size() <= at) window.resize(at + 1);
    window[at] = static_cast<std::uint8_t>(window[at] | 0x80 >> (number & 7));
  }
  Octets out;
  for (const auto& [number, octets] : windows) {
    out.push_back(static_cast<std::uint8_t>(number));
    out.push_back(static_cast<std::uint8_t>(octets.size()));
    put(out, octets);
  }
  return out;
}

std::string base32hex(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuv";
  std::string text;
  unsigned bits = 0;
  unsigned held = 0;
  for (const std::uint8_t octet : bytes) {
    held = held << 8 | octet;
    for (bits += 8; bits >= 5; bits -= 5) text += kDigits[held >> (bits - 5) & 31U];
  }
  return text;
}

struct Before {
  bool operator()(const Name& a, const Name& b) const {
    return dnssec::compare_canonical(a, b) < 0;
  }
};

/// A zone while it is being signed.
class Signing {
 public:
  Signing(std::string_view origin, std::string_view text, const SignOptions& options)
      : origin_(name_of(origin)), options_(options) {
    auto parsed = text::parse_zone(text, {origin_, 3600});
    if (!parsed) throw std::invalid_argument(to_string(parsed.error()));
    sets_ = std::move(*parsed);
  }

  std::string run() {
    add_soa();
    add({origin_, RRType::dnskey, 3600, {}, {}}, dnskey_rdata(origin_, {.key = options_.key}));
    for (const ZoneKey& more : options_.more_keys) {
      sets_.back().records.add(dnskey_rdata(origin_, more));
    }
    if (options_.nsec3) add({origin_, RRType::nsec3param, 0, {}, {}}, parameters(0));
    collect();
    if (options_.nsec3) {
      add_nsec3();
    } else {
      add_nsec();
    }
    std::string text;
    for (RRset& set : sets_) {
      if (is_signed(set)) sign_with(set, origin_, options_);
      for (const Bytes rdata : set.records) {
        text += generic_line(set.owner, set.type, set.ttl, rdata);
      }
      for (const Bytes rdata : set.signatures) {
        text += generic_line(set.owner, RRType::rrsig, set.ttl, rdata);
      }
    }
    return text;
  }

 private:
  void add(RRset set, Bytes rdata) {
    set.records.add(rdata);
    sets_.push_back(std::move(set));
  }

  void add_soa() {
    const auto is_soa = [](const RRset& set) { return set.type == RRType::soa; };
    if (std::ranges::any_of(sets_, is_soa)) return;
    auto soa = text::parse_zone("@ 3600 SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n",
                                {origin_, 3600});
    sets_.push_back(std::move(soa->front()));
  }

  bool is_cut(const Name& name) const { return name != origin_ && has(name, RRType::ns); }

  bool has(const Name& name, RRType type) const {
    return std::ranges::any_of(
        sets_, [&](const RRset& set) { return set.type == type && set.owner == name; });
  }

  /// Glue, or what a cut hides.
  bool is_below_cut(const Name& name) const {
    for (Name above = name; above != origin_;) {
      above = above.parent();
      if (is_cut(above)) return true;
    }
    return false;
  }

  bool is_signed(const RRset& set) const {
    const auto& left_out = options_.unsigned_types;
    if (is_below_cut(set.owner) || std::ranges::find(left_out, set.type) != left_out.end()) {
      return false;
    }
    return !is_cut(set.owner) || set.type == RRType::ds || set.type == RRType::nsec;
  }

  void collect() {
    for (const RRset& set : sets_) {
      if (is_below_cut(set.owner)) continue;
      std::set<RRType>& types = types_[set.owner.lowered()];
      const bool is_there = !is_cut(set.owner) || set.type == RRType::ns || set.type == RRType::ds;
      if (!is_there) continue;
      types.insert(set.type);
      if (is_signed(set)) types.insert(RRType::rrsig);
    }
  }

  void add_nsec() {
    for (auto at = types_.begin(); at != types_.end(); ++at) {
      const auto next = std::next(at) == types_.end() ? types_.begin() : std::next(at);
      std::set<RRType> types = at->second;
      types.insert({RRType::nsec, RRType::rrsig});
      Octets rdata(next->first.wire().begin(), next->first.wire().end());
      put(rdata, bitmap(types));
      add({at->first, RRType::nsec, kDenialTtl, {}, {}}, rdata);
    }
  }

  Octets parameters(unsigned flags) const {
    Octets rdata{1, static_cast<std::uint8_t>(flags)};
    put16(rdata, options_.iterations);
    rdata.push_back(static_cast<std::uint8_t>(kSalt.size()));
    put(rdata, salt());
    return rdata;
  }

  static Octets salt() { return {kSalt.begin(), kSalt.end()}; }

  void add_nsec3() {
    std::map<dnssec::Nsec3Hash, std::set<RRType>> hashed;
    for (const auto& [name, types] : types_) {
      if (options_.opt_out && is_cut(name) && !types.contains(RRType::ds)) continue;
      for (Name above = name; above != origin_; above = above.parent()) {
        hashed[dnssec::nsec3_hash(above, salt(), options_.iterations)];
      }
      hashed[dnssec::nsec3_hash(name, salt(), options_.iterations)] = types;
    }
    for (auto at = hashed.begin(); at != hashed.end(); ++at) {
      const auto next = std::next(at) == hashed.end() ? hashed.begin() : std::next(at);
      Octets rdata = parameters(options_.opt_out ? 1 : 0);
      rdata.push_back(static_cast<std::uint8_t>(next->first.size()));
      put(rdata, next->first);
      put(rdata, bitmap(at->second));
      const std::string label = base32hex(at->first);
      const auto owner =
          origin_.with_label({reinterpret_cast<const std::uint8_t*>(label.data()), label.size()});
      add({owner.value(), RRType::nsec3, kDenialTtl, {}, {}}, rdata);
    }
  }

  Name origin_;
  const SignOptions& options_;
  std::vector<RRset> sets_;
  std::map<Name, std::set<RRType>, Before> types_;  ///< at names of the zone itself and at cuts
};

}  // namespace

std::string sign(std::string_view origin, std::string_view text, const SignOptions& options) {
  return Signing(origin, text, options).run();
}

std::string ds_line(std::string_view origin, std::uint32_t key) {
  const dnssec::TrustAnchor anchor = anchor_for(origin, key);
  return generic_line(anchor.zone, RRType::ds, 3600, anchor.ds.front());
}

Octets dnskey_of(std::string_view origin, const ZoneKey& key) {
  return dnskey_rdata(name_of(origin), key);
}

Octets ds_of(std::string_view origin, Bytes dnskey, std::uint8_t digest) {
  const Name zone = name_of(origin);
  Octets data(zone.wire().begin(), zone.wire().end());
  put(data, dnskey);
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> octets{};
  unsigned size = 0;
  const EVP_MD* const kind = digest == 1 ? EVP_sha1() : digest == 4 ? EVP_sha384() : EVP_sha256();
  EVP_Digest(data.data(), data.size(), octets.data(), &size, kind, nullptr);
  Octets ds;
  put16(ds, dnssec::key_tag(dnskey));
  ds.push_back(dnskey[3]);
  ds.push_back(digest);
  put(ds, Bytes(octets).first(size));
  return ds;
}

dnssec::TrustAnchor anchor_for(std::string_view origin, std::uint32_t key) {
  dnssec::TrustAnchor anchor;
  anchor.zone = name_of(origin);
  anchor.ds.push_back(ds_of(origin, dnskey_of(origin, {.key = key})));
  return anchor;
}

void sign_set(RRset& set, std::string_view origin, const SignOptions& options) {
  sign_with(set, name_of(origin), options);
}

void sign_by(RRset& set, std::string_view origin, const ZoneKey& key) {
  sign_with(set, name_of(origin), {}, key);
}

std::string generic_line(const Name& owner, RRType type, std::uint32_t ttl, Bytes rdata) {
  std::string line = fmt::format("{} {} IN TYPE{} \\# {} ", owner.to_text(), ttl,
                                 static_cast<unsigned>(type), rdata.size());
  for (const std::uint8_t octet : rdata) line += fmt::format("{:02x}", octet);
  return line + '\n';
}

}  // namespace siskin::sim
