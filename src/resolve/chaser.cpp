#include "resolve/chaser.hpp"

#include <algorithm>
#include <utility>

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

constexpr std::size_t kLookupDepthMax = 8;  ///< server names whose zones need server names

bool is_failed(const Reply& reply) {
  return reply.kind == ReplyKind::lame || reply.kind == ReplyKind::broken;
}

}  // namespace

runtime::Task<Outcome> Chaser::chase(Query& query, Question question) {
  const Audience audience = audience_of(core_, query, question.type);
  Age age;
  age.seconds_left = question.renew_below + 1;
  Outcome outcome;
  Name name = question.name;
  for (;;) {
    Known link;
    if (auto known = known_of(core_, name, question.type, audience, age)) {
      link = std::move(*known);
    } else {
      link.reply = co_await fetch(query, name, question.type, audience);
      if (is_failed(link.reply)) {
        link.failure = explain(query);
        remember_failure(query, name, question.type, *link.failure);
      } else {
        core_.failures.answered(name, question.type);
      }
    }
    Reply& reply = link.reply;
    if (link.failure) {
      outcome.error = std::move(link.failure);
      break;
    }
    outcome.scope = std::max(outcome.scope, scope_of(reply));
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
    outcome.rcode = wire::Rcode::servfail;
    outcome.answer.clear();
    outcome.scope = 0;
  }
  outcome.exchanges = query.budget.exchanges_spent();
  co_return outcome;
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
  if (core_.stopped || query.is_refused) return;
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
  if (query.budget.exhausted() != nullptr) {
    const bool is_bare = error.text.empty();
    error.text += (is_bare ? "" : "; ") + std::string("limit reached: ") + query.budget.exhausted();
    if (is_bare) error.code = wire::Ede::other;
  }
  return error;
}

}  // namespace siskin::resolve
