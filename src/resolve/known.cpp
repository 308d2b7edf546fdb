#include "resolve/known.hpp"

#include "resolve/outcome.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using cache::Kind;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

Checked checked_of(const cache::Value& value) {
  return {value.security, value.error};
}

/// A cached alias entry: [DNAME] CNAME.
std::optional<Alias> alias_from(const cache::Value& value) {
  if (value.answer.empty() || value.answer.back().type != RRType::cname) return std::nullopt;
  Alias alias;
  alias.cname = value.answer.back();
  alias.cname.ttl = value.ttl;
  alias.checked = checked_of(value);
  alias.proof = aged(value.authority, value.ttl);
  if (value.answer.size() > 1) {
    alias.dname = value.answer.front();
    alias.dname->ttl = value.ttl;
  }
  const auto target = wire::target_of(*alias.cname.records.begin());
  if (!target) return std::nullopt;
  alias.target = *target;
  return alias;
}

/// What a cached DNAME makes of `name`: an alias, or for who asks for the CNAME the answer.
void take_synthesis(RRset dname, const Checked& checked, const Name& name, RRType type,
                    Reply& reply) {
  auto alias = synthesise(dname, name);
  reply.checked = checked;
  if (!alias) {
    reply.kind = ReplyKind::yxdomain;
    reply.dname = std::move(dname);
  } else if (type == RRType::cname) {
    reply.kind = ReplyKind::answer;
    reply.dname = std::move(dname);
    reply.set = std::move(alias->cname);
  } else {
    reply.kind = ReplyKind::alias;
    alias->checked = checked;
    reply.aliases.push_back(std::move(*alias));
  }
}

/// Whom a cached value holds for.
std::optional<Network> held_for(const cache::Value& value, const Audience& audience) {
  if (value.scope == 0 || !audience.network) return std::nullopt;
  return Network::of(audience.network->address(), value.scope);
}

/// One look at the cache, for fresh answers or for stale ones too.
class Look {
 public:
  Look(const Core& core, const Audience& audience, const Age& age)
      : core_(core), audience_(audience), age_(age) {}

  std::optional<Known> at(const Name& name, RRType type);

 private:
  std::optional<cache::Value> find(const Name& name, RRType type, const Network* subnet) {
    const cache::Cache& cache = core_.context.cache;
    auto value = age_.may_be_stale ? cache.find_stale(name, type, core_.now(), subnet)
                                   : cache.find(name, type, core_.now(), subnet);
    if (!value) return value;
    if (value->kind == Kind::failure) return age_.may_be_stale ? std::nullopt : value;
    if (value->is_stale) {
      value->ttl = core_.options.stale_ttl;
      known_.is_stale = true;
    } else if (value->ttl < age_.seconds_left) {
      return std::nullopt;
    }
    return value;
  }
  std::optional<cache::Value> find(const Name& name, RRType type) {
    return find(name, type, audience_.in_cache());
  }

  void take(cache::Value value);
  bool take_alias(const Name& name);
  bool take_absence(const Name& name);
  bool take_from_above(const Name& name, RRType type);
  bool take_cut(const Name& above);

  const Core& core_;
  const Audience& audience_;
  const Age age_;
  Known known_;
};

std::optional<Known> Look::at(const Name& name, RRType type) {
  // Of what has expired, an absence counts first: an answer that came later has ended it.
  if (age_.may_be_stale && take_absence(name)) return std::move(known_);
  if (auto value = find(name, type)) {
    take(std::move(*value));
    return std::move(known_);
  }
  // A DS is the parent's, whatever the child's apex is an alias of (fault B49).
  const bool is_known =
      (type != RRType::ds && take_alias(name)) || take_absence(name) || take_from_above(name, type);
  return is_known ? std::optional(std::move(known_)) : std::nullopt;
}

void Look::take(cache::Value value) {
  Reply& reply = known_.reply;
  reply.held_for = held_for(value, audience_);
  reply.checked = checked_of(value);
  if (value.kind == Kind::failure) {
    known_.failure = value.error.value_or(ExtendedError{});
  } else if (value.kind == Kind::nodata) {
    reply.kind = ReplyKind::nodata;
    reply.denial = aged(std::move(value.authority), value.ttl);
  } else {
    reply.kind = ReplyKind::answer;
    std::vector<RRset> sets = aged(std::move(value.answer), value.ttl);
    reply.set = std::move(sets.back());
    if (sets.size() > 1) reply.dname = std::move(sets.front());
    reply.proof = aged(std::move(value.authority), value.ttl);
  }
}

bool Look::take_alias(const Name& name) {
  const auto value = find(name, RRType::cname);
  if (!value || value->kind != Kind::positive) return false;
  auto alias = alias_from(*value);
  if (!alias) return false;
  known_.reply.held_for = held_for(*value, audience_);
  known_.reply.kind = ReplyKind::alias;
  known_.reply.aliases.push_back(std::move(*alias));
  return true;
}

bool Look::take_absence(const Name& name) {
  auto value = find(name, cache::kNameSlot, nullptr);
  if (!value) return false;
  known_.reply.kind = ReplyKind::nxdomain;
  known_.reply.checked = checked_of(*value);
  known_.reply.denial = aged(std::move(value->authority), value->ttl);
  return true;
}

/// The denial of a name as one of all names below it; not once it has expired.
bool Look::take_cut(const Name& above) {
  const bool may_count = core_.options.nxdomain_cut || above.label_count() == 1;
  if (age_.may_be_stale || !may_count) return false;
  auto value = find(above, cache::kNameSlot, nullptr);
  if (!value || !denies_all_below(core_, value->authority, above)) return false;
  known_.reply.kind = ReplyKind::nxdomain;
  known_.reply.checked = checked_of(*value);
  known_.reply.denial = aged(std::move(value->authority), value->ttl);
  return true;
}

/// By a DNAME, or because a name above does not exist.
bool Look::take_from_above(const Name& name, RRType type) {
  for (Name above = name; !above.is_root();) {
    above = above.parent();
    if (take_cut(above)) return true;
    const auto value = find(above, RRType::dname);
    if (!value || value->kind != Kind::positive) continue;
    known_.reply.held_for = held_for(*value, audience_);
    RRset dname = value->answer.back();
    dname.ttl = value->ttl;
    take_synthesis(std::move(dname), checked_of(*value), name, type, known_.reply);
    return true;
  }
  return false;
}

}  // namespace

bool denies_all_below(const Core& core, const std::vector<RRset>& denial, const Name& name) {
  if (denial.empty() || denial.front().type != RRType::soa) return false;
  if (core.options.nxdomain_cut) return true;
  return name.label_count() == 1 && denial.front().owner.is_root();
}

std::optional<Known> known_of(const Core& core, const Name& name, RRType type,
                              const Audience& audience, const Age& age) {
  Age fresh = age;
  fresh.may_be_stale = false;
  auto known = Look(core, audience, fresh).at(name, type);
  if (!age.may_be_stale || (known && !known->failure)) return known;
  return Look(core, audience, age).at(name, type);
}

}  // namespace siskin::resolve
