/// What resolve says in the log.
#pragma once

#include <string>

#include "siskin/base/date.hpp"
#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"
#include "siskin/base/time.hpp"
#include "siskin/dnssec/rollover.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::resolve::events {

inline long long seconds_of(Duration duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

inline void root_copied(const Endpoint& server, std::uint32_t serial, std::size_t records,
                        std::size_t octets) {
  log::info("local root: serial {} from {}, {} records in {} KiB, ZONEMD is right", serial,
            server.to_text(), records, octets >> 10);
}

inline void root_confirmed(const Endpoint& server, std::uint32_t serial) {
  log::debug("local root: serial {} is current, says {}", serial, server.to_text());
}

inline void root_not_copied(const Endpoint& server, const std::string& why) {
  log::warn("local root: no zone from {}: {}", server.to_text(), why);
}

inline void root_soa_failed(const Endpoint& server, const std::string& why) {
  log::debug("local root: no SOA from {}: {}", server.to_text(), why);
}

inline void root_round_failed(bool has_copy, Duration until_next) {
  log::warn("local root: no server could help, {}; next try in {} s",
            has_copy ? "the copy stays until it expires" : "root servers are asked as always",
            seconds_of(until_next));
}

inline void root_expired(std::uint32_t serial) {
  log::warn("local root: serial {} has expired, root servers are asked as always", serial);
}

/// Once a copy and worker.
inline void root_copy_bogus(const wire::Name& name) {
  log::warn(
      "local root: what the copy says of {} is bogus, root servers are asked until the next one",
      wire::brief_text(name));
}

/// At most once in the time for which that is remembered.
inline void anchor_out_of_time(const std::string& why, std::int64_t seconds_since_1970) {
  log::warn("trust anchor: {} It is {} seconds after 1970 here.", why, seconds_since_1970);
}

/// RFC 5011: what an operator wants to know of a key, once each time.
inline void anchor_changed(const wire::Name& zone, const dnssec::TrustPoint::Change& change) {
  using dnssec::KeyState;
  const std::string key =
      fmt::format("trust anchor: key {} of {}", change.key.tag(), wire::brief_text(zone));
  if (!change.to) return log::warn("{} is gone before it was to be trusted", key);
  switch (*change.to) {
    case KeyState::pending:
      return log::warn("{} is new; it is trusted from {} on if it stays", key,
                       date_text(change.key.date));
    case KeyState::valid: return log::info("{} is trusted", key);
    case KeyState::missing: return log::warn("{} is not in use any more; it stays trusted", key);
    case KeyState::revoked: return log::warn("{} is revoked and not trusted any more", key);
    case KeyState::removed: return log::info("{} was revoked and is gone", key);
  }
}

/// `why` names the zone.
inline void anchor_not_seen(const std::string& why, Duration until_next) {
  log::warn("trust anchor: no news of {}; next try in {} s", why, seconds_of(until_next));
}

inline void negative_anchor_over(const wire::Name& zone) {
  log::warn("negative trust anchor: that of {} is over, signatures count again",
            wire::brief_text(zone));
}

inline void negative_anchor_lifted(const wire::Name& zone) {
  log::info("negative trust anchor: {} can be validated again before its end, signatures count",
            wire::brief_text(zone));
}

}  // namespace siskin::resolve::events
