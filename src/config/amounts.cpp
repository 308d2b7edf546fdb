#include "config/amounts.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

namespace siskin::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// Greatest first: printing takes the first that divides.
constexpr std::array<Unit, 4> kDurations{{{"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}}};
constexpr std::array<Unit, 5> kSizes{{{"TiB", 1ULL << 40U},
                                      {"GiB", 1ULL << 30U},
                                      {"MiB", 1ULL << 20U},
                                      {"KiB", 1ULL << 10U},
                                      {"", 1}}};

struct Amount {
  std::uint64_t number = 0;
  std::string_view unit;
};

std::optional<Amount> split(std::string_view text) {
  Amount amount;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, amount.number);
  if (error != std::errc()) return std::nullopt;
  amount.unit = {rest, static_cast<std::size_t>(end - rest)};
  return amount;
}

template <std::size_t N>
std::optional<std::uint64_t> in_units(std::string_view text, const std::array<Unit, N>& units) {
  const auto amount = split(text);
  if (!amount) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name != amount->unit) continue;
    if (amount->number > std::numeric_limits<std::uint64_t>::max() / unit.factor) break;
    return amount->number * unit.factor;
  }
  return std::nullopt;
}

template <std::size_t N>
std::string as_text(std::uint64_t value, const std::array<Unit, N>& units) {
  for (const Unit& unit : units) {
    const bool divides = value % unit.factor == 0 && value >= unit.factor;
    if (divides || unit.factor == 1) return fmt::format("{}{}", value / unit.factor, unit.name);
  }
  return {};
}

}  // namespace

std::optional<Duration> duration_from(std::string_view text) {
  constexpr auto longest = std::chrono::floor<std::chrono::milliseconds>(Duration::max()).count();
  const auto milliseconds = in_units(text, kDurations);
  if (!milliseconds || *milliseconds > static_cast<std::uint64_t>(longest)) return std::nullopt;
  return std::chrono::milliseconds(*milliseconds);
}

std::string duration_text(Duration duration) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
  return as_text(static_cast<std::uint64_t>(milliseconds.count()), kDurations);
}

std::optional<MemoryLimit> memory_from(std::string_view text) {
  if (const auto bytes = in_units(text, kSizes)) return MemoryLimit{*bytes, 0};
  const auto amount = split(text);
  if (!amount || amount->unit != "%" || amount->number < 1 || amount->number > 100) {
    return std::nullopt;
  }
  return MemoryLimit{0, static_cast<std::uint32_t>(amount->number)};
}

std::string memory_meant(std::string_view text) {
  auto amount = split(text);
  if (!amount) return {};
  if (amount->unit.starts_with(' ')) amount->unit.remove_prefix(1);
  if (amount->unit.empty() || amount->unit.size() > 3) return {};
  const char first = static_cast<char>(amount->unit.front() & ~0x20);  // upper case
  for (const Unit& unit : kSizes) {
    if (unit.name.empty() || unit.name.front() != first) continue;
    const std::string meant = fmt::format("{}{}", amount->number, unit.name);
    return in_units(meant, kSizes) ? meant : "";
  }
  return {};
}

std::string bytes_text(std::uint64_t bytes) {
  return as_text(bytes, kSizes);
}

std::uint64_t part_of(std::uint64_t machine_bytes, std::uint32_t percent) noexcept {
  return machine_bytes / 100 * percent + machine_bytes % 100 * percent / 100;
}

}  // namespace siskin::config
