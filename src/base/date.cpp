#include "siskin/base/date.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace siskin {
namespace {

constexpr std::string_view kMidnight = "T00:00:00Z";
constexpr std::size_t kDaySize = 10;

}  // namespace

std::string date_text(WallTime time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time.time_since_epoch().count()));
}

std::optional<WallTime> date_from(std::string_view text) {
  std::string whole(text);
  if (whole.size() == kDaySize) whole += kMidnight;
  std::tm parts{};
  const char* const end = strptime(whole.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end != whole.c_str() + whole.size()) return std::nullopt;
  const WallTime time{std::chrono::seconds(timegm(&parts))};
  // strptime takes blanks, signs, short numbers and the 31st of June.
  if (date_text(time) != whole) return std::nullopt;
  return time;
}

}  // namespace siskin
