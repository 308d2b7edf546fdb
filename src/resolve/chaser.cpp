#include "resolve/chaser.hpp"

#include <algorithm>
#include <utility>

#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using cache::Kind;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::uint32_t kFailureTtl = 5;    ///< seconds (RFC 9520 §3.2: 1 s to 5 min)
constexpr std::size_t kLookupDepthMax = 8;  ///< server names whose zones need server names

std::vector<RRset> aged(std::vector<RRset> sets, std::uint32_t ttl) {
  for (RRset& set : sets) set.ttl = ttl;
  return sets;
}

/// A cached alias entry: [DNAME] CNAME.
std::optional<Alias> alias_from(const cache::Value& value) {
  if (value.answer.empty() || value.answer.back().type != RRType::cname) return std::nullopt;
  Alias alias;
  alias.cname = value.answer.back();
  alias.cname.ttl = value.ttl;
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
void take_synthesis(RRset dname, const Name& name, RRType type, Reply& reply) {
  auto alias = synthesise(dname, name);
  if (!alias) {
    reply.kind = ReplyKind::yxdomain;
    reply.dname = std::move(dname);
  } else if (type == RRType::cname) {
    reply.kind = ReplyKind::answer;
    reply.dname = std::move(dname);
    reply.set = std::move(alias->cname);
  } else {
    reply.kind = ReplyKind::alias;
    reply.aliases.push_back(std::move(*alias));
  }
}

bool holds_alias_of(const std::vector<RRset>& answer, const Name& owner) {
  return std::ranges::any_of(
      answer, [&](const RRset& set) { return set.type == RRType::cname && set.owner == owner; });
}

std::uint8_t scope_of(const Reply& reply) {
  const bool is_positive = reply.set || !reply.aliases.empty();
  if (!is_positive || !reply.held_for) return 0;
  return static_cast<std::uint8_t>(reply.held_for->prefix_length());
}

/// Whom a cached value holds for.
std::optional<Network> held_for(const cache::Value& value, const Audience& audience) {
  if (value.scope == 0 || !audience.network) return std::nullopt;
  return Network::of(audience.network->address(), value.scope);
}

/// A DNAME that makes two links of a chain is told once (RFC 2181 §5.5).
void append_once(std::vector<RRset>& answer, RRset set) {
  const auto is_same = [&](const RRset& told) {
    return told.type == set.type && told.owner == set.owner;
  };
  if (std::ranges::none_of(answer, is_same)) answer.push_back(std::move(set));
}

bool is_failed(const Reply& reply) {
  return reply.kind == ReplyKind::lame || reply.kind == ReplyKind::broken;
}

}  // namespace

runtime::Task<Outcome> Chaser::chase(Query& query, Question question) {
  const Audience audience = audience_of(core_, query, question.type);
  Outcome outcome;
  Name name = question.name;
  for (;;) {
    Step step;
    if (auto known = from_cache(name, question.type, audience)) {
      step = std::move(*known);
    } else {
      step.reply = co_await fetch(query, name, question.type, audience);
      if (is_failed(step.reply)) {
        step.cached_failure = explain(query);
        remember_failure(query, name, question.type, *step.cached_failure);
      }
    }
    Reply& reply = step.reply;
    if (step.cached_failure) {
      outcome.error = std::move(step.cached_failure);
      break;
    }
    outcome.scope = std::max(outcome.scope, scope_of(reply));
    if (!append_aliases(query, reply, outcome)) {
      remember_failure(query, question.name, question.type, *outcome.error);
      break;
    }
    if (reply.kind != ReplyKind::alias) {
      append_end(reply, outcome);
      break;
    }
    name = reply.aliases.back().target;
  }
  if (outcome.error) {
    outcome.rcode = wire::Rcode::servfail;
    outcome.answer.clear();
    outcome.scope = 0;
  }
  outcome.exchanges = query.budget.exchanges_spent();
  co_return outcome;
}

/// What the cache knows of `name`: the set, an alias, that there is none, or that asking failed.
std::optional<Chaser::Step> Chaser::from_cache(const Name& name, RRType type,
                                               const Audience& audience) const {
  const cache::Cache& cache = core_.context.cache;
  const Instant now = core_.now();
  Step step;
  Reply& reply = step.reply;
  if (auto value = cache.find(name, type, now, audience.in_cache())) {
    reply.held_for = held_for(*value, audience);
    if (value->kind == Kind::failure) {
      step.cached_failure = value->error.value_or(ExtendedError{});
    } else if (value->kind == Kind::nodata) {
      reply.kind = ReplyKind::nodata;
      reply.denial = aged(std::move(value->authority), value->ttl);
    } else {
      reply.kind = ReplyKind::answer;
      std::vector<RRset> sets = aged(std::move(value->answer), value->ttl);
      reply.set = std::move(sets.back());
      if (sets.size() > 1) reply.dname = std::move(sets.front());
    }
    return step;
  }
  // A DS is the parent's, whatever the child's apex is an alias of (fault B49).
  if (const auto value = cache.find(name, RRType::cname, now, audience.in_cache());
      type != RRType::ds && value && value->kind == Kind::positive) {
    if (auto alias = alias_from(*value)) {
      reply.held_for = held_for(*value, audience);
      reply.kind = ReplyKind::alias;
      reply.aliases.push_back(std::move(*alias));
      return step;
    }
  }
  if (auto value = cache.find(name, cache::kNameSlot, now)) {
    reply.kind = ReplyKind::nxdomain;
    reply.denial = aged(std::move(value->authority), value->ttl);
    return step;
  }
  for (Name above = name; !above.is_root();) {
    above = above.parent();
    const auto value = cache.find(above, RRType::dname, now, audience.in_cache());
    if (!value || value->kind != Kind::positive) continue;
    reply.held_for = held_for(*value, audience);
    RRset dname = value->answer.back();
    dname.ttl = value->ttl;
    take_synthesis(std::move(dname), name, type, reply);
    return step;
  }
  return std::nullopt;
}

runtime::Task<Reply> Chaser::fetch(Query& query, const Name& name, RRType type,
                                   const Audience& audience) {
  query.trouble.clear();
  query.looking_for.push_back(name);
  Reply reply = co_await walker_.fetch(query, name, type, audience);
  query.looking_for.pop_back();
  co_return reply;
}

/// Takes the aliases over; false with outcome.error set when they go in circles or are too many.
bool Chaser::append_aliases(Query& query, const Reply& reply, Outcome& outcome) const {
  const cache::Cache& cache = core_.context.cache;
  const auto fail = [&](std::string text) {
    outcome.error = ExtendedError{wire::Ede::other, std::move(text)};
    return false;
  };
  for (const Alias& alias : reply.aliases) {
    if (holds_alias_of(outcome.answer, alias.cname.owner)) {
      return fail("aliases go in circles at " + alias.cname.owner.to_text());
    }
    if (!query.budget.spend_alias()) return fail("too many aliases");
    for (const RRset* set : {alias.dname ? &*alias.dname : nullptr, &alias.cname}) {
      if (set == nullptr) continue;
      RRset told = *set;
      told.ttl = cache.clamp_ttl(Kind::positive, set->ttl);
      append_once(outcome.answer, std::move(told));
    }
    if (alias.target == alias.cname.owner || holds_alias_of(outcome.answer, alias.target)) {
      return fail("aliases go in circles at " + alias.target.to_text());
    }
  }
  return true;
}

void Chaser::append_end(Reply& reply, Outcome& outcome) const {
  const cache::Cache& cache = core_.context.cache;
  outcome.rcode = wire::Rcode::noerror;
  for (std::optional<RRset>* set : {&reply.dname, &reply.set}) {
    if (!*set) continue;
    (*set)->ttl = cache.clamp_ttl(Kind::positive, (*set)->ttl);
    append_once(outcome.answer, std::move(**set));
  }
  if (reply.kind == ReplyKind::answer) return;
  if (reply.kind == ReplyKind::nxdomain) outcome.rcode = wire::Rcode::nxdomain;
  if (reply.kind == ReplyKind::yxdomain) outcome.rcode = wire::Rcode::yxdomain;
  const std::uint32_t ttl = cache.clamp_ttl(Kind::nodata, negative_ttl(reply.denial));
  outcome.authority = aged(std::move(reply.denial), ttl);
}

bool Chaser::knows(const Name& name, RRType type) const {
  return from_cache(name, type, our_own(core_)).has_value();
}

runtime::Task<std::vector<IpAddress>> Chaser::addresses_of(Query& query, Name server) {
  std::vector<IpAddress> found;
  if (query.looking_for.size() >= kLookupDepthMax) co_return found;
  const bool is_known = knows(server, RRType::a) || !core_.options.ipv4;
  if (!is_known && !query.budget.spend_server_lookup()) co_return found;
  if (core_.options.ipv4) found = co_await look_up(query, server, RRType::a);
  if (found.empty() && core_.options.ipv6) {
    found = co_await look_up(query, server, RRType::aaaa);
  }
  co_return found;
}

runtime::Task<std::vector<IpAddress>> Chaser::look_up(Query& query, const Name& server,
                                                      RRType type) {
  const bool cut_before = std::exchange(query.loop_cut, false);
  const Question question{server, type};
  const Outcome outcome = co_await chase(query, question);
  query.loop_cut = query.loop_cut || cut_before;
  std::vector<IpAddress> found;
  for (const RRset& set : outcome.answer) {
    if (set.type != type) continue;
    for (const wire::Bytes rdata : set.records) {
      const auto address = wire::address_of(type, rdata);
      if (address && core_.addresses.may_ask(*address)) found.push_back(*address);
    }
  }
  co_return found;
}

/// RFC 9520: the next asker is told at once.  Not what was cut short by a loop of this very query,
/// unless the whole query is about that name.
void Chaser::remember_failure(const Query& query, const Name& name, RRType type,
                              const ExtendedError& error) const {
  if (core_.stopped || (query.loop_cut && !query.looking_for.empty())) return;
  cache::Value value;
  value.kind = Kind::failure;
  value.ttl = kFailureTtl;
  value.error = error;
  core_.context.cache.store(name, type, value, core_.now());
}

ExtendedError Chaser::explain(const Query& query) const {
  if (core_.stopped) return {wire::Ede::not_ready, "the resolver is stopping"};
  ExtendedError error{query.trouble_code, query.trouble};
  if (query.budget.exhausted() != nullptr) {
    const bool is_bare = error.text.empty();
    error.text += (is_bare ? "" : "; ") + std::string("limit reached: ") + query.budget.exhausted();
    if (is_bare) error.code = wire::Ede::other;
  }
  return error;
}

}  // namespace siskin::resolve
