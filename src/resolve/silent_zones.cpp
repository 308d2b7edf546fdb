#include "resolve/silent_zones.hpp"

#include <algorithm>

#include "siskin/base/siphash.hpp"

namespace siskin::resolve {
namespace {

/// The same in whatever order names and addresses come.  Without a key: who makes it collide only
/// deceives about his own zone.
std::uint64_t fingerprint(const Delegation& delegation) {
  std::uint64_t sum = 0;
  for (const ZoneServer& server : delegation.servers) {
    sum += siphash13(HashKey{}, server.name.lowered().wire());
    for (const IpAddress& address : server.addresses) {
      sum += siphash13(HashKey{}, address.octets());
    }
  }
  return sum;
}

}  // namespace

const SilentZones::Zone* SilentZones::find(Id id, const Delegation& delegation) const {
  if (by_id_.empty()) return nullptr;
  const auto at = by_id_.find(id);
  if (at == by_id_.end() || at->second->servers != fingerprint(delegation)) return nullptr;
  return &*at->second;
}

const std::string* SilentZones::refusal(Id id, const Delegation& delegation, Instant now) const {
  const Zone* zone = find(id, delegation);
  if (zone == nullptr || zone->suspected_by) return nullptr;
  return (zone->is_probed || now < zone->next) ? &zone->why : nullptr;
}

bool SilentZones::begin(Id id, const Delegation& delegation, Instant now) {
  const Zone* known = find(id, delegation);
  if (known == nullptr || known->suspected_by) return false;
  Zone& zone = *by_id_.at(id);
  zone.is_probed = true;
  zone.began = now;
  return true;
}

bool SilentZones::confirms(Id id, const Delegation& delegation, Id name, Instant began,
                           Instant now) {
  const Zone* known = find(id, delegation);
  if (known != nullptr && !known->suspected_by) return true;
  if (known != nullptr && *known->suspected_by != name) return known->began <= began;
  Zone zone;
  zone.id = id;
  zone.servers = fingerprint(delegation);
  zone.began = now;
  zone.suspected_by = name;
  keep(std::move(zone));
  return false;
}

void SilentZones::silent(Id id, const Delegation& delegation, std::string why, bool is_probe,
                         Instant now) {
  const Zone* known = find(id, delegation);
  if (known != nullptr && known->suspected_by) known = nullptr;
  if (known != nullptr && !is_probe) return;
  Zone zone;
  zone.id = id;
  zone.servers = fingerprint(delegation);
  zone.why = std::move(why);
  zone.back_off = known == nullptr ? kBackOffMin : std::min(2 * known->back_off, kBackOffMax);
  zone.next = now + kPause;
  if (known != nullptr) zone.next = std::max(zone.next, known->began + zone.back_off);
  keep(std::move(zone));
}

void SilentZones::keep(Zone zone) {
  const Id id = zone.id;
  forget(id);
  by_age_.push_front(std::move(zone));
  by_id_[id] = by_age_.begin();
  if (by_age_.size() > kZonesMax) forget(by_age_.back().id);
}

void SilentZones::gave_up(Id id) {
  const auto at = by_id_.find(id);
  if (at != by_id_.end()) at->second->is_probed = false;
}

void SilentZones::forget(Id id) {
  const auto at = by_id_.find(id);
  if (at == by_id_.end()) return;
  by_age_.erase(at->second);
  by_id_.erase(at);
}

}  // namespace siskin::resolve
