#include "resolve/outcome.hpp"

#include <algorithm>

namespace siskin::resolve {
namespace {

using cache::Kind;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

bool holds_alias_of(const std::vector<RRset>& answer, const Name& owner) {
  return std::ranges::any_of(
      answer, [&](const RRset& set) { return set.type == RRType::cname && set.owner == owner; });
}

/// A DNAME that makes two links of a chain is told once (RFC 2181 §5.5).
void append_once(std::vector<RRset>& answer, RRset set) {
  const auto is_same = [&](const RRset& told) {
    return told.type == set.type && told.owner == set.owner;
  };
  if (std::ranges::none_of(answer, is_same)) answer.push_back(std::move(set));
}

}  // namespace

std::vector<RRset> aged(std::vector<RRset> sets, std::uint32_t ttl) {
  for (RRset& set : sets) set.ttl = ttl;
  return sets;
}

std::uint8_t scope_of(const Reply& reply) {
  const bool is_positive = reply.set || !reply.aliases.empty();
  if (!is_positive || !reply.held_for) return 0;
  return static_cast<std::uint8_t>(reply.held_for->prefix_length());
}

bool append_aliases(const Core& core, Budget& budget, const Reply& reply, Outcome& outcome) {
  const cache::Cache& cache = core.context.cache;
  const auto fail = [&](std::string text) {
    outcome.error = ExtendedError{wire::Ede::other, std::move(text)};
    return false;
  };
  for (const Alias& alias : reply.aliases) {
    if (holds_alias_of(outcome.answer, alias.cname.owner)) {
      return fail("aliases go in circles at " + alias.cname.owner.to_text());
    }
    if (!budget.spend_alias()) return fail("too many aliases");
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

void append_end(const Core& core, Reply& reply, Outcome& outcome) {
  const cache::Cache& cache = core.context.cache;
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

}  // namespace siskin::resolve
