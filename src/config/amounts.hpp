/// Durations and amounts of memory as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "siskin/base/time.hpp"
#include "siskin/config/config.hpp"

namespace siskin::config {

/// A whole number with a unit: "500ms", "8s", "2m", "1h".  Nothing: not of that form, or beyond
/// 64 bits of nanoseconds.
std::optional<Duration> duration_from(std::string_view text);
/// In the greatest unit that leaves a whole number, from milliseconds up to minutes.
std::string duration_text(Duration duration);

/// "N", "N" followed by KiB, MiB, GiB or TiB, or "N%" (1 to 100) with `bytes` left at 0.
std::optional<MemoryLimit> memory_from(std::string_view text);
/// The size that a text like "256MB", "256 mib" or "4g" means, as "256MiB"; empty: none.
std::string memory_meant(std::string_view text);
std::string bytes_text(std::uint64_t bytes);  ///< in the greatest unit that leaves a whole number

/// `percent` of `machine_bytes`, rounded down.
std::uint64_t part_of(std::uint64_t machine_bytes, std::uint32_t percent) noexcept;

}  // namespace siskin::config
