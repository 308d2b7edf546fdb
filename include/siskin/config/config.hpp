/// The daemon's settings: one value, read from TOML and checked, never changed afterwards.
/// What each key means, its bounds and its default: src/config/option_table.cpp, from which
/// docs/configuration.md is made.  Only app reads Config; every component takes its own options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"
#include "siskin/base/time.hpp"
#include "siskin/wire/name.hpp"

namespace siskin::config {

/// An amount of memory; `percent` is not 0 where the file said "50%", and `bytes` is then that
/// part of the machine's or cgroup's memory.
struct MemoryLimit {
  std::uint64_t bytes = 0;
  std::uint32_t percent = 0;
  friend bool operator==(const MemoryLimit&, const MemoryLimit&) = default;
};

/// Which clock counts TTLs down.
enum class TtlClock : std::uint8_t { monotonic, wall };

struct Server {
  std::vector<Endpoint> listen;  ///< UDP and TCP on each; no duplicates, no port 0
  std::uint32_t workers = 0;     ///< 0: one a core
  std::string user;              ///< empty: stay
  std::uint16_t udp_size = 0;    ///< octets of the longest UDP reply
  std::uint32_t tcp_connections = 0;
  Duration tcp_idle_timeout{};
  std::string identity;  ///< empty: id.server is refused
  std::string version;   ///< empty: version.bind is refused
  friend bool operator==(const Server&, const Server&) = default;
};

struct Memory {
  MemoryLimit limit;
  friend bool operator==(const Memory&, const Memory&) = default;
};

struct Cache {
  std::uint32_t min_ttl = 0;  ///< seconds; at most max_ttl
  std::uint32_t max_ttl = 0;
  std::uint32_t max_negative_ttl = 0;
  Duration prefetch{};  ///< 0: off
  bool serve_stale = false;
  Duration stale_max_age{};
  Duration stale_wait{};
  Duration stale_recheck{};
  std::uint32_t stale_ttl = 0;  ///< seconds
  std::vector<wire::Name> stale_except;
  friend bool operator==(const Cache&, const Cache&) = default;
};

struct Resolver {
  std::string root_hints;  ///< path; empty: built in
  bool ipv4 = false;       ///< at least one of the two is true
  bool ipv6 = false;
  bool qname_minimisation = false;
  bool case_randomisation = false;
  bool cookies = false;
  std::vector<Network> allow_upstream;
  Duration query_timeout{};
  std::uint16_t edns_udp_size = 0;
  std::uint32_t queries_per_port = 0;
  std::uint32_t queries_per_zone = 0;    ///< in flight, of all workers
  std::uint32_t queries_per_server = 0;  ///< in flight, of all workers
  bool nxdomain_cut = false;
  friend bool operator==(const Resolver&, const Resolver&) = default;
};

struct LocalRoot {
  bool enabled = false;
  std::vector<Endpoint> servers;  ///< no duplicates, no port 0
  friend bool operator==(const LocalRoot&, const LocalRoot&) = default;
};

/// A zone that is treated as not signed.
struct NegativeAnchor {
  wire::Name zone;
  std::optional<WallTime> until;  ///< nothing: for good
  std::string to_text() const;    ///< "example." or "example. until 2026-12-31T00:00:00Z"
  friend bool operator==(const NegativeAnchor&, const NegativeAnchor&) = default;
};

struct Dnssec {
  bool validation = false;
  bool sha1 = false;  ///< signatures and digests by SHA-1 count
  /// One path, or DS and DNSKEY records as text; empty: the root's keys, which are built in.
  std::vector<std::string> trust_anchors;
  std::string trust_anchor_state;  ///< path; empty: keys neither come nor go by themselves
  std::vector<NegativeAnchor> negative_trust_anchors;
  bool aggressive_nsec = false;
  bool root_key_sentinel = false;
  friend bool operator==(const Dnssec&, const Dnssec&) = default;
};

/// Whether it is a path: a record has blanks between its fields.
inline bool is_anchor_path(const std::string& anchor) {
  return anchor.find_first_of(" \t") == std::string::npos;
}

struct Access {
  std::vector<Network> allow;
  friend bool operator==(const Access&, const Access&) = default;
};

struct Ecs {
  std::vector<wire::Name> zones;  ///< empty: no client subnet at all
  std::uint32_t ipv4_prefix = 0;  ///< bits
  std::uint32_t ipv6_prefix = 0;  ///< bits
  std::vector<Network> accept_from;
  std::uint32_t variants_max = 0;  ///< of one name and type
  friend bool operator==(const Ecs&, const Ecs&) = default;
};

struct Log {
  siskin::log::Level level = siskin::log::Level::info;
  siskin::log::Format format = siskin::log::Format::text;
  std::string target;
  friend bool operator==(const Log&, const Log&) = default;
};

struct Laboratory {
  std::uint16_t upstream_port = 0;
  bool priming = false;
  bool key_tag_signalling = false;
  TtlClock ttl_clock = TtlClock::monotonic;
  friend bool operator==(const Laboratory&, const Laboratory&) = default;
};

/// The initialisers here are neutral, not the defaults: those stand in the option table
/// (load.hpp: defaults()).  Keys whose feature is not there yet have no field.
struct Config {
  Server server;
  Memory memory;
  Cache cache;
  Resolver resolver;
  LocalRoot local_root;
  Dnssec dnssec;
  Access access;
  Ecs ecs;
  Log log;
  Laboratory laboratory;
  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace siskin::config
