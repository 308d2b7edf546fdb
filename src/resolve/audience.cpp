#include "resolve/audience.hpp"

#include <algorithm>

namespace siskin::resolve {

Audience our_own(const Core& core) {
  if (core.options.subnet_zones.empty()) return {};
  return {Network(), false};
}

Audience audience_of(const Core& core, const Query& query, wire::RRType type) {
  const bool is_for_client = query.looking_for.empty();
  const bool is_told = query.subnet && is_for_client && policy::may_be_tailored(type);
  if (!is_told || core.options.subnet_zones.empty()) return our_own(core);
  return {query.subnet, true};
}

Echo echo_of(const Message& message, const wire::ClientSubnet& asked) {
  // Whoever is told nothing may say for which address it has chosen the answer (RFC 7871 §7.3).
  if (asked.source == 0) return Echo::right;
  if (!message.subnet) return Echo::missing;
  return message.subnet->is_same_but_scope(asked) ? Echo::right : Echo::wrong;
}

std::optional<Network> held_for(const Message& message, const UpstreamQuery& query) {
  if (!query.subnet) return std::nullopt;
  const Network told = query.subnet->network();
  if (told.prefix_length() == 0) return told;
  const unsigned scope = message.subnet ? message.subnet->scope : 0;
  if (scope == 0) return std::nullopt;
  return Network::of(told.address(), std::min(scope, told.prefix_length()));
}

}  // namespace siskin::resolve
