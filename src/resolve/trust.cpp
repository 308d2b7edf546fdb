#include "resolve/trust.hpp"

namespace siskin::resolve {

SharedTrust TrustTable::find(const wire::Name& zone, Instant now) {
  const auto found = by_zone_.find(zone);
  if (found == by_zone_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  const SharedTrust& trust = found->second->trust;
  return trust->until > whole_seconds(now) ? trust : nullptr;
}

void TrustTable::store(const wire::Name& zone, SharedTrust trust) {
  const auto found = by_zone_.find(zone);
  if (found != by_zone_.end()) {
    order_.splice(order_.begin(), order_, found->second);
    found->second->trust = std::move(trust);
    return;
  }
  if (order_.size() >= kZonesMax) {
    by_zone_.erase(order_.back().zone);
    order_.pop_back();
  }
  order_.push_front({zone, std::move(trust)});
  by_zone_[zone] = order_.begin();
}

void TrustTable::clear() noexcept {
  by_zone_.clear();
  order_.clear();
}

}  // namespace siskin::resolve
