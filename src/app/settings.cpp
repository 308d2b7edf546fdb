#include "app/settings.hpp"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include "siskin/cache/memory_governor.hpp"
#include "siskin/cache/process_memory.hpp"
#include "siskin/dnssec/anchor_state.hpp"
#include "siskin/dnssec/anchors.hpp"
#include "siskin/text/file.hpp"
#include "siskin/text/root_hints.hpp"

namespace siskin::app {
namespace {

constexpr std::size_t kUpstreamSocketsMax = 4096;           ///< of one worker
constexpr std::size_t kWorkerBytes = std::size_t{2} << 20;  ///< buffers, sockets, queries in work

std::vector<IpAddress> interface_addresses() {
  std::vector<IpAddress> found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr) continue;
    if (i->ifa_addr->sa_family == AF_INET) {
      sockaddr_in address;
      std::memcpy(&address, i->ifa_addr, sizeof(address));
      const auto octets = std::bit_cast<std::array<std::uint8_t, 4>>(address.sin_addr);
      found.push_back(IpAddress::v4(octets));
    } else if (i->ifa_addr->sa_family == AF_INET6) {
      sockaddr_in6 address;
      std::memcpy(&address, i->ifa_addr, sizeof(address));
      const auto octets = std::bit_cast<std::array<std::uint8_t, 16>>(address.sin6_addr);
      found.push_back(IpAddress::v6(octets));
    }
  }
  freeifaddrs(list);
  return found;
}

/// Begun ones count.
std::uint32_t seconds_of(Duration duration) {
  return static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::seconds>(duration).count());
}

/// Where asking a server would mean asking ourselves.
std::vector<IpAddress> own_addresses(const config::Config& config) {
  std::vector<IpAddress> own;
  for (const Endpoint& endpoint : config.server.listen) {
    if (endpoint.port != config.laboratory.upstream_port) continue;
    if (endpoint.address.is_unspecified()) {
      std::ranges::copy(interface_addresses(), std::back_inserter(own));
    } else {
      own.push_back(endpoint.address);
    }
  }
  return own;
}

/// What the operator trusts.
Result<std::vector<dnssec::TrustAnchor>> configured_anchors(const config::Config& config) {
  const std::vector<std::string>& anchors = config.dnssec.trust_anchors;
  if (anchors.empty()) return std::vector{dnssec::root_anchor()};
  if (config::is_anchor_path(anchors.front())) return dnssec::read_trust_anchors(anchors.front());
  return dnssec::parse_trust_anchors(fmt::format("{}\n", fmt::join(anchors, "\n")),
                                     "dnssec.trust_anchors");
}

/// As an earlier run has left them.
Result<std::vector<dnssec::StoredKey>> stored_keys(const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error))
    return std::vector<dnssec::StoredKey>{};
  const auto text = text::read_file(path, dnssec::kStateBytesMax);
  if (!text) return text.error();
  return dnssec::parse_anchor_state(*text, path);
}

resolve::Validation validation_for(const config::Config& config,
                                   std::span<const dnssec::TrustPoint> points) {
  resolve::Validation validation;
  validation.anchors = dnssec::anchors_of(points);
  validation.negative_anchors =
      resolve::in_force(negative_anchors(config),
                        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
  validation.aggressive_nsec = config.dnssec.aggressive_nsec;
  validation.root_key_sentinel = config.dnssec.root_key_sentinel;
  validation.key_tag_signalling = config.laboratory.key_tag_signalling;
  return validation;
}

}  // namespace

unsigned worker_count(const config::Config& config) {
  if (config.server.workers != 0) return config.server.workers;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

HashKey random_key(runtime::Random& random) {
  return {random.u64(), random.u64()};
}

cache::Cache::Options cache_options(const config::Config& config, unsigned workers,
                                    runtime::Random& random) {
  cache::Cache::Options options;
  const cache::MemoryGovernor governor(config.memory.limit.bytes);
  options.bytes_max = governor.initial(cache::resident_bytes(), workers * kWorkerBytes);
  options.shards = std::bit_ceil(std::max(16U, 4 * workers));
  options.hash_key = random_key(random);
  options.min_ttl = config.cache.min_ttl;
  options.max_ttl = config.cache.max_ttl;
  options.max_negative_ttl = config.cache.max_negative_ttl;
  options.variants_max = config.ecs.variants_max;
  if (config.cache.serve_stale) options.stale_max = seconds_of(config.cache.stale_max_age);
  return options;
}

std::optional<policy::ClientSubnets> client_subnets(const config::Config& config) {
  if (config.ecs.zones.empty()) return std::nullopt;
  policy::ClientSubnets::Options options;
  options.ipv4_prefix = config.ecs.ipv4_prefix;
  options.ipv6_prefix = config.ecs.ipv6_prefix;
  options.accept_from = config.ecs.accept_from;
  return policy::ClientSubnets(options);
}

std::vector<Endpoint> local_root_servers(const config::Config& config) {
  std::vector<Endpoint> servers;
  if (!config.local_root.enabled) return servers;
  std::ranges::copy_if(
      config.local_root.servers, std::back_inserter(servers), [&config](const Endpoint& server) {
        return server.address.is_v4() ? config.resolver.ipv4 : config.resolver.ipv6;
      });
  return servers;
}

serve::Frontend::Options frontend_options(const config::Config& config) {
  serve::Frontend::Options options;
  options.udp_size_max = config.server.udp_size;
  options.version = config.server.version;
  options.identity = config.server.identity;
  options.renew_below = seconds_of(config.cache.prefetch);
  options.validation = config.dnssec.validation;
  return options;
}

net::UpstreamExchangeOptions upstream_options(const config::Config& config, unsigned) {
  net::UpstreamExchangeOptions options;
  options.sockets_max = kUpstreamSocketsMax;
  for (const Endpoint& endpoint : config.server.listen) {
    options.excluded_ports.push_back(endpoint.port);
  }
  options.queries_per_socket = config.resolver.queries_per_port;
  return options;
}

net::TcpListenerOptions tcp_options(const config::Config& config, unsigned workers) {
  net::TcpListenerOptions options;
  const std::size_t listeners = std::max<std::size_t>(1, workers * config.server.listen.size());
  options.connections_max = std::max<std::size_t>(1, config.server.tcp_connections / listeners);
  options.limits.idle_timeout = config.server.tcp_idle_timeout;
  return options;
}

Result<std::vector<dnssec::TrustPoint>> trust_points(const config::Config& config) {
  if (!config.dnssec.validation) return std::vector<dnssec::TrustPoint>{};
  auto anchors = configured_anchors(config);
  if (!anchors) return anchors.error();
  const auto keys = stored_keys(config.dnssec.trust_anchor_state);
  if (!keys) return keys.error();
  return dnssec::trust_points(std::move(*anchors), *keys);
}

std::vector<resolve::NegativeAnchor> negative_anchors(const config::Config& config) {
  std::vector<resolve::NegativeAnchor> anchors;
  anchors.reserve(config.dnssec.negative_trust_anchors.size());
  for (const config::NegativeAnchor& anchor : config.dnssec.negative_trust_anchors) {
    anchors.push_back({anchor.zone, anchor.until});
  }
  return anchors;
}

Result<void> check_files(const config::Config& config) {
  const auto points = trust_points(config);
  if (!points) return points.error();
  if (const auto options = resolver_options(config, 1, *points); !options) return options.error();
  return {};
}

Result<resolve::Options> resolver_options(const config::Config& config, unsigned workers,
                                          std::span<const dnssec::TrustPoint> points) {
  resolve::Options options;
  if (config.resolver.root_hints.empty()) {
    options.root_hints = text::builtin_root_hints();
  } else {
    auto hints = text::read_root_hints(config.resolver.root_hints);
    if (!hints) return hints.error();
    options.root_hints = std::move(*hints);
  }
  options.validation = validation_for(config, points);
  options.ipv4 = config.resolver.ipv4;
  options.ipv6 = config.resolver.ipv6;
  options.qname_minimisation = config.resolver.qname_minimisation;
  options.case_randomisation = config.resolver.case_randomisation;
  options.cookies = config.resolver.cookies;
  options.priming = config.laboratory.priming;
  options.upstream_port = config.laboratory.upstream_port;
  options.edns_udp_size = config.resolver.edns_udp_size;
  options.subnet_zones = policy::SubnetZones(config.ecs.zones);
  options.allow_upstream = config.resolver.allow_upstream;
  options.own_addresses = own_addresses(config);
  options.stale_ttl = config.cache.stale_ttl;
  options.never_stale = config.cache.stale_except;
  options.limits.time = config.resolver.query_timeout;
  options.nxdomain_cut = config.resolver.nxdomain_cut;
  options.queries_per_zone = std::max(1U, config.resolver.queries_per_zone / workers);
  options.queries_per_server = std::max(1U, config.resolver.queries_per_server / workers);
  return options;
}

dnssec::OpensslVerifier::Options verifier_options(const config::Config& config) {
  dnssec::OpensslVerifier::Options options;
  options.sha1 = config.dnssec.sha1;
  return options;
}

std::size_t descriptors_wanted(const config::Config& config, unsigned workers) {
  return workers * (kUpstreamSocketsMax + 2 * config.server.listen.size() + 8) +
         config.server.tcp_connections + 64;
}

}  // namespace siskin::app
