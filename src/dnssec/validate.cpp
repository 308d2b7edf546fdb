#include "siskin/dnssec/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace siskin::dnssec {
namespace {

using wire::brief_text;
using wire::Bytes;
using wire::Ede;
using wire::Name;
using wire::RRset;

Finding bogus(Ede code, std::string words) {
  Finding finding;
  finding.security = Security::bogus;
  finding.why = {code, std::move(words)};
  return finding;
}

Finding insecure(Ede code, std::string words) {
  Finding finding = bogus(code, std::move(words));
  finding.security = Security::insecure;
  return finding;
}

/// Tries the signatures of one set, best reason last.
class SetCheck {
 public:
  SetCheck(const RRset& set, const Name& zone, std::span<const Dnskey> keys, const Moment& moment,
           Work& work, Verifier& verifier)
      : set_(set), zone_(zone), keys_(keys), moment_(moment), work_(work), verifier_(verifier) {}

  Finding run() {
    blame(0, Ede::rrsigs_missing, "no signature of its keys");
    for (const Bytes rdata : set_.signatures) {
      const auto signature = Rrsig::parse(rdata);
      if (!signature || !may_sign(*signature)) continue;
      if (!is_current(*signature)) continue;
      if (try_keys(*signature)) return good(*signature);
      if (is_over_) break;
    }
    return bogus(code_, brief_text(zone_) + " " + to_string(set_.type) + ": " + words_);
  }

 private:
  /// Of several reasons the one that came furthest is told.
  void blame(unsigned weight, Ede code, std::string words) {
    if (weight < weight_) return;
    weight_ = weight;
    code_ = code;
    words_ = std::move(words);
  }

  bool may_sign(const Rrsig& signature) {
    if (signature.covered != set_.type || !(signature.signer == zone_)) return false;
    if (!set_.owner.is_at_or_below(zone_)) return false;
    if (signature.labels > signed_labels(set_.owner)) return false;
    if (verifier_.supports(signature.algorithm)) return true;
    blame(1, Ede::unsupported_dnskey_algorithm,
          fmt::format("signed with algorithm {} only", static_cast<int>(signature.algorithm)));
    return false;
  }

  bool is_current(const Rrsig& signature) {
    switch (period_of(signature, moment_.now, moment_.skew)) {
      case Period::current: return true;
      case Period::over: {
        const bool never =
            static_cast<std::int32_t>(signature.expiration - signature.inception) < 0;
        blame(3, never ? Ede::signature_expired_before_valid : Ede::signature_expired,
              fmt::format("signature by key {} {}", signature.tag,
                          never ? "ends before it begins" : "has expired"));
        return false;
      }
      case Period::not_begun:
        blame(3, Ede::signature_not_yet_valid,
              fmt::format("signature by key {} is not yet valid", signature.tag));
        return false;
    }
    return false;
  }

  bool try_keys(const Rrsig& signature) {
    std::optional<std::vector<std::uint8_t>> data;
    bool has_key = false;
    for (const Dnskey& key : keys_) {
      if (key.tag != signature.tag || key.algorithm != signature.algorithm) continue;
      has_key = true;
      if (attempts_++ >= kAttemptsMax || !work_.spend_signature()) {
        const auto limit = work_.exhausted();
        blame(5, Ede::dnssec_bogus,
              limit ? stats::limit_reached(*limit) : "too many signatures to try");
        is_over_ = true;
        return false;
      }
      if (!data) data = signed_data(set_, signature);
      if (!data) return false;
      if (verifier_.verify(key, *data, signature.signature)) return true;
      blame(4, Ede::dnssec_bogus, fmt::format("signature by key {} is wrong", signature.tag));
    }
    if (!has_key) {
      blame(2, Ede::dnskey_missing, fmt::format("signed by key {}, which is none", signature.tag));
    }
    return false;
  }

  Finding good(const Rrsig& signature) const {
    Finding finding;
    finding.security = Security::secure;
    finding.why = {};
    // A clock that is behind within the skew: what is signed is good for a little while.
    const std::uint32_t left = std::max(1U, seconds_left(signature, moment_.now));
    finding.ttl_max = std::min({set_.ttl, signature.original_ttl, left});
    finding.signed_labels = signature.labels;
    finding.is_expanded = is_expanded(signature, set_.owner);
    return finding;
  }

  const RRset& set_;
  const Name& zone_;
  const std::span<const Dnskey> keys_;
  const Moment& moment_;
  Work& work_;
  Verifier& verifier_;
  unsigned attempts_ = 0;
  bool is_over_ = false;
  unsigned weight_ = 0;
  Ede code_ = Ede::dnssec_bogus;
  std::string words_;
};

/// The keys of a set that an anchor names.
class AnchorMatch {
 public:
  AnchorMatch(const TrustAnchor& anchor, const Verifier& verifier) : anchor_(anchor) {
    for (const auto& rdata : anchor.ds) {
      const auto ds = Ds::parse(rdata);
      if (!ds) continue;
      if (!verifier.supports(ds->algorithm)) {
        lacks_algorithm_ = true;
      } else if (!verifier.supports(ds->digest_type)) {
        lacks_digest_ = true;
      } else {
        ds_.push_back(*ds);
      }
    }
    const auto is_weak = [](const Ds& ds) { return ds.digest_type == DigestType::sha1; };
    if (!std::ranges::all_of(ds_, is_weak)) std::erase_if(ds_, is_weak);
    for (const auto& rdata : anchor.dnskey) {
      const auto key = Dnskey::parse(rdata);
      if (key && verifier.supports(key->algorithm)) keys_.push_back(*key);
    }
  }

  bool is_usable() const noexcept { return !ds_.empty() || !keys_.empty(); }

  Finding why_not() const {
    const std::string zone = brief_text(anchor_.zone);
    return lacks_digest_ && !lacks_algorithm_
               ? insecure(Ede::unsupported_ds_digest, zone + ": no DS with a digest known here")
               : insecure(Ede::unsupported_dnskey_algorithm,
                          zone + ": no DS with an algorithm known here");
  }

  /// Each digest is one spent: a set may have as many DS as keys (fault A43).
  bool names(const Dnskey& key, Work& work) const {
    const auto is_same = [&](const Dnskey& own) {
      return std::ranges::equal(own.rdata, key.rdata);
    };
    if (std::ranges::any_of(keys_, is_same)) return true;
    return std::ranges::any_of(ds_, [&](const Ds& ds) {
      if (ds.tag != key.tag || ds.algorithm != key.algorithm) return false;
      return work.spend_hash() && is_digest_of(ds, anchor_.zone, key);
    });
  }

  std::string tags() const {
    std::string text;
    for (const Ds& ds : ds_) text += fmt::format("{}{}", text.empty() ? "" : ", ", ds.tag);
    for (const Dnskey& key : keys_) text += fmt::format("{}{}", text.empty() ? "" : ", ", key.tag);
    return text;
  }

 private:
  const TrustAnchor& anchor_;
  std::vector<Ds> ds_;
  std::vector<Dnskey> keys_;
  bool lacks_algorithm_ = false;
  bool lacks_digest_ = false;
};

std::vector<std::uint8_t> octets_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Finding check_set(const RRset& set, const Name& zone, std::span<const Dnskey> keys,
                  const Moment& moment, Work& work, Verifier& verifier) {
  return SetCheck(set, zone, keys, moment, work, verifier).run();
}

Finding check_keys(const RRset& dnskeys, const TrustAnchor& anchor, const Moment& moment,
                   Work& work, Verifier& verifier) {
  const AnchorMatch match(anchor, verifier);
  const std::string zone = brief_text(anchor.zone);
  if (!match.is_usable()) return match.why_not();
  if (!(dnskeys.owner == anchor.zone)) return bogus(Ede::dnskey_missing, zone + ": no DNSKEY");
  std::vector<Dnskey> named;
  bool lacks_zone_flag = false;
  for (const Bytes rdata : dnskeys.records) {
    const auto key = Dnskey::parse(rdata);
    if (!key || !match.names(*key, work)) continue;
    if (!key->may_sign()) {
      lacks_zone_flag = true;
    } else if (!key->is_revoked()) {
      named.push_back(*key);
    }
  }
  if (named.empty() && work.exhausted()) {
    return bogus(Ede::dnssec_bogus, zone + ": " + stats::limit_reached(*work.exhausted()));
  }
  if (named.empty() && lacks_zone_flag) {
    return bogus(Ede::no_zone_key_bit, zone + ": the key of its DS is no zone key");
  }
  if (named.empty()) {
    return bogus(Ede::dnskey_missing, zone + ": no DNSKEY that goes with DS " + match.tags());
  }
  return check_set(dnskeys, anchor.zone, named, moment, work, verifier);
}

std::vector<Dnskey> usable_keys(const RRset& dnskeys) {
  std::vector<Dnskey> keys;
  for (const Bytes rdata : dnskeys.records) {
    const auto key = Dnskey::parse(rdata);
    if (key && key->may_sign() && !key->is_revoked()) keys.push_back(*key);
  }
  return keys;
}

TrustAnchor anchor_of(const RRset& ds) {
  TrustAnchor anchor;
  anchor.zone = ds.owner;
  for (const Bytes rdata : ds.records) anchor.ds.push_back(octets_of(rdata));
  return anchor;
}

TrustAnchor root_anchor() {
  constexpr std::array<std::uint8_t, 36> kKsk2017{
      0x4f, 0x66, 8,    2,    0xe0, 0x6d, 0x44, 0xb8, 0x0b, 0x8f, 0x1d, 0x39,
      0xa9, 0x5c, 0x0b, 0x0d, 0x7c, 0x65, 0xd0, 0x84, 0x58, 0xe8, 0x80, 0x40,
      0x9b, 0xbc, 0x68, 0x34, 0x57, 0x10, 0x42, 0x37, 0xc7, 0xf8, 0xec, 0x8d};
  constexpr std::array<std::uint8_t, 36> kKsk2024{
      0x97, 0x28, 8,    2,    0x68, 0x3d, 0x2d, 0x0a, 0xcb, 0x8c, 0x9b, 0x71,
      0x2a, 0x19, 0x48, 0xb2, 0x7f, 0x74, 0x12, 0x19, 0x29, 0x8d, 0x0a, 0x45,
      0x0d, 0x61, 0x2c, 0x48, 0x3a, 0xf4, 0x44, 0xa4, 0xc0, 0xfb, 0x2b, 0x16};
  TrustAnchor anchor;
  anchor.ds = {octets_of(kKsk2017), octets_of(kKsk2024)};
  return anchor;
}

}  // namespace siskin::dnssec
