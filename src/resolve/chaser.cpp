#include "resolve/chaser.hpp"

#include <algorithm>
#include <utility>

#include "resolve/events.hpp"
#include "resolve/foreknown.hpp"
#include "resolve/outcome.hpp"
#include "resolve/root_zone.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using cache::Kind;
using wire::ExtendedError;
using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr unsigned kServersTriedMax = 3;    ///< for something that is not bogus
constexpr std::size_t kLookupDepthMax = 8;  ///< server names whose zones need server names

bool is_failed(const Reply& reply) {
  return reply.kind == ReplyKind::lame || reply.kind == ReplyKind::broken;
}

/// Nothing of it is told but why.
Outcome failed(Outcome outcome) {
  Outcome failure;
  failure.error = std::move(outcome.error);
  return failure;
}

}  // namespace

runtime::Task<Outcome> Chaser::chase(Query& query, Question question) {
  const Audience audience = audience_of(core_, query, question.type);
  Outcome outcome;
  outcome.is_secure = true;
  std::optional<ExtendedError> remark;
  Name name = question.name;
  for (;;) {
    Known link = co_await link_of(query, name, question, audience);
    Reply& reply = link.reply;
    if (link.failure) {
      outcome.error = std::move(link.failure);
      break;
    }
    outcome.scope = std::max(outcome.scope, scope_of(reply));
    outcome.is_secure = outcome.is_secure && is_secure(reply);
    if (const ExtendedError* const said = remark_on(reply)) remark = *said;
    if (!append_aliases(core_, query.budget, reply, outcome)) {
      remember_failure(query, question.name, question.type, *outcome.error);
      break;
    }
    if (reply.kind != ReplyKind::alias) {
      append_end(core_, reply, outcome);
      break;
    }
    name = reply.aliases.back().target;
  }
  if (outcome.error) {
    outcome = failed(std::move(outcome));
  } else if (!question.checking_disabled) {
    outcome.error = std::move(remark);
  }
  outcome.exchanges = query.budget.exchanges_spent();
  outcome.signatures = query.work.signatures();
  outcome.hashes = query.work.hashes();
  co_return outcome;
}

/// One name of the chain: from the cache if that is good enough.
runtime::Task<Known> Chaser::link_of(Query& query, const Name& name, const Question& question,
                                     const Audience& audience) {
  const bool is_checked = core_.validates() && !question.checking_disabled;
  Age age;
  age.seconds_left = question.renew_below + 1;
  auto known = known_of(core_, name, question.type, audience, age);
  if (known && (!is_checked || known->failure || is_good(known->reply))) {
    co_return std::move(*known);
  }
  if (known && bogus_part(known->reply) != nullptr) {
    known->failure = bogus_part(known->reply)->why;
    co_return std::move(*known);
  }
  if (known) {
    co_await validator_.check(query, name, question.type, known->reply, Search::all_names);
    if (bogus_part(known->reply) == nullptr) {
      store(core_, known->reply, name, question.type);
      co_return std::move(*known);
    }
  }
  auto foretold =
      is_checked && !known ? foreknown(core_, query, name, question.type) : std::nullopt;
  if (foretold) {
    store(core_, *foretold, name, question.type);
    Known link;
    link.reply = std::move(*foretold);
    co_return link;
  }
  co_return co_await learn(query, name, question.type, audience, is_checked);
}

/// From the servers.  Where what one says is bogus, another is asked: forgers do not reach them all
/// (RFC 4035 §5.5).
runtime::Task<Known> Chaser::learn(Query& query, const Name& name, RRType type,
                                   const Audience& audience, bool is_checked) {
  Known link;
  const Avoid outer = std::exchange(query.avoid, Avoid{name, type, {}});
  for (unsigned tries = 1;; ++tries) {
    Reply reply = co_await fetch(query, name, type, audience);
    if (is_failed(reply)) {
      if (tries == 1) link.failure = explain(query);
      break;
    }
    if (is_checked) co_await validator_.check(query, name, type, reply, Search::known_cuts);
    link.reply = std::move(reply);
    if (bogus_part(link.reply) == nullptr || tries == kServersTriedMax) break;
    if (!turns_elsewhere(query, name, link.reply)) break;
  }
  query.avoid = outer;
  if (link.reply.is_bare) co_await look_closer(query, name, type, link.reply);
  if (link.failure) {
    remember_failure(query, name, type, *link.failure);
    co_return link;
  }
  core_.failures.answered(name, type);
  store(core_, link.reply, name, type);
  if (const Checked* const bogus = bogus_part(link.reply)) link.failure = bogus->why;
  co_return link;
}

/// Whether somebody else is to be asked after a reply that was bogus.  A copy of the root zone that
/// holds such a thing is not used any more.
bool Chaser::turns_elsewhere(Query& query, const Name& name, const Reply& bogus) {
  if (query.budget.exhausted()) return false;
  if (bogus.is_from_copy) {
    if (query.work.exhausted()) return false;
    if (core_.root_zone) events::root_copy_bogus(name);
    core_.root_zone = nullptr;
    return true;
  }
  if (!bogus.server) return false;
  query.avoid.servers.push_back(*bogus.server);
  return true;
}

/// All servers that were asked say it without a signature: then perhaps there is an unsigned zone
/// of which no referral told.
runtime::Task<void> Chaser::look_closer(Query& query, const Name& name, RRType type, Reply& reply) {
  for (Alias& alias : reply.aliases) {
    if (alias.checked.is_bogus()) alias.checked = {};
  }
  if (reply.checked.is_bogus()) reply.checked = {};
  co_await validator_.check(query, name, type, reply, Search::all_names);
}

runtime::Task<std::optional<ExtendedError>> Chaser::obtain(Query& query, Name name, RRType type,
                                                           const Judge& judge) {
  const Audience audience = our_own(core_);
  if (auto known = known_of(core_, name, type, audience)) {
    if (known->failure) co_return std::move(known->failure);
    const bool was_checked = is_good(known->reply);
    if (judge(known->reply)) {
      if (!was_checked) store(core_, known->reply, name, type);
      co_return std::nullopt;
    }
  }
  std::optional<ExtendedError> failure;
  const Avoid outer = std::exchange(query.avoid, Avoid{name, type, {}});
  for (unsigned tries = 1; tries <= kServersTriedMax; ++tries) {
    Reply reply = co_await fetch(query, name, type, audience);
    if (is_failed(reply)) {
      if (tries == 1) failure = explain(query);
      break;
    }
    if (judge(reply)) {
      store(core_, reply, name, type);
      break;
    }
    if (!turns_elsewhere(query, name, reply)) break;
  }
  query.avoid = outer;
  if (failure) remember_failure(query, name, type, *failure);
  co_return failure;
}

runtime::Task<Reply> Chaser::fetch(Query& query, const Name& name, RRType type,
                                   const Audience& audience) {
  query.trouble.clear();
  query.looking_for.push_back(name);
  Reply reply = co_await walker_.fetch(query, name, type, audience);
  query.looking_for.pop_back();
  co_return reply;
}

bool Chaser::knows(const Name& name, RRType type) const {
  return known_of(core_, name, type, our_own(core_)).has_value();
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
  // An address is a way to a zone, and what is said there is what gets checked.
  Question question{server, type};
  question.checking_disabled = true;
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
  if (core_.stopped || query.is_refused || query.budget.is_slice_over()) return;
  if (query.loop_cut && !query.looking_for.empty()) return;
  cache::Value value;
  value.kind = Kind::failure;
  value.ttl = core_.failures.failed(name, type, core_.now());
  value.error = error;
  core_.context.cache.store(name, type, value, core_.now());
}

ExtendedError Chaser::explain(const Query& query) const {
  if (core_.stopped) return {wire::Ede::not_ready, "the resolver is stopping"};
  ExtendedError error{query.trouble_code, query.trouble};
  if (query.budget.exhausted()) {
    const bool is_bare = error.text.empty();
    error.text += (is_bare ? "" : "; ") + stats::limit_reached(*query.budget.exhausted());
    if (is_bare) error.code = wire::Ede::other;
  }
  return error;
}

}  // namespace siskin::resolve
