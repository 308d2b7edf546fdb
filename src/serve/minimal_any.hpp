/// The answer to QTYPE ANY: one HINFO record that says why (RFC 8482 §4.2).
#pragma once

#include <cstdint>
#include <span>

#include "serve/request.hpp"

namespace siskin::serve {

/// One policy on every path (fault B135): made up at once, for any name and over any transport,
/// neither read from the cache nor kept in it.
std::size_t write_minimal_any(const Request& request, std::span<std::uint8_t> buffer) noexcept;

}  // namespace siskin::serve
