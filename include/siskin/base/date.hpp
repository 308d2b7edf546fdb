/// Dates as people write them: RFC 3339 in UTC, to the second.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "siskin/base/time.hpp"

namespace siskin {

/// "2026-12-31T23:59:59Z".
std::string date_text(WallTime time);

/// That, or "2026-12-31" for its first second.  Nothing for anything else, dates that the calendar
/// does not have included.
std::optional<WallTime> date_from(std::string_view text);

}  // namespace siskin
