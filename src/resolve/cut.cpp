#include "resolve/cut.hpp"

#include "siskin/dnssec/denial.hpp"

namespace siskin::resolve {
namespace {

using dnssec::Finding;
using dnssec::Proof;
using wire::brief_text;
using wire::Ede;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

Finding check(const Core& core, dnssec::Work& work, const Standing& zone, const RRset& set) {
  return dnssec::check_set(set, zone.zone, zone.trust->keys, core.moment(), work,
                           *core.context.verifier);
}

CutFinding untold(ExtendedError why) {
  CutFinding finding;
  finding.why = std::move(why);
  return finding;
}

CutFinding found(CutFinding::Kind kind, std::uint32_t ttl) {
  CutFinding finding;
  finding.kind = kind;
  finding.ttl = ttl;
  return finding;
}

bool is_secure(const Reply& reply) {
  return reply.checked.security == cache::Security::secure;
}

/// Reads one reply.
class CutReader {
 public:
  CutReader(Core& core, dnssec::Work& work, const Standing& above, const Name& name, Reply& reply)
      : core_(core), work_(work), above_(above), name_(name), reply_(reply) {}

  CutFinding read() {
    if (!reply_.aliases.empty()) return read_alias();
    if (reply_.kind == ReplyKind::answer) return read_ds();
    return read_denial();
  }

 private:
  /// Whose word it is: the zone's above, or that of one which nobody told of.
  std::optional<CutFinding> other_signer(const std::optional<Name>& signer) const {
    if (!signer) {
      return untold(
          {Ede::rrsigs_missing,
           brief_text(above_.zone) + ": no signature over what it says of " + brief_text(name_)});
    }
    if (*signer == above_.zone) return std::nullopt;
    // What is said of a DS is the parent's, so a zone between is truly between: each comes nearer.
    if (!signer->is_below(above_.zone) || !name_.is_below(*signer)) {
      return untold(
          {Ede::dnssec_bogus, brief_text(name_) + " DS: signed by " + brief_text(*signer)});
    }
    CutFinding finding = found(CutFinding::Kind::between, 0);
    finding.zone = *signer;
    return finding;
  }

  CutFinding read_ds() {
    RRset& set = *reply_.set;
    if (auto other = other_signer(signer_of(set))) return std::move(*other);
    if (!is_secure(reply_)) {
      const Finding finding = check(core_, work_, above_, set);
      if (finding.security != dnssec::Security::secure || finding.is_expanded) {
        return untold(finding.why);
      }
      set.ttl = finding.ttl_max;
      reply_.checked.security = cache::Security::secure;
    }
    CutFinding keys = found(CutFinding::Kind::keys, set.ttl);
    keys.ds = set;
    return keys;
  }

  /// An alias is no zone.
  CutFinding read_alias() {
    Alias& alias = reply_.aliases.front();
    const RRset& set = alias.dname ? *alias.dname : alias.cname;
    if (auto other = other_signer(signer_of(set))) return std::move(*other);
    const Finding finding = check(core_, work_, above_, set);
    if (finding.security != dnssec::Security::secure) return untold(finding.why);
    return found(CutFinding::Kind::no_cut, finding.ttl_max);
  }

  CutFinding read_denial() {
    std::optional<Name> signer;
    for (const RRset& set : reply_.denial) {
      if (!signer) signer = signer_of(set);
    }
    if (auto other = other_signer(signer)) return std::move(*other);
    std::uint32_t ttl = 0;
    if (is_secure(reply_)) {
      ttl = reply_.denial.front().ttl;
    } else {
      const Denied denied = keep_signed(core_, work_, above_, reply_.denial);
      if (!denied.is_sound) return untold(denied.finding.why);
      ttl = denied.ttl;
    }
    return read_proof(ttl);
  }

  CutFinding read_proof(std::uint32_t ttl) {
    const dnssec::Denial denial(above_.zone, reply_.denial);
    const Proof no_ds = denial.no_ds(name_, work_);
    if (no_ds == Proof::proved)
      return marked(cache::Security::secure, CutFinding::Kind::no_keys, ttl);
    if (no_ds != Proof::missing) {
      CutFinding finding = marked(cache::Security::insecure, CutFinding::Kind::no_keys, ttl);
      if (no_ds == Proof::insecure) {
        finding.why = ExtendedError{Ede::unsupported_nsec3_iterations,
                                    brief_text(above_.zone) + ": NSEC3 with too many iterations"};
      }
      return finding;
    }
    if (denial.no_data(name_, RRType::ds, work_) == Proof::proved ||
        denial.no_name(name_, work_) == Proof::proved) {
      return marked(cache::Security::secure, CutFinding::Kind::no_cut, ttl);
    }
    if (work_.exhausted())
      return untold({Ede::dnssec_bogus, stats::limit_reached(*work_.exhausted())});
    return untold({Ede::nsec_missing, brief_text(above_.zone) + ": no proof that " +
                                          brief_text(name_) + " has no DS"});
  }

  CutFinding marked(cache::Security security, CutFinding::Kind kind, std::uint32_t ttl) {
    reply_.checked.security = security;
    return found(kind, ttl);
  }

  Core& core_;
  dnssec::Work& work_;
  const Standing& above_;
  const Name& name_;
  Reply& reply_;
};

}  // namespace

CutFinding find_cut(Core& core, dnssec::Work& work, const Standing& above, const Name& name,
                    Reply& reply) {
  return CutReader(core, work, above, name, reply).read();
}

std::optional<Name> signer_of(const RRset& set) {
  std::optional<Name> best;
  for (const wire::Bytes rdata : set.signatures) {
    const auto signature = dnssec::Rrsig::parse(rdata);
    if (!signature || signature->covered != set.type) continue;
    const Name& signer = signature->signer;
    const bool is_possible =
        set.type == RRType::ds ? set.owner.is_below(signer) : set.owner.is_at_or_below(signer);
    if (is_possible && (!best || signer.size() > best->size())) best = signer;
  }
  return best;
}

Denied keep_signed(Core& core, dnssec::Work& work, const Standing& zone,
                   std::vector<RRset>& denial) {
  Denied denied;
  std::vector<RRset> kept;
  const std::uint32_t now = whole_seconds(core.now());
  for (RRset& set : denial) {
    const std::uint32_t known_for = core.denials.knows(zone.zone, set, now);
    Finding finding;
    if (known_for == 0) finding = check(core, work, zone, set);
    const bool is_soa = set.type == RRType::soa;
    const bool is_signed = finding.security == dnssec::Security::secure && !finding.is_expanded;
    if (known_for > 0 || is_signed) {
      set.ttl = known_for > 0 ? std::min(set.ttl, known_for) : finding.ttl_max;
      if (known_for == 0) core.denials.add(zone.zone, set, now);
      denied.ttl = kept.empty() ? set.ttl : std::min(denied.ttl, set.ttl);
      kept.push_back(std::move(set));
    } else {
      denied.finding = finding;
      denied.is_sound = denied.is_sound && !is_soa;
    }
    if (!denied.is_sound) return denied;
  }
  denial = std::move(kept);
  denied.is_sound = !denial.empty();
  return denied;
}

}  // namespace siskin::resolve
