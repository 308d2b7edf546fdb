#include "resolve/classify.hpp"

#include <algorithm>

#include "siskin/dnssec/records.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using wire::Name;
using wire::Rcode;
using wire::RRset;
using wire::RRType;

constexpr std::size_t kAliasesMax = 16;   ///< of one message; the query's budget is less
constexpr std::size_t kProofSetsMax = 8;  ///< honest proofs have four at the most (fault A47)

const RRset* find_set(const std::vector<RRset>& sets, const Name& owner, RRType type) {
  const auto at = std::ranges::find_if(
      sets, [&](const RRset& set) { return set.type == type && set.owner == owner; });
  return at == sets.end() ? nullptr : &*at;
}

/// The DNAME nearest above `name` that the zone may give.
const RRset* find_dname(const std::vector<RRset>& sets, const Name& name, const Name& zone) {
  const RRset* best = nullptr;
  for (const RRset& set : sets) {
    if (set.type != RRType::dname || !name.is_below(set.owner)) continue;
    if (!set.owner.is_at_or_below(zone)) continue;
    if (best == nullptr || set.owner.is_below(best->owner)) best = &set;
  }
  return best;
}

/// A second CNAME or DNAME at one owner is an error of the zone; the first one counts (fault B37).
RRset first_only(RRset set) {
  if (set.records.count() > 1) {
    wire::RecordList first;
    first.add(*set.records.begin());
    set.records = std::move(first);
  }
  return set;
}

bool is_alias_type(RRType type) {
  return type == RRType::cname || type == RRType::dname;
}

std::optional<Alias> alias_of(const RRset& cname) {
  const auto target = wire::target_of(*cname.records.begin());
  if (!target) return std::nullopt;
  Alias alias;
  alias.cname = first_only(cname);
  alias.target = *target;
  return alias;
}

bool is_visited(const std::vector<Alias>& aliases, const Name& name) {
  return std::ranges::any_of(aliases, [&](const Alias& a) { return a.cname.owner == name; });
}

/// Walks aliases inside the message as far as the zone's own records go.
class ChainWalk {
 public:
  ChainWalk(const Message& message, const Asked& asked, Reply& reply)
      : message_(message), asked_(asked), reply_(reply), at_(asked.name) {}

  /// The name at which the message's aliases end.
  const Name& end() const noexcept { return at_; }
  bool ends_in_zone() const noexcept { return at_.is_at_or_below(asked_.zone); }

  /// Sets kind to answer, alias, yxdomain or broken; leaves it alone when there is no alias at all.
  bool run() {
    while (ends_in_zone()) {
      if (take_answer()) return true;
      // RCODE and SOA are about the chain's end, which is not here.
      if (reply_.aliases.size() >= kAliasesMax) return true;
      if (!step()) break;
      if (is_visited(reply_.aliases, at_)) return true;  // a loop: the resolver will see it
    }
    return reply_.kind == ReplyKind::yxdomain || reply_.kind == ReplyKind::answer;
  }

 private:
  /// The set asked for, at the end of the chain.  Nothing below a DNAME is anything but what the
  /// DNAME makes of it, a CNAME included (fault B41).
  bool take_answer() {
    if (const RRset* dname = find_dname(message_.answer, at_, asked_.zone)) {
      if (asked_.type != RRType::cname) return false;
      std::optional<Alias> alias = synthesise(*dname, at_);
      if (!alias) return false;
      reply_.dname = std::move(alias->dname);
      reply_.set = std::move(alias->cname);
    } else if (const RRset* set = find_set(message_.answer, at_, asked_.type)) {
      reply_.set = is_alias_type(asked_.type) ? first_only(*set) : *set;
    } else {
      return false;
    }
    reply_.kind = ReplyKind::answer;
    return true;
  }

  bool step() {
    std::optional<Alias> alias;
    if (const RRset* dname = find_dname(message_.answer, at_, asked_.zone)) {
      alias = synthesise(*dname, at_);
      if (!alias) {
        reply_.kind = ReplyKind::yxdomain;
        reply_.dname = *dname;
      }
    } else if (const RRset* cname = find_set(message_.answer, at_, RRType::cname)) {
      alias = alias_of(*cname);
    }
    if (!alias) return false;
    at_ = alias->target;
    reply_.aliases.push_back(std::move(*alias));
    reply_.kind = ReplyKind::alias;
    return true;
  }

  const Message& message_;
  const Asked& asked_;
  Reply& reply_;
  Name at_;
};

bool is_denial_type(RRType type) {
  return type == RRType::nsec || type == RRType::nsec3;
}

/// SOA that covers `name` from inside the zone, then NSEC and NSEC3 records.
std::vector<RRset> denial_for(const Message& message, const Name& name, const Name& zone) {
  std::vector<RRset> denial;
  for (const RRset& set : message.authority) {
    if (set.type == RRType::soa && set.owner.is_at_or_below(zone) &&
        name.is_at_or_below(set.owner)) {
      denial.push_back(set);
      break;
    }
  }
  if (denial.empty()) return denial;
  for (const RRset& set : message.authority) {
    const bool is_proof =
        is_denial_type(set.type) && set.owner.is_at_or_below(denial.front().owner);
    if (is_proof && denial.size() <= kProofSetsMax) denial.push_back(set);
  }
  return denial;
}

bool holds_type(const std::vector<RRset>& sets, RRType type) {
  return std::ranges::find(sets, type, &RRset::type) != sets.end();
}

/// NSEC and NSEC3 records where the SOA is left out: proof enough for whoever checks them, and more
/// than a lame server says.  Beside an NS set they belong to a referral.
std::vector<RRset> bare_proof(const Message& message, const Name& zone) {
  std::vector<RRset> proof;
  if (holds_type(message.authority, RRType::ns)) return proof;
  for (const RRset& set : message.authority) {
    const bool is_proof = is_denial_type(set.type) && set.owner.is_at_or_below(zone);
    if (is_proof && proof.size() < kProofSetsMax) proof.push_back(set);
  }
  return proof;
}

Reply complaint(ReplyKind kind, std::string words) {
  Reply reply;
  reply.kind = kind;
  reply.complaint = std::move(words);
  return reply;
}

/// A parent that does not know of DS answers with the referral to the zone (RFC 4035 §3.1.4.1 wants
/// otherwise); what DNSSEC needs of it is in the same authority section.
Reply classify_ds_referral(const Message& message, const Asked& asked) {
  Reply reply;
  if (const RRset* ds = find_set(message.authority, asked.name, RRType::ds)) {
    reply.kind = ReplyKind::answer;
    reply.set = *ds;
    return reply;
  }
  reply.kind = ReplyKind::nodata;
  for (const RRset& set : message.authority) {
    const bool is_proof = is_denial_type(set.type) && set.owner.is_at_or_below(asked.zone);
    if (is_proof && reply.denial.size() < kProofSetsMax) reply.denial.push_back(set);
  }
  return reply;
}

/// NOERROR without an answer and without an SOA: a referral, or something that is none.
Reply classify_empty(const Message& message, const Asked& asked, std::size_t names_max) {
  const RRset* wrong = nullptr;
  for (const RRset& set : message.authority) {
    if (set.type != RRType::ns) continue;
    const bool nearer = set.owner.is_below(asked.zone) && asked.name.is_at_or_below(set.owner);
    if (nearer && asked.type == RRType::ds && set.owner == asked.name) {
      return classify_ds_referral(message, asked);
    }
    if (nearer) {
      Reply reply;
      reply.kind = ReplyKind::referral;
      reply.delegation = make_delegation(set, message.additional, asked.zone, names_max);
      add_keys_proof(message.authority, asked.zone, *reply.delegation);
      return reply;
    }
    wrong = &set;
  }
  const bool upward = wrong != nullptr && asked.zone.is_below(wrong->owner);
  if (message.authoritative && !upward) {
    Reply reply;
    reply.kind = ReplyKind::nodata;
    return reply;
  }
  if (wrong == nullptr) return complaint(ReplyKind::lame, "empty answer without authority");
  return complaint(ReplyKind::lame, (upward ? "upward referral to " : "sideways referral to ") +
                                        wrong->owner.to_text());
}

/// It points to other servers and says nothing about the name.
bool looks_like_referral(const Message& message) {
  return message.rcode == Rcode::noerror && message.answer.empty() &&
         holds_type(message.authority, RRType::ns) && !holds_type(message.authority, RRType::soa);
}

Reply refusal(const Message& message) {
  const bool lame = message.rcode == Rcode::refused || message.rcode == Rcode::notauth;
  return complaint(lame ? ReplyKind::lame : ReplyKind::broken, to_string(message.rcode));
}

/// Whether a wildcard made it, going by its signatures (RFC 4035 §5.3.4).
bool is_expanded(const RRset& set) {
  return std::ranges::any_of(set.signatures, [&](wire::Bytes rdata) {
    const auto signature = dnssec::Rrsig::parse(rdata);
    return signature && signature->labels < dnssec::signed_labels(set.owner);
  });
}

/// What a wildcard made goes with the proof that nothing is closer (RFC 4035 §3.1.3.3).
void add_proofs(const Message& message, const Asked& asked, Reply& reply) {
  const auto give = [&](const RRset& set, std::vector<RRset>& proof) {
    if (set.signatures.empty() || !is_expanded(set)) return;
    for (const RRset& one : message.authority) {
      const bool is_proof = is_denial_type(one.type) && one.owner.is_at_or_below(asked.zone);
      if (is_proof && proof.size() < kProofSetsMax) proof.push_back(one);
    }
  };
  for (Alias& alias : reply.aliases) give(alias.cname, alias.proof);
  if (reply.set) give(*reply.set, reply.proof);
}

Reply read(const Message& message, const Asked& asked, std::size_t names_max) {
  const bool usable = message.rcode == Rcode::noerror || message.rcode == Rcode::nxdomain ||
                      message.rcode == Rcode::yxdomain;
  if (!usable) return refusal(message);
  // An answer by recursion, a negative one too, is not the zone's word (fault A61).
  if (!message.authoritative && message.recursion_available && !looks_like_referral(message)) {
    return complaint(ReplyKind::lame, "answer is not authoritative");
  }

  Reply reply;
  ChainWalk chain(message, asked, reply);
  if (chain.run()) {
    if (reply.set && asked.type == RRType::ns && reply.set->owner == asked.zone) {
      reply.delegation = make_delegation(*reply.set, message.additional, asked.zone, names_max);
    }
    return reply;
  }
  if (!chain.ends_in_zone()) return reply;  // an alias that leads elsewhere

  reply.denial = denial_for(message, chain.end(), asked.zone);
  // Beside aliases a proof may be about the wildcard that made one.
  if (reply.denial.empty() && reply.aliases.empty()) reply.denial = bare_proof(message, asked.zone);
  if (message.rcode == Rcode::yxdomain) return complaint(ReplyKind::broken, "YXDOMAIN");
  if (message.rcode == Rcode::nxdomain) {
    if (reply.denial.empty() && !message.authoritative) {
      return complaint(ReplyKind::lame, "NXDOMAIN without authority");
    }
    reply.kind = ReplyKind::nxdomain;
    return reply;
  }
  if (!reply.denial.empty()) {
    reply.kind = ReplyKind::nodata;
    return reply;
  }
  if (!reply.aliases.empty()) return reply;  // the target's own fetch will tell
  return classify_empty(message, asked, names_max);
}

}  // namespace

Reply classify(const Message& message, const Asked& asked, std::size_t names_max) {
  Reply reply = read(message, asked, names_max);
  add_proofs(message, asked, reply);
  return reply;
}

std::optional<Alias> synthesise(const RRset& dname, const Name& name) {
  const auto to = wire::target_of(*dname.records.begin());
  if (!to) return std::nullopt;
  const auto target = name.substitute(dname.owner, *to);
  if (!target) return std::nullopt;
  Alias alias;
  alias.dname = first_only(dname);
  alias.cname.owner = name;
  alias.cname.type = RRType::cname;
  alias.cname.ttl = dname.ttl;
  alias.cname.records.add(target->wire());
  alias.target = *target;
  return alias;
}

std::uint32_t negative_ttl(const std::vector<RRset>& denial) {
  if (denial.empty() || denial.front().type != RRType::soa) return 0;
  const RRset& soa = denial.front();
  const auto minimum = wire::soa_minimum(*soa.records.begin());
  return minimum ? std::min(soa.ttl, *minimum) : 0;
}

}  // namespace siskin::resolve
