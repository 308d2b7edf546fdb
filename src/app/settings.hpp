/// From the configuration to the options of each component: the only place that reads Config.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "siskin/cache/cache.hpp"
#include "siskin/config/config.hpp"
#include "siskin/dnssec/verifier.hpp"
#include "siskin/net/tcp_listener.hpp"
#include "siskin/net/upstream_exchange.hpp"
#include "siskin/resolve/anchor_keeper.hpp"
#include "siskin/resolve/resolver.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::app {

unsigned worker_count(const config::Config& config);
HashKey random_key(runtime::Random& random);

cache::Cache::Options cache_options(const config::Config& config, unsigned workers,
                                    runtime::Random& random);
/// Nothing: no zone is to be told of client subnets.
std::optional<policy::ClientSubnets> client_subnets(const config::Config& config);

/// Whom to copy the root zone from; empty: nobody.
std::vector<Endpoint> local_root_servers(const config::Config& config);

serve::Frontend::Options frontend_options(const config::Config& config);
net::UpstreamExchangeOptions upstream_options(const config::Config& config, unsigned workers);
net::TcpListenerOptions tcp_options(const config::Config& config, unsigned workers);

/// Reads the trust anchors, and their state where there is a file of it; none where nothing is to
/// be validated.  Error: a file or a record cannot be used.
Result<std::vector<dnssec::TrustPoint>> trust_points(const config::Config& config);

std::vector<resolve::NegativeAnchor> negative_anchors(const config::Config& config);

/// Reads the root hints.  Error: the file cannot be used.
Result<resolve::Options> resolver_options(const config::Config& config, unsigned workers,
                                          std::span<const dnssec::TrustPoint> points);

/// What loading the configuration does not look at: the files and records that it names.
Result<void> check_files(const config::Config& config);

dnssec::OpensslVerifier::Options verifier_options(const config::Config& config);

/// Open files at full load: upstream sockets, client connections, listeners.
std::size_t descriptors_wanted(const config::Config& config, unsigned workers);

}  // namespace siskin::app
