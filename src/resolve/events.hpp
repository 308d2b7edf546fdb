/// What resolve says in the log.
#pragma once

#include <string>

#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"
#include "siskin/base/time.hpp"

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

/// At most once in the time for which that is remembered.
inline void anchor_out_of_time(const std::string& why, std::int64_t seconds_since_1970) {
  log::warn("trust anchor: {} It is {} seconds after 1970 here.", why, seconds_since_1970);
}

}  // namespace siskin::resolve::events
