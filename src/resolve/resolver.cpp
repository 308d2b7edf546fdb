#include "siskin/resolve/resolver.hpp"

#include "resolve/chaser.hpp"
#include "resolve/stale.hpp"

namespace siskin::resolve {

using stats::Metric;

namespace {

/// Going by the EDE.
bool is_bogus(const Outcome& outcome) noexcept {
  return outcome.rcode == wire::Rcode::servfail && outcome.error &&
         outcome.error->code >= wire::Ede::dnssec_indeterminate &&
         outcome.error->code <= wire::Ede::nsec_missing;
}

}  // namespace

struct Resolver::Impl {
  Impl(const Context& context, Options&& options)
      : core{context, std::move(options), AddressPolicy({}), {}}, chaser(core) {
    AddressPolicy::Options policy;
    policy.ipv4 = core.options.ipv4;
    policy.ipv6 = core.options.ipv6;
    policy.allowed = core.options.allow_upstream;
    policy.own = core.options.own_addresses;
    core.addresses = AddressPolicy(std::move(policy));
  }

  void count(const Query& query, const Outcome& outcome) {
    if (core.context.counters == nullptr) return;
    stats::Counters& counters = *core.context.counters;
    counters.add(Metric::resolutions);
    if (outcome.is_secure) counters.add(Metric::resolutions_secure);
    if (outcome.rcode == wire::Rcode::servfail) counters.add(Metric::resolutions_failed);
    if (is_bogus(outcome)) counters.add(Metric::resolutions_bogus);
    counters.add(Metric::exchanges, outcome.exchanges);
    counters.add(Metric::signatures, outcome.signatures);
    counters.add(Metric::hashes, outcome.hashes);
    if (const auto limit = query.budget.exhausted()) counters.add(*limit);
    if (const auto limit = query.work.exhausted()) counters.add(*limit);
  }

  Core core;
  Chaser chaser;
};

Resolver::Resolver(const Context& context, Options options)
    : impl_(std::make_unique<Impl>(context, std::move(options))) {}

Resolver::~Resolver() = default;

runtime::Task<Outcome> Resolver::resolve(Question question) {
  Query query(impl_->core.options, impl_->core.now(), question.subnet);
  Outcome outcome = co_await impl_->chaser.chase(query, question);
  impl_->count(query, outcome);
  co_return outcome;
}

std::optional<Outcome> Resolver::stale(const Question& question) const {
  return stale_outcome(impl_->core, question);
}

void Resolver::use_root_zone(std::shared_ptr<const RootZone> zone) noexcept {
  impl_->core.root_zone = std::move(zone);
}

void Resolver::use_anchors(std::vector<dnssec::TrustAnchor> anchors) noexcept {
  impl_->core.options.validation.anchors = std::move(anchors);
  impl_->core.trust.clear();
}

void Resolver::use_negative_anchors(std::vector<wire::Name> zones) noexcept {
  impl_->core.options.validation.negative_anchors = std::move(zones);
}

runtime::Task<bool> Resolver::would_answer(wire::Name name) {
  Query query(impl_->core.options, impl_->core.now());
  co_return !impl_->core.validates() || co_await impl_->chaser.is_in_order(query, std::move(name));
}

void Resolver::stop() noexcept {
  impl_->core.stopped = true;
}

}  // namespace siskin::resolve
