#include "resolve/in_flight.hpp"

#include <algorithm>

namespace siskin::resolve {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);

}  // namespace

bool InFlight::has_room(Id id, Instant now) const {
  if (has_room_for_all()) return true;
  const auto at = flows_.find(id);
  if (at == flows_.end()) return true;
  const Flow& flow = at->second;
  const Duration age = now - flow.since;
  std::uint32_t recent = 0;
  if (age < kSecond) {
    recent = flow.replies + flow.replies_before;
  } else if (age < 2 * kSecond) {
    recent = flow.replies;
  }
  return flow.in_flight < std::max(max_, recent);
}

void InFlight::begin(Id id) {
  ++flows_[id].in_flight;
  ++total_;
}

void InFlight::replied(Id id, Instant now) {
  Flow& flow = flows_[id];
  const Duration age = now - flow.since;
  if (age >= kSecond) {
    flow.replies_before = age < 2 * kSecond ? flow.replies : 0;
    flow.replies = 0;
    flow.since = now;
  }
  ++flow.replies;
  flow.last_reply = now;
}

bool InFlight::has_replied_since(Id id, Instant then) const {
  const auto at = flows_.find(id);
  return at != flows_.end() && at->second.last_reply > then;
}

void InFlight::end(Id id) {
  const auto at = flows_.find(id);
  --total_;
  if (--at->second.in_flight == 0) flows_.erase(at);
}

std::uint32_t InFlight::count(Id id) const {
  const auto at = flows_.find(id);
  return at == flows_.end() ? 0 : at->second.in_flight;
}

}  // namespace siskin::resolve
