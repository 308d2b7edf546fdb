#include "resolve/walker.hpp"

#include <algorithm>

#include "resolve/known.hpp"

namespace siskin::resolve {
namespace {

using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr Duration kPrimingRetry = std::chrono::seconds(10);
constexpr std::uint32_t kBogusTtlMin = 5;  ///< seconds; a TTL of 0 is no way to be asked for again

cache::Value positive(std::vector<RRset> sets) {
  cache::Value value;
  value.kind = cache::Kind::positive;
  value.ttl = sets.back().ttl;
  for (const RRset& set : sets) value.ttl = std::min(value.ttl, set.ttl);
  value.answer = std::move(sets);
  return value;
}

void mark(const Core& core, const Checked& checked, cache::Value& value) {
  value.security = checked.security;
  value.error = checked.why;
  if (!checked.is_bogus()) return;
  value.ttl = checked.is_unsure
                  ? kBogusTtlMin
                  : std::clamp(value.ttl, kBogusTtlMin, core.options.validation.bogus_ttl);
}

/// What is kept of a positive reply: a set, and with it what made it and what it is worth.
struct Positive {
  const std::optional<RRset>& dname;
  const RRset& set;
  const std::vector<RRset>& proof;
  const Checked& checked;
};

/// What a wildcard made is kept under the wildcard too, for names that it will stand in for.
void store_wildcard(Core& core, const Positive& told, cache::Value value) {
  if (told.checked.security != cache::Security::secure || told.proof.empty()) return;
  const auto signature = dnssec::Rrsig::parse(*told.set.signatures.begin());
  const Name& owner = told.set.owner;
  if (!signature || signature->labels >= dnssec::signed_labels(owner)) return;
  constexpr std::uint8_t kStar = '*';
  const auto wildcard = owner.suffix(signature->labels).with_label({&kStar, 1});
  if (!wildcard) return;
  value.authority.clear();
  value.answer.front().owner = *wildcard;
  core.context.cache.store(*wildcard, told.set.type, value, core.now());
}

/// For everybody or for some.
void store_positive(Core& core, const Positive& told, const std::optional<Network>& held_for) {
  cache::Cache& cache = core.context.cache;
  const Instant now = core.now();
  const Network* subnet = held_for && policy::may_be_tailored(told.set.type) ? &*held_for : nullptr;
  std::vector<RRset> sets;
  if (told.dname) {
    sets.push_back(*told.dname);
    cache::Value value = positive({*told.dname});
    mark(core, told.checked, value);
    cache.store(told.dname->owner, RRType::dname, value, now, subnet);
  }
  sets.push_back(told.set);
  cache::Value value = positive(std::move(sets));
  value.authority = told.proof;
  mark(core, told.checked, value);
  cache.store(told.set.owner, told.set.type, value, now, subnet);
  if (subnet == nullptr) store_wildcard(core, told, std::move(value));
}

void store_denial(Core& core, const Reply& reply, const Name& name, RRType type) {
  cache::Value value;
  const bool is_nxdomain = reply.kind == ReplyKind::nxdomain;
  value.kind = is_nxdomain ? cache::Kind::nxdomain : cache::Kind::nodata;
  value.ttl = negative_ttl(reply.denial);
  value.authority = reply.denial;
  mark(core, reply.checked, value);
  const bool is_kept =
      core.context.cache.store(name, is_nxdomain ? cache::kNameSlot : type, value, core.now());
  const Network* const asker = reply.held_for ? &*reply.held_for : nullptr;
  if (is_nxdomain && !is_kept) core.context.cache.refute(name, type, core.now(), asker);
}

/// A negative reply to a part of the name is worth an entry where a zone begins whose parent is
/// served by the same servers: no referral will ever tell.  Not at empty non-terminals, of which a
/// zone may have as many as names.
bool is_at_apex(const Reply& reply, const Name& shown) {
  return reply.kind == ReplyKind::nodata && !reply.denial.empty() &&
         reply.denial.front().type == RRType::soa && reply.denial.front().owner == shown;
}

void store_part(Core& core, const Reply& reply, const Name& shown) {
  if (reply.kind == ReplyKind::answer || is_at_apex(reply, shown)) {
    store(core, reply, shown, RRType::a);
  }
}

/// Keeps the denial of a part of the name below which nothing can be (RFC 8020); false for any
/// other reply.
bool store_cut(Core& core, const Reply& reply, const Name& shown) {
  if (reply.kind != ReplyKind::nxdomain || !reply.aliases.empty()) return false;
  if (!denies_all_below(core, reply.denial, shown)) return false;
  store_denial(core, reply, shown, RRType::a);
  return true;
}

/// What is said of keys is kept where somebody looks at it.
void prepare(const Core& core, Delegation& delegation) {
  if (core.validates()) {
    limit_to_proof(delegation);
  } else {
    delegation.keys_proof.clear();
  }
}

/// The zone above which to look for whoever answers: a DS is its parent's (RFC 4035 §3.1.4.1).
Name walk_from(const Name& name, RRType type) {
  return type == RRType::ds ? name.parent() : name;
}

}  // namespace

void store(Core& core, const Reply& reply, const Name& name, RRType type) {
  for (const Alias& alias : reply.aliases) {
    store_positive(core, {alias.dname, alias.cname, alias.proof, alias.checked}, reply.held_for);
  }
  const Name& end = reply.aliases.empty() ? name : reply.aliases.back().target;
  switch (reply.kind) {
    case ReplyKind::answer:
      store_positive(core, {reply.dname, *reply.set, reply.proof, reply.checked}, reply.held_for);
      break;
    case ReplyKind::nodata:
    case ReplyKind::nxdomain: store_denial(core, reply, end, type); break;
    case ReplyKind::referral:
      core.context.cache.store(reply.delegation->zone, cache::kDelegationSlot,
                               to_cache(*reply.delegation), core.now());
      break;
    case ReplyKind::alias:
    case ReplyKind::yxdomain:
    case ReplyKind::lame:
    case ReplyKind::broken: break;
  }
}

runtime::Task<Reply> Walker::fetch(Query& query, Name name, RRType type, Audience audience) {
  Delegation delegation = co_await start(walk_from(name, type));
  Minimiser minimiser(name, core_.options.qname_minimisation);
  minimiser.skip(labels_known(name, delegation.zone, audience));
  bool went_back = false;
  for (;;) {
    const Name shown = minimiser.next(delegation.zone);
    const bool is_whole = shown.size() == name.size();
    const Asked asked = asked_of(shown, type, is_whole, delegation, audience);
    Reply reply =
        co_await zone_asker_.ask(query, delegation, asked, is_whole ? Effort::whole : Effort::part);
    mark_as_ours(asked, audience, reply);
    switch (reply.kind) {
      case ReplyKind::referral:
        prepare(core_, *reply.delegation);
        store(core_, reply, shown, type);
        delegation = std::move(*reply.delegation);
        continue;
      case ReplyKind::answer:
      case ReplyKind::nodata:
        if (is_whole) break;
        store_part(core_, reply, shown);
        continue;
      case ReplyKind::alias:
      case ReplyKind::nxdomain:
      case ReplyKind::yxdomain:
        if (is_whole || store_cut(core_, reply, shown)) break;
        minimiser.give_up();
        continue;
      case ReplyKind::lame:
      case ReplyKind::broken:
        if (!is_whole && may_go_on(query)) {
          minimiser.give_up();
          continue;
        }
        if (!went_back && may_go_back(query, delegation)) {
          went_back = true;
          delegation = co_await start(delegation.zone.parent());
          continue;
        }
        co_return reply;
    }
    co_return reply;
  }
}

bool Walker::may_go_on(const Query& query) const {
  return !query.budget.exhausted() && !query.is_refused && !core_.stopped;
}

/// The servers may have changed since the parent was asked (fault B25); where their names only lead
/// in a circle the parent was asked just now (fault A53).
bool Walker::may_go_back(const Query& query, const Delegation& delegation) const {
  return delegation.from_cache && may_go_on(query) && !query.loop_cut && !delegation.zone.is_root();
}

/// Only the whole name is what the client asks for, and only with it may servers be told of the
/// client.  `shown`, `delegation` and `audience` outlive the result.
Asked Walker::asked_of(const Name& shown, RRType type, bool is_whole, const Delegation& delegation,
                       const Audience& audience) const {
  const bool tells =
      is_whole && audience.is_told && core_.options.subnet_zones.may_tell(delegation.zone);
  return {shown, is_whole ? type : RRType::a, delegation.zone,
          tells ? audience.in_cache() : nullptr};
}

/// What a zone that might be told of somebody says to us is for nobody else.
void Walker::mark_as_ours(const Asked& asked, const Audience& audience, Reply& reply) const {
  const bool may_tell = audience.network && core_.options.subnet_zones.may_tell(asked.zone);
  if (may_tell && asked.subnet == nullptr) reply.held_for = Network();
}

/// Of the longest part of `name` below `zone` that is known to exist.  Then the zone's servers have
/// told that there is no cut, or that they serve both sides; and if there is one after all, they
/// refer to it as soon as they see the next label.
std::size_t Walker::labels_known(const Name& name, const Name& zone,
                                 const Audience& audience) const {
  for (Name part = name.parent(); part.size() > zone.size(); part = part.parent()) {
    if (is_known_to_exist(part, audience)) return part.label_count();
  }
  return 0;
}

bool Walker::is_known_to_exist(const Name& part, const Audience& audience) const {
  const Network nobody;
  const Network* network = audience.network ? &nobody : nullptr;
  const auto has = [&](RRType type, cache::Kind kind) {
    const auto known = core_.context.cache.find(part, type, core_.now(), network);
    return known && (known->kind == cache::Kind::positive || known->kind == kind);
  };
  return has(RRType::a, cache::Kind::nodata) || has(RRType::cname, cache::Kind::positive);
}

runtime::Task<Delegation> Walker::start(Name from) {
  if (auto known = deepest_delegation(core_.context.cache, from, core_.now())) {
    co_return std::move(*known);
  }
  Delegation root = hints();
  if (core_.options.priming && !core_.priming && core_.now() >= core_.next_priming) {
    co_await prime(root);
  }
  co_return root;
}

/// RFC 8109: the hints only serve to ask the root servers for their own names and addresses.  The
/// cost is not the client query's.
runtime::Task<void> Walker::prime(Delegation& root) {
  core_.priming = true;
  Query query(core_.options, core_.now());
  const Name zone;
  const Asked asked{zone, RRType::ns, zone};
  Reply reply = co_await zone_asker_.ask(query, root, asked, Effort::part);
  core_.priming = false;
  if (reply.kind == ReplyKind::answer && reply.delegation && is_better_root(*reply.delegation)) {
    root = std::move(*reply.delegation);
    core_.context.cache.store(zone, cache::kDelegationSlot, to_cache(root), core_.now());
  } else {
    core_.next_priming = core_.now() + kPrimingRetry;
  }
}

bool Walker::is_better_root(const Delegation& primed) const {
  return std::ranges::any_of(primed.servers, [&](const ZoneServer& server) {
    return std::ranges::any_of(server.addresses, [&](const IpAddress& address) {
      return core_.addresses.may_ask(address);
    });
  });
}

Delegation Walker::hints() const {
  Delegation root;
  for (const auto& [name, address] : core_.options.root_hints) {
    auto at = std::ranges::find(root.servers, name, &ZoneServer::name);
    if (at == root.servers.end()) {
      root.servers.push_back({name, {}});
      at = std::prev(root.servers.end());
    }
    at->addresses.push_back(address);
  }
  return root;
}

}  // namespace siskin::resolve
