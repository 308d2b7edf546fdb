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

template <class Is>
bool all_checked(const Reply& reply, Is is) noexcept {
  const bool has_end = reply.kind != ReplyKind::alias;
  return std::ranges::all_of(reply.aliases, [&](const Alias& a) { return is(a.checked); }) &&
         (!has_end || is(reply.checked));
}

}  // namespace

bool is_good(const Reply& reply) noexcept {
  return all_checked(reply, [](const Checked& checked) {
    return checked.security == cache::Security::secure ||
           checked.security == cache::Security::insecure;
  });
}

bool is_secure(const Reply& reply) noexcept {
  return all_checked(
      reply, [](const Checked& checked) { return checked.security == cache::Security::secure; });
}

const Checked* bogus_part(const Reply& reply) noexcept {
  const auto bogus =
      std::ranges::find_if(reply.aliases, [](const Alias& a) { return a.checked.is_bogus(); });
  if (bogus != reply.aliases.end()) return &bogus->checked;
  return reply.checked.is_bogus() ? &reply.checked : nullptr;
}

const wire::ExtendedError* remark_on(const Reply& reply) noexcept {
  if (reply.checked.why) return &*reply.checked.why;
  const auto remarked =
      std::ranges::find_if(reply.aliases, [](const Alias& a) { return a.checked.why.has_value(); });
  return remarked == reply.aliases.end() ? nullptr : &*remarked->checked.why;
}

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
    if (!budget.spend_alias()) return fail(stats::limit_reached(*budget.exhausted()));
    for (const RRset* set : {alias.dname ? &*alias.dname : nullptr, &alias.cname}) {
      if (set == nullptr) continue;
      RRset told = *set;
      told.ttl = cache.clamp_ttl(Kind::positive, set->ttl);
      append_once(outcome.answer, std::move(told));
    }
    for (const RRset& proof : alias.proof) append_once(outcome.authority, proof);
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
  for (RRset& proof : reply.proof) append_once(outcome.authority, std::move(proof));
  if (reply.kind == ReplyKind::answer) return;
  if (reply.kind == ReplyKind::nxdomain) outcome.rcode = wire::Rcode::nxdomain;
  if (reply.kind == ReplyKind::yxdomain) outcome.rcode = wire::Rcode::yxdomain;
  const std::uint32_t ttl = cache.clamp_ttl(Kind::nodata, negative_ttl(reply.denial));
  for (RRset& set : aged(std::move(reply.denial), ttl)) {
    append_once(outcome.authority, std::move(set));
  }
}

}  // namespace siskin::resolve
