/// What is counted, in one table: a row is a metric, its help, and its lines in docs/metrics.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace siskin::stats {

/// All only grow while the process lives.
enum class Metric : std::uint8_t {
  resolutions,
  resolutions_secure,
  resolutions_failed,
  resolutions_bogus,
  exchanges,
  signatures,
  hashes,
  // The limits of one client query, each counted where a resolution came to its end by it.
  limit_time,
  limit_exchanges,
  limit_aliases,
  limit_server_lookups,
  limit_signatures,
  limit_hashes,
};

inline constexpr std::size_t kMetrics = 13;

struct MetricRow {
  Metric metric;
  std::string_view name;   ///< as Prometheus has it; rows of one name follow each other
  std::string_view limit;  ///< value of the label of that name; empty: no label
  std::string_view help;   ///< one sentence; of the first row of a name
};

/// In the order of the enumeration.
std::span<const MetricRow, kMetrics> metric_table() noexcept;

/// Name and label as one text, for instance `siskin_limit_reached_total{limit="time"}`.
std::string full_name(const MetricRow& row);

/// Of a limit: what it limits.
std::string_view limit_words(Metric limit) noexcept;

/// The same as EDE and log say it.
std::string limit_reached(Metric limit);

/// docs/metrics.md.
std::string metrics_page();

}  // namespace siskin::stats
