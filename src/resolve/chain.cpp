#include "resolve/chain.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "resolve/anchor_tags.hpp"
#include "resolve/chaser.hpp"
#include "resolve/events.hpp"

namespace siskin::resolve {
namespace {

using dnssec::Security;
using dnssec::TrustAnchor;
using wire::brief_text;
using wire::Ede;
using wire::ExtendedError;
using wire::Name;
using wire::RRType;

constexpr std::uint32_t kTrustTtlMin = 5;
constexpr std::uint32_t kTrustTtlMax = 86400;

/// The deepest of `names` at or above `name`.
const Name* deepest_above(const std::vector<Name>& names, const Name& name) {
  const Name* best = nullptr;
  for (const Name& one : names) {
    if (name.is_at_or_below(one) && (best == nullptr || one.size() > best->size())) best = &one;
  }
  return best;
}

const TrustAnchor* anchor_above(const std::vector<TrustAnchor>& anchors, const Name& name) {
  const TrustAnchor* best = nullptr;
  for (const TrustAnchor& one : anchors) {
    const bool is_above = name.is_at_or_below(one.zone);
    if (is_above && (best == nullptr || one.zone.size() > best->zone.size())) best = &one;
  }
  return best;
}

Standing unsigned_below(const Name& zone, ExtendedError why) {
  auto trust = std::make_shared<Trust>();
  trust->security = Security::insecure;
  trust->why = std::move(why);
  return {zone, std::move(trust)};
}

/// A machine without a battery begins in 1970, or where it was built.
bool is_about_time(Ede code) {
  return code == Ede::signature_expired || code == Ede::signature_not_yet_valid;
}

}  // namespace

runtime::Task<Standing> Chain::reach(Query& query, Name target, Target kind) {
  const TrustAnchor* anchor = nullptr;
  std::optional<Standing> known = start(query, target, anchor);
  if (!known) known = co_await keys_of(query, anchor->zone, *anchor, kTrustTtlMax);
  Standing at = std::move(*known);
  std::vector<Name> cuts = likely_cuts(at.zone, target, kind == Target::zone);
  for (const Name& cut : cuts) {
    if (!at.is_secure()) co_return at;
    if (cut.is_below(at.zone)) at = co_await step(query, at, cut);
  }
  if (kind != Target::name) co_return at;
  // Cuts of which no referral told, because the same servers have the zones on both sides.
  for (std::size_t labels = at.zone.label_count() + 1; labels <= target.label_count(); ++labels) {
    if (!at.is_secure()) co_return at;
    const Name part = target.suffix(labels);
    if (!part.is_below(at.zone) || std::ranges::find(cuts, part) != cuts.end()) continue;
    at = co_await step(query, at, part);
  }
  co_return at;
}

runtime::Task<bool> Chain::is_in_order(Query& query, Name name) {
  query.passes_negative_anchors = true;
  const Standing at = co_await reach(query, name, Target::zone);
  if (!at.is_secure()) co_return at.trust->security == Security::insecure;
  bool is_signed = false;
  const Chaser::Judge judge = [&](Reply& reply) {
    if (reply.kind != ReplyKind::answer || !reply.set || !reply.aliases.empty()) return false;
    const dnssec::Finding finding = dnssec::check_set(
        *reply.set, at.zone, at.trust->keys, core_.moment(), query.work, *core_.context.verifier);
    is_signed = finding.security == Security::secure;
    return is_signed;
  };
  co_await chaser_.obtain(query, at.zone, RRType::soa, judge);
  co_return is_signed;
}

/// What is known already, from the deepest zone up to the anchor; nothing: the anchor's own keys
/// are not.
std::optional<Standing> Chain::start(const Query& query, const Name& target,
                                     const TrustAnchor*& anchor) const {
  const Validation& validation = core_.options.validation;
  anchor = anchor_above(validation.anchors, target);
  const Name* const negative =
      query.passes_negative_anchors ? nullptr : deepest_above(validation.negative_anchors, target);
  if (negative != nullptr && (anchor == nullptr || negative->size() >= anchor->zone.size())) {
    return unsigned_below(*negative, {Ede::negative_trust_anchor,
                                      "negative trust anchor for " + brief_text(*negative)});
  }
  if (anchor == nullptr) {
    return unsigned_below(Name(), {Ede::dnssec_indeterminate, ""});  // no trust anchor above
  }
  for (Name zone = target;; zone = zone.parent()) {
    if (auto trust = core_.trust.find(zone, core_.now())) return Standing{zone, std::move(trust)};
    if (zone.size() <= anchor->zone.size()) return std::nullopt;
  }
}

/// Where delegations tell of a zone, from the top down.
std::vector<Name> Chain::likely_cuts(const Name& above, const Name& target, bool is_zone) const {
  std::vector<Name> cuts;
  for (Name name = target; name.is_below(above); name = name.parent()) {
    const bool is_end = is_zone && name.size() == target.size();
    if (is_end || core_.context.cache.find(name, cache::kDelegationSlot, core_.now())) {
      cuts.push_back(name);
    }
  }
  std::ranges::reverse(cuts);
  return cuts;
}

/// Goes down to `cut` where a zone begins there; else stays.
runtime::Task<Standing> Chain::step(Query& query, Standing above, Name cut) {
  for (;;) {
    if (auto trust = core_.trust.find(cut, core_.now())) co_return Standing{cut, std::move(trust)};
    CutFinding finding = co_await look(query, above, cut);
    if (finding.kind != CutFinding::Kind::between) {
      co_return co_await arrive(query, std::move(above), std::move(cut), std::move(finding));
    }
    Standing middle = co_await step(query, above, finding.zone);
    if (!middle.is_secure()) co_return middle;
    if (middle.zone == above.zone) {
      finding.why = ExtendedError{Ede::dnssec_bogus, brief_text(cut) + " DS: signed by " +
                                                         brief_text(finding.zone) + ", no zone"};
      co_return bogus_at(query, cut, std::move(finding.why));
    }
    above = std::move(middle);
  }
}

/// What was found at `cut` is final.
runtime::Task<Standing> Chain::arrive(Query& query, Standing above, Name cut, CutFinding finding) {
  if (finding.kind == CutFinding::Kind::no_cut) co_return above;
  if (finding.kind == CutFinding::Kind::keys) {
    co_return co_await keys_of(query, cut, dnssec::anchor_of(finding.ds), finding.ttl);
  }
  if (finding.kind == CutFinding::Kind::no_keys) {
    co_return ended(query, cut, Security::insecure, std::move(finding.why), finding.ttl);
  }
  co_return bogus_at(query, cut, std::move(finding.why), finding.is_unsure);
}

/// `is_unsure`: nobody said anything of DS or keys, which may be different in a moment.
Standing Chain::bogus_at(const Query& query, const Name& zone, std::optional<ExtendedError> why,
                         bool is_unsure) const {
  auto trust = std::make_shared<Trust>();
  trust->why = std::move(why);
  trust->is_unsure = is_unsure;
  const std::uint32_t ttl = is_unsure ? kTrustTtlMin : core_.options.validation.bogus_ttl;
  return settle(query, zone, std::move(trust), ttl);
}

runtime::Task<CutFinding> Chain::look(Query& query, const Standing& above, const Name& cut) {
  if (auto told = read_referral(query, above, cut)) co_return std::move(*told);
  CutFinding finding;
  const Chaser::Judge judge = [&](Reply& reply) {
    finding = find_cut(core_, query.work, above, cut, reply);
    return finding.kind != CutFinding::Kind::untold;
  };
  const auto failure = co_await chaser_.obtain(query, cut, RRType::ds, judge);
  if (failure && !finding.why) {
    finding.why = ExtendedError{failure->code, brief_text(cut) + " DS: " + failure->text};
    finding.is_unsure = true;
  }
  co_return finding;
}

/// What the parent's referral said.  Once it is known to be right, the delegation needs it no more:
/// a DS set has a place of its own, and that there is none is marked.
std::optional<CutFinding> Chain::read_referral(Query& query, const Standing& above,
                                               const Name& cut) const {
  cache::Cache& cache = core_.context.cache;
  const auto value = cache.find(cut, cache::kDelegationSlot, core_.now());
  if (!value) return std::nullopt;
  Delegation delegation = from_cache(cut, *value);
  CutFinding finding;
  finding.kind = CutFinding::Kind::no_keys;
  finding.ttl = delegation.ttl;
  if (delegation.security == cache::Security::insecure) return finding;
  if (delegation.keys_proof.empty()) return std::nullopt;
  Reply reply;
  reply.kind = ReplyKind::nodata;
  for (wire::RRset& set : delegation.keys_proof) {
    if (set.type != RRType::ds) continue;
    reply.kind = ReplyKind::answer;
    reply.set = set;
  }
  if (!reply.set) reply.denial = delegation.keys_proof;
  finding = find_cut(core_, query.work, above, cut, reply);
  const bool has_keys = finding.kind == CutFinding::Kind::keys;
  if (!has_keys && finding.kind != CutFinding::Kind::no_keys) return std::nullopt;
  if (has_keys) store(core_, reply, cut, RRType::ds);
  delegation.keys_proof.clear();
  delegation.security = has_keys ? cache::Security::secure : cache::Security::insecure;
  cache.store(cut, cache::kDelegationSlot, to_cache(delegation), core_.now());
  return finding;
}

/// One query at a time fetches the keys of a zone; the others wait for what comes of it, and go on
/// by themselves where that is nothing.
runtime::Task<Standing> Chain::keys_of(Query& query, Name zone, TrustAnchor anchor,
                                       std::uint32_t ttl) {
  const auto busy = core_.key_waiters.find(zone);
  if (busy != core_.key_waiters.end()) {
    runtime::OneShot<bool> end;
    busy->second.push_back(&end);
    co_await end.wait();
    if (auto trust = core_.trust.find(zone, core_.now()))
      co_return Standing{zone, std::move(trust)};
    co_return co_await fetch_keys(query, zone, anchor, ttl);
  }
  core_.key_waiters.try_emplace(zone);
  Standing standing = co_await fetch_keys(query, zone, anchor, ttl);
  if (core_.options.validation.key_tag_signalling && is_anchor(zone)) {
    co_await tell_anchor(query, anchor);
  }
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto waiters = core_.key_waiters.extract(zone);
  for (runtime::OneShot<bool>* const waiter : waiters.mapped()) {
    boost::asio::post(executor, [waiter] { waiter->complete(true); });
  }
  co_return standing;
}

bool Chain::is_anchor(const Name& zone) const {
  return std::ranges::find(core_.options.validation.anchors, zone, &TrustAnchor::zone) !=
         core_.options.validation.anchors.end();
}

/// Asked each time when the zone's keys are fetched; what comes back is of no interest.
runtime::Task<void> Chain::tell_anchor(Query& query, const TrustAnchor& anchor) {
  const auto name = signal_name(anchor);
  if (!name) co_return;
  const Chaser::Judge content = [](Reply&) { return true; };
  co_await chaser_.obtain(query, *name, RRType::null, content);
}

runtime::Task<Standing> Chain::fetch_keys(Query& query, const Name& zone, const TrustAnchor& anchor,
                                          std::uint32_t ttl) {
  dnssec::Verifier& verifier = *core_.context.verifier;
  // An anchor that cannot be used says so without any key.
  dnssec::Finding finding = dnssec::check_keys({}, anchor, core_.moment(), query.work, verifier);
  if (finding.security == Security::insecure) {
    co_return ended(query, zone, Security::insecure, finding.why, ttl);
  }
  auto trust = std::make_shared<Trust>();
  const Chaser::Judge judge = [&](Reply& reply) {
    if (reply.kind != ReplyKind::answer || !reply.set || !reply.aliases.empty()) {
      finding.why = {Ede::dnskey_missing, brief_text(zone) + ": no DNSKEY"};
      return false;
    }
    finding = dnssec::check_keys(*reply.set, anchor, core_.moment(), query.work, verifier);
    if (finding.security != Security::secure) return false;
    reply.set->ttl = finding.ttl_max;
    reply.checked.security = cache::Security::secure;
    trust->dnskeys = *reply.set;
    return true;
  };
  const auto failure = co_await chaser_.obtain(query, zone, RRType::dnskey, judge);
  if (!failure && !trust->dnskeys.records.empty()) {
    trust->security = Security::secure;
    trust->keys = dnssec::usable_keys(trust->dnskeys);
    co_return settle(query, zone, std::move(trust), std::min(ttl, finding.ttl_max));
  }
  std::string words = finding.why.text;
  if (failure) words = brief_text(zone) + " DNSKEY: " + failure->text;
  if (!failure && is_anchor(zone) && is_about_time(finding.why.code)) {
    words += "; is the clock right?";
    events::anchor_out_of_time(words, core_.context.wall_clock->seconds());
  }
  const Ede code = failure ? Ede::dnskey_missing : finding.why.code;
  co_return bogus_at(query, zone, ExtendedError{code, std::move(words)}, failure.has_value());
}

Standing Chain::ended(const Query& query, const Name& zone, Security security,
                      std::optional<ExtendedError> why, std::uint32_t ttl) const {
  auto trust = std::make_shared<Trust>();
  trust->security = security;
  trust->why = std::move(why);
  return settle(query, zone, std::move(trust), ttl);
}

/// A query that has run out of something tells nothing of the zone.
Standing Chain::settle(const Query& query, const Name& zone, std::shared_ptr<Trust> trust,
                       std::uint32_t ttl) const {
  const bool is_cut_short = query.budget.exhausted() || query.loop_cut || query.is_refused ||
                            query.work.exhausted() || core_.stopped;
  trust->until = whole_seconds(core_.now()) + std::clamp(ttl, kTrustTtlMin, kTrustTtlMax);
  if (trust->security != Security::bogus || !is_cut_short) core_.trust.store(zone, trust);
  return {zone, std::move(trust)};
}

}  // namespace siskin::resolve
