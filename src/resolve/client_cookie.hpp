/// Our half of the cookie for a server (RFC 7873 §4.1, RFC 9018 §3).
#pragma once

#include "siskin/base/ip.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/base/time.hpp"
#include "siskin/wire/cookie.hpp"

namespace siskin::resolve {

/// Different for each server, so that none can speak for another, and for each day, so that nobody
/// can follow us for longer.  `key` is secret.
wire::Cookie::Client client_cookie(HashKey key, const IpAddress& server, Instant now) noexcept;

}  // namespace siskin::resolve
