#include "resolve/validator.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "resolve/anchor_tags.hpp"
#include "siskin/dnssec/denial.hpp"

namespace siskin::resolve {
namespace {

using cache::Security;
using dnssec::Proof;
using wire::brief_text;
using wire::Ede;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

/// Signatures and hashes after which others have their turn: about a millisecond.
constexpr std::uint32_t kWorkAtATime = 8;

Checked bogus(ExtendedError why) {
  return {Security::bogus, std::move(why)};
}

/// What holds for a zone holds for what is in it.  Of keys that this query could not get the next
/// one may know more.
Checked of_zone(const Query& query, const Standing& zone) {
  if (zone.trust->security == dnssec::Security::insecure) {
    return {Security::insecure, zone.trust->why};
  }
  return {Security::bogus, zone.trust->why,
          zone.trust->is_unsure || query.budget.exhausted().has_value()};
}

Checked no_zone(const Name& signer, const Name& owner) {
  return bogus(
      {Ede::dnssec_bogus, brief_text(owner) + ": signed by " + brief_text(signer) + ", no zone"});
}

struct About {
  const Name& zone;
  const Name& name;
};

/// What a proof that was looked at makes of the answer that it belongs to.
Checked from_proof(Proof proof, const dnssec::Denial& denial, const dnssec::Work& work,
                   const About& about) {
  const std::string zone = brief_text(about.zone);
  switch (proof) {
    case Proof::proved: return {Security::secure, std::nullopt};
    case Proof::opt_out: return {Security::insecure, std::nullopt};
    case Proof::insecure:
      return {Security::insecure, ExtendedError{Ede::unsupported_nsec3_iterations,
                                                zone + ": NSEC3 with too many iterations"}};
    case Proof::missing: break;
  }
  if (work.exhausted()) {
    return bogus({Ede::dnssec_bogus, stats::limit_reached(*work.exhausted())});
  }
  const std::string name = brief_text(about.name);
  if (denial.is_empty()) return bogus({Ede::nsec_missing, zone + ": no proof about " + name});
  return bogus({Ede::dnssec_bogus, zone + ": its proof does not fit " + name});
}

Proof prove(const dnssec::Denial& denial, const Name& name, RRType type, bool is_nxdomain,
            dnssec::Work& work) {
  if (is_nxdomain) return denial.no_name(name, work);
  const Proof proof = denial.no_data(name, type, work);
  return proof == Proof::missing && type == RRType::ds ? denial.no_ds(name, work) : proof;
}

/// What lies behind an alias is asked for by its own name before it counts as bogus: some servers
/// follow aliases with less than the whole proof (NSD behind a DNAME to an empty non-terminal).
void forget_end(Reply& reply) {
  reply.kind = ReplyKind::alias;
  reply.set.reset();
  reply.dname.reset();
  reply.denial.clear();
  reply.proof.clear();
  reply.checked = {};
  reply.is_bare = false;
}

}  // namespace

runtime::Task<void> Validator::check(Query& query, Name name, RRType type, Reply& reply,
                                     Search search) {
  const Job job{query, reply, search};
  reply.is_bare = false;
  for (Alias& alias : reply.aliases) {
    if (alias.checked.security == Security::unchecked) {
      RRset& set = alias.dname ? *alias.dname : alias.cname;
      alias.checked = co_await check_positive(job, set, alias.proof);
      alias.cname.ttl = std::min(alias.cname.ttl, set.ttl);
    }
    if (alias.checked.is_bogus()) co_return;
  }
  if (reply.checked.security != Security::unchecked) co_return;
  const Name& end = reply.aliases.empty() ? name : reply.aliases.back().target;
  reply.checked = co_await check_end(job, end, type);
  const bool is_worth_asking = !reply.aliases.empty() && !query.work.exhausted();
  if (reply.checked.is_bogus() && is_worth_asking) forget_end(reply);
  obey_sentinel(name, type, reply);
}

/// A secure answer that is to tell which keys are trusted here is a failure where they are not as
/// its name says.
void Validator::obey_sentinel(const Name& name, RRType type, Reply& reply) const {
  const Validation& validation = core_.options.validation;
  if (!validation.root_key_sentinel || !is_sentinel_failure(name, type, validation.anchors)) return;
  Checked& first = reply.aliases.empty() ? reply.checked : reply.aliases.front().checked;
  if (first.security != Security::secure) return;
  first = bogus({Ede::other, "root key sentinel (RFC 8509)"});
}

runtime::Task<Checked> Validator::check_end(const Job& job, Name name, RRType type) {
  Reply& reply = job.reply;
  switch (reply.kind) {
    case ReplyKind::answer:
    case ReplyKind::yxdomain:
      co_return co_await check_positive(job, reply.dname ? *reply.dname : *reply.set, reply.proof);
    case ReplyKind::nodata:
    case ReplyKind::nxdomain: co_return co_await check_denial(job, name, type);
    case ReplyKind::alias:
    case ReplyKind::referral:
    case ReplyKind::lame:
    case ReplyKind::broken: break;
  }
  co_return Checked{};
}

runtime::Task<Checked> Validator::check_positive(const Job& job, RRset& set,
                                                 std::vector<RRset>& proof) {
  // Signatures are not signed (RFC 4035 §2.2).
  if (set.type == RRType::rrsig) co_return Checked{Security::insecure, std::nullopt};
  const auto signer = signer_below_cut(set);
  if (!signer) {
    const Name where = set.type == RRType::ds ? set.owner.parent() : set.owner;
    co_return co_await check_unsigned(job, where, Ede::rrsigs_missing);
  }
  const Standing zone = co_await chain_.reach(job.query, *signer, Target::zone);
  if (!zone.is_secure()) co_return of_zone(job.query, zone);
  if (!(zone.zone == *signer)) co_return no_zone(*signer, set.owner);
  co_await give_way(job.query);
  co_return judge(job.query, zone, set, proof);
}

Checked Validator::judge(Query& query, const Standing& zone, RRset& set,
                         std::vector<RRset>& proof) const {
  const dnssec::Finding finding = dnssec::check_set(
      set, zone.zone, zone.trust->keys, core_.moment(), query.work, *core_.context.verifier);
  if (finding.security != dnssec::Security::secure) return bogus(finding.why);
  set.ttl = finding.ttl_max;
  if (!finding.is_expanded) {
    proof.clear();
    return {Security::secure, std::nullopt};
  }
  keep_signed(core_, query.work, zone, proof);
  const dnssec::Denial denial(zone.zone, proof);
  const Proof found = denial.no_closer_match(set.owner, finding.signed_labels, query.work);
  return from_proof(found, denial, query.work, {zone.zone, set.owner});
}

runtime::Task<Checked> Validator::check_denial(const Job& job, Name name, RRType type) {
  std::optional<Name> signer;
  for (const RRset& set : job.reply.denial) {
    if (!signer) signer = signer_below_cut(set);
  }
  if (!signer) {
    const Name where = type == RRType::ds ? name.parent() : name;
    co_return co_await check_unsigned(job, where, Ede::nsec_missing);
  }
  const Standing zone = co_await chain_.reach(job.query, *signer, Target::zone);
  if (!zone.is_secure()) co_return of_zone(job.query, zone);
  if (!(zone.zone == *signer)) co_return no_zone(*signer, name);
  co_await give_way(job.query);
  co_return judge_denial(job, zone, name, type);
}

Checked Validator::judge_denial(const Job& job, const Standing& zone, const Name& name,
                                RRType type) const {
  dnssec::Work& work = job.query.work;
  Reply& reply = job.reply;
  const Denied denied = keep_signed(core_, work, zone, reply.denial);
  if (!denied.is_sound) return bogus(denied.finding.why);
  const dnssec::Denial denial(zone.zone, reply.denial);
  const bool is_nxdomain = reply.kind == ReplyKind::nxdomain;
  Proof proof = prove(denial, name, type, is_nxdomain, work);
  if (is_nxdomain && proof == Proof::missing && denial.no_data(name, type, work) == Proof::proved) {
    // A server that denies an empty non-terminal has the right records all the same (fault B3).
    reply.kind = ReplyKind::nodata;
    proof = Proof::proved;
  }
  return from_proof(proof, denial, work, {zone.zone, name});
}

/// Right where all of it is below a zone without keys, and else stripped.
runtime::Task<Checked> Validator::check_unsigned(const Job& job, Name name, Ede missing) {
  const Target target = job.search == Search::known_cuts ? Target::known_cuts : Target::name;
  const Standing zone = co_await chain_.reach(job.query, name, target);
  if (!zone.is_secure()) co_return of_zone(job.query, zone);
  job.reply.is_bare = true;
  co_return bogus({missing, brief_text(zone.zone) + ": nothing signed about " + brief_text(name)});
}

/// Of zones that lie above a known cut none has a say about what is below it (fault A29).
std::optional<Name> Validator::signer_below_cut(const RRset& set) const {
  auto signer = signer_of(set);
  if (!signer || set.type == RRType::ds) return signer;
  for (Name name = set.owner; name.is_below(*signer); name = name.parent()) {
    const bool is_denial = set.type == RRType::nsec || set.type == RRType::nsec3;
    // The parent's own records at the cut tell that there is one.
    if (is_denial && name.size() == set.owner.size()) continue;
    if (core_.context.cache.find(name, cache::kDelegationSlot, core_.now())) return std::nullopt;
  }
  return signer;
}

runtime::Task<void> Validator::give_way(Query& query) const {
  const std::uint32_t done = query.work.signatures() + query.work.hashes();
  if (done - query.work_yielded_at < kWorkAtATime) co_return;
  query.work_yielded_at = done;
  const runtime::Executor executor = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(executor, runtime::use_task);
}

}  // namespace siskin::resolve
