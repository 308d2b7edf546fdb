#include "siskin/dnssec/rollover.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace siskin::dnssec {
namespace {

using std::chrono::seconds;
using wire::Bytes;
using wire::RRset;

constexpr std::array<std::pair<KeyState, std::string_view>, 5> kNames{{
    {KeyState::pending, "pending"},
    {KeyState::valid, "valid"},
    {KeyState::missing, "missing"},
    {KeyState::revoked, "revoked"},
    {KeyState::removed, "removed"},
}};

constexpr seconds kHour{3600};
constexpr seconds kNextMax = std::chrono::days(15);
constexpr seconds kRetryMax = std::chrono::days(1);
constexpr std::uint8_t kRevoke = 0x80;  ///< in the second octet of the RDATA

/// The key as it was before it was revoked: digests and comparisons are over that.
std::vector<std::uint8_t> unrevoked(Bytes rdata) {
  std::vector<std::uint8_t> plain(rdata.begin(), rdata.end());
  plain[1] &= static_cast<std::uint8_t>(~kRevoke);
  return plain;
}

bool is_same(Bytes one, Bytes other) {
  return std::ranges::equal(one, other);
}

/// Whether the digest can be computed, whatever it is worth.
bool is_known(DigestType type) {
  return type == DigestType::sha1 || type == DigestType::sha256 || type == DigestType::sha384;
}

/// Whether an operator's DS is of this key.
bool is_of(Bytes ds_rdata, const wire::Name& zone, Bytes key_rdata) {
  const auto ds = Ds::parse(ds_rdata);
  const auto key = Dnskey::parse(key_rdata);
  if (!ds || !key || ds->tag != key->tag || ds->algorithm != key->algorithm) return false;
  return is_known(ds->digest_type) && is_digest_of(*ds, zone, *key);
}

/// How long the set may be relied on: its TTL as signed, and what is left of its signatures.
struct Periods {
  seconds ttl{std::numeric_limits<std::uint32_t>::max()};
  seconds left = ttl;

  /// The given part of the shorter one, within limits.
  seconds part(int divisor, seconds most) const {
    return std::clamp(std::min(ttl, left) / divisor, kHour, most);
  }
};

Periods periods_of(const RRset& dnskeys, const Moment& moment) {
  Periods periods;
  for (const Bytes rdata : dnskeys.signatures) {
    const auto signature = Rrsig::parse(rdata);
    if (!signature || period_of(*signature, moment.now, moment.skew) != Period::current) continue;
    periods.ttl = std::min(periods.ttl, seconds(signature->original_ttl));
    periods.left = std::min(periods.left, seconds(seconds_left(*signature, moment.now)));
  }
  return periods;
}

}  // namespace

std::string_view to_string(KeyState state) noexcept {
  return std::ranges::find(kNames, state, &std::pair<KeyState, std::string_view>::first)->second;
}

std::optional<KeyState> key_state_from(std::string_view text) noexcept {
  const auto at = std::ranges::find(kNames, text, &std::pair<KeyState, std::string_view>::second);
  if (at == kNames.end()) return std::nullopt;
  return at->first;
}

/// One set shown to one point.
class TrustPoint::Look {
 public:
  Look(TrustPoint& point, const RRset& dnskeys, const Moment& moment, WallTime now, Work& work,
       Verifier& verifier)
      : point_(point),
        dnskeys_(dnskeys),
        moment_(moment),
        now_(now),
        work_(work),
        verifier_(verifier) {
    for (const Bytes rdata : dnskeys.records) {
      const auto key = Dnskey::parse(rdata);
      if (key && key->may_sign()) present_.push_back(*key);
    }
  }

  Seen run() {
    seen_.next = kRetry;
    for (const Dnskey& key : present_) {
      if (key.is_revoked()) revoke(key);
    }
    const TrustAnchor anchor = point_.anchor();
    if (anchor.ds.empty() && anchor.dnskey.empty()) {
      seen_.why.text = wire::brief_text(point_.zone()) + ": all keys are revoked";
      return std::move(seen_);
    }
    const Finding finding = check_keys(dnskeys_, anchor, moment_, work_, verifier_);
    const Periods periods = periods_of(dnskeys_, moment_);
    if (finding.security != Security::secure) {
      seen_.why = finding.why;
      seen_.next = periods.part(10, kRetryMax);
      return std::move(seen_);
    }
    seen_.is_good = true;
    seen_.next = periods.part(2, kNextMax);
    meet_configured();
    age();
    meet_new(periods.ttl);
    return std::move(seen_);
  }

 private:
  /// §2.1: by its own signature, whoever else has signed the set.
  void revoke(const Dnskey& key) {
    const std::vector<std::uint8_t> plain = unrevoked(key.rdata);
    TrackedKey* const tracked = find(plain);
    const bool is_trusted = tracked != nullptr ? tracked->is_trusted() : is_configured(plain);
    if (!is_trusted) return;
    const Finding own = check_set(dnskeys_, point_.zone(), {&key, 1}, moment_, work_, verifier_);
    if (own.security != Security::secure) return;
    if (tracked != nullptr) {
      change(*tracked, KeyState::revoked);
    } else {
      add(plain, KeyState::revoked, now_);
    }
  }

  /// Keys of the configuration get a state of their own once the zone has shown them.
  void meet_configured() {
    for (const Dnskey& key : present_) {
      if (key.is_revoked() || !is_configured(key.rdata)) continue;
      TrackedKey* const tracked = find(key.rdata);
      if (tracked == nullptr) {
        add(key.rdata, KeyState::valid, now_);
      } else if (tracked->state == KeyState::pending) {
        change(*tracked, KeyState::valid);
      }
    }
  }

  void age() {
    for (TrackedKey& key : point_.keys_) {
      const bool is_present = std::ranges::any_of(
          present_, [&](const Dnskey& one) { return is_same(one.rdata, key.rdata); });
      switch (key.state) {
        case KeyState::pending: age_pending(key, is_present); break;
        case KeyState::valid:
          if (!is_present) change(key, KeyState::missing);
          break;
        case KeyState::missing:
          if (is_present) change(key, KeyState::valid);
          break;
        case KeyState::revoked: age_revoked(key); break;
        case KeyState::removed: break;
      }
    }
    std::erase_if(point_.keys_, [](const TrackedKey& key) { return key.rdata.empty(); });
  }

  /// Whoever has stolen a key can add one of his own, but not keep the owner from taking it out.
  void age_pending(TrackedKey& key, bool is_present) {
    if (!is_present) {
      seen_.changes.push_back({key, key.state, std::nullopt});
      key.rdata.clear();
    } else if (now_ >= key.date) {
      change(key, KeyState::valid);
    }
  }

  void age_revoked(TrackedKey& key) {
    const bool is_shown = std::ranges::any_of(present_, [&](const Dnskey& one) {
      return one.is_revoked() && is_same(unrevoked(one.rdata), key.rdata);
    });
    if (is_shown) {
      key.date = now_;
    } else if (now_ >= key.date + kHoldDown) {
      change(key, KeyState::removed);
    }
  }

  /// §2.4.1: thirty days, or the TTL of the first set that had the key where that is longer.
  void meet_new(seconds ttl) {
    for (const Dnskey& key : present_) {
      const bool is_wanted =
          key.is_entry_point() && !key.is_revoked() && verifier_.supports(key.algorithm);
      if (!is_wanted || find(key.rdata) != nullptr || point_.keys_.size() >= kKeysMax) continue;
      add(key.rdata, KeyState::pending, now_ + std::max<seconds>(kHoldDown, ttl));
    }
  }

  void add(Bytes rdata, KeyState state, WallTime date) {
    TrackedKey key{{rdata.begin(), rdata.end()}, state, date};
    seen_.changes.push_back({key, std::nullopt, state});
    point_.keys_.push_back(std::move(key));
  }

  void change(TrackedKey& key, KeyState to) {
    const KeyState from = std::exchange(key.state, to);
    key.date = now_;
    seen_.changes.push_back({key, from, to});
  }

  TrackedKey* find(Bytes rdata) {
    const auto at = std::ranges::find_if(
        point_.keys_, [&](const TrackedKey& key) { return is_same(key.rdata, rdata); });
    return at == point_.keys_.end() ? nullptr : &*at;
  }

  bool is_configured(Bytes rdata) const {
    const TrustAnchor& anchor = point_.configured_;
    return std::ranges::any_of(anchor.dnskey, [&](Bytes own) { return is_same(own, rdata); }) ||
           std::ranges::any_of(anchor.ds, [&](Bytes ds) { return is_of(ds, anchor.zone, rdata); });
  }

  TrustPoint& point_;
  const RRset& dnskeys_;
  const Moment& moment_;
  const WallTime now_;
  Work& work_;
  Verifier& verifier_;
  std::vector<Dnskey> present_;
  Seen seen_;
};

TrustPoint::TrustPoint(TrustAnchor configured, std::vector<TrackedKey> keys)
    : configured_(std::move(configured)), keys_(std::move(keys)) {}

TrustAnchor TrustPoint::anchor() const {
  TrustAnchor anchor;
  anchor.zone = configured_.zone;
  for (const TrackedKey& key : keys_) {
    if (key.is_trusted()) anchor.dnskey.push_back(key.rdata);
  }
  // A key that is pending by itself may be trusted by the operator already.
  const auto is_unmet = [&](const auto& is_its_key) {
    return std::ranges::none_of(keys_, [&](const TrackedKey& key) {
      return key.state != KeyState::pending && is_its_key(key.rdata);
    });
  };
  for (const auto& ds : configured_.ds) {
    if (is_unmet([&](Bytes key) { return is_of(ds, zone(), key); })) anchor.ds.push_back(ds);
  }
  for (const auto& own : configured_.dnskey) {
    if (is_unmet([&](Bytes key) { return is_same(own, key); })) anchor.dnskey.push_back(own);
  }
  return anchor;
}

TrustPoint::Seen TrustPoint::see(const RRset& dnskeys, const Moment& moment, WallTime now,
                                 Work& work, Verifier& verifier) {
  return Look(*this, dnskeys, moment, now, work, verifier).run();
}

}  // namespace siskin::dnssec
