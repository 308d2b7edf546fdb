#include "resolve/stale.hpp"

#include <algorithm>

#include "resolve/known.hpp"
#include "resolve/outcome.hpp"

namespace siskin::resolve {
namespace {

using wire::Ede;
using wire::ExtendedError;
using wire::Name;

bool is_never_stale(const Core& core, const Name& name) {
  return std::ranges::any_of(core.options.never_stale,
                             [&](const Name& zone) { return name.is_at_or_below(zone); });
}

ExtendedError told(const Outcome& outcome) {
  const bool is_denied = outcome.rcode == wire::Rcode::nxdomain;
  return {is_denied ? Ede::stale_nxdomain : Ede::stale_answer, ""};
}

}  // namespace

std::optional<Outcome> stale_outcome(const Core& core, const Question& question) {
  Query query(core.options, core.now(), question.subnet);
  const Audience audience = audience_of(core, query, question.type);
  Age age;
  age.may_be_stale = true;
  Outcome outcome;
  outcome.is_secure = true;
  bool is_stale = false;
  for (Name name = question.name;;) {
    auto link = known_of(core, name, question.type, audience, age);
    if (!link || link->failure || (link->is_stale && is_never_stale(core, name))) {
      return std::nullopt;
    }
    if (core.validates() && !question.checking_disabled && !is_good(link->reply)) {
      return std::nullopt;
    }
    outcome.is_secure = outcome.is_secure && is_secure(link->reply);
    is_stale = is_stale || link->is_stale;
    outcome.scope = std::max(outcome.scope, scope_of(link->reply));
    if (!append_aliases(core, query.budget, link->reply, outcome)) return std::nullopt;
    if (link->reply.kind != ReplyKind::alias) {
      append_end(core, link->reply, outcome);
      break;
    }
    name = link->reply.aliases.back().target;
  }
  if (!is_stale) return std::nullopt;
  outcome.error = told(outcome);
  return outcome;
}

}  // namespace siskin::resolve
