/// Whether an endpoint is free to listen on.
#pragma once

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"

namespace siskin::net {

/// Binds `endpoint` for UDP and TCP alone and lets go again.  Listeners share their port among the
/// workers (SO_REUSEPORT), so without this a second daemon of the same user would silently take
/// half of the queries.  Call it once for each endpoint before its listeners open.
/// Error: which endpoint, why not, and what to do.
Result<void> check_bindable(const Endpoint& endpoint);

}  // namespace siskin::net
