#include "resolve/foreknown.hpp"

#include <algorithm>

#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using cache::Security;
using dnssec::KnownDenials;
using wire::Name;
using wire::RRset;
using wire::RRType;

/// What the cache has under the wildcard itself.
std::optional<RRset> source_of(const Core& core, const Name& wildcard, RRType type) {
  const auto value = core.context.cache.find(wildcard, type, core.now());
  const bool is_usable = value && value->kind == cache::Kind::positive &&
                         value->security == Security::secure && value->answer.size() == 1;
  if (!is_usable) return std::nullopt;
  RRset set = value->answer.front();
  set.ttl = value->ttl;
  return set;
}

/// Nobody said so just now (RFC 8914 §4.30).
Checked told() {
  return {Security::secure, wire::ExtendedError{wire::Ede::synthesised, ""}};
}

std::optional<Reply> expand(const Core& core, KnownDenials::Synthesis made, const Name& name,
                            RRType type) {
  Reply reply;
  reply.checked = told();
  if (auto set = source_of(core, made.wildcard, type)) {
    set->owner = name;
    reply.kind = ReplyKind::answer;
    reply.set = std::move(*set);
    reply.proof = std::move(made.authority);
    return reply;
  }
  auto cname = source_of(core, made.wildcard, RRType::cname);
  const auto target = cname ? wire::target_of(*cname->records.begin()) : std::nullopt;
  if (!target) return std::nullopt;
  cname->owner = name;
  Alias alias;
  alias.cname = std::move(*cname);
  alias.target = *target;
  alias.checked = told();
  alias.proof = std::move(made.authority);
  reply.kind = ReplyKind::alias;
  reply.aliases.push_back(std::move(alias));
  return reply;
}

}  // namespace

std::optional<Reply> foreknown(Core& core, Query& query, const Name& name, RRType type) {
  const Validation& validation = core.options.validation;
  const auto holds = [&](const Name& zone) { return name.is_at_or_below(zone); };
  const bool is_off = std::ranges::any_of(validation.negative_anchors, holds);
  if (!validation.aggressive_nsec || is_off) return std::nullopt;
  auto made = core.denials.synthesise(name, type, whole_seconds(core.now()), query.work);
  if (!made) return std::nullopt;
  if (made->kind == KnownDenials::Synthesis::Kind::expand) {
    return expand(core, std::move(*made), name, type);
  }
  Reply reply;
  const bool is_nxdomain = made->kind == KnownDenials::Synthesis::Kind::nxdomain;
  reply.kind = is_nxdomain ? ReplyKind::nxdomain : ReplyKind::nodata;
  reply.checked = told();
  reply.denial = std::move(made->authority);
  return reply;
}

}  // namespace siskin::resolve
