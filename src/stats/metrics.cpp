#include "siskin/stats/metrics.hpp"

#include <array>

namespace siskin::stats {
namespace {

constexpr std::string_view kLimitReached = "siskin_limit_reached_total";

constexpr std::array<MetricRow, kMetrics> kTable{{
    {Metric::resolutions, "siskin_resolutions_total", "",
     "Questions that the cache could not answer at once, resolved to an answer or a failure."},
    {Metric::resolutions_secure, "siskin_resolutions_secure_total", "",
     "Resolutions whose whole answer was validated and is signed."},
    {Metric::resolutions_failed, "siskin_resolutions_failed_total", "",
     "Resolutions that ended in SERVFAIL, for whatever reason."},
    {Metric::resolutions_bogus, "siskin_resolutions_bogus_total", "",
     "Resolutions that ended in SERVFAIL because validation failed (EDE 5 to 12)."},
    {Metric::exchanges, "siskin_exchanges_total", "",
     "Queries sent to servers for resolutions, repeated ones included."},
    {Metric::signatures, "siskin_signatures_checked_total", "",
     "Signatures checked by cryptography for resolutions."},
    {Metric::hashes, "siskin_hashes_total", "",
     "Names hashed for NSEC3, each with all its iterations, and keys hashed for DS."},
    {Metric::limit_time, kLimitReached, "time",
     "Resolutions that came to an end by a limit of one client query; the same words are in the "
     "Extended DNS Error."},
    {Metric::limit_exchanges, kLimitReached, "queries to servers", ""},
    {Metric::limit_aliases, kLimitReached, "aliases", ""},
    {Metric::limit_server_lookups, kLimitReached, "look-ups of server names", ""},
    {Metric::limit_signatures, kLimitReached, "signatures checked", ""},
    {Metric::limit_hashes, kLimitReached, "names and keys hashed", ""},
}};

}  // namespace

std::span<const MetricRow, kMetrics> metric_table() noexcept {
  return kTable;
}

std::string full_name(const MetricRow& row) {
  std::string text(row.name);
  if (!row.limit.empty()) text += "{limit=\"" + std::string(row.limit) + "\"}";
  return text;
}

std::string_view limit_words(Metric limit) noexcept {
  return kTable[static_cast<std::size_t>(limit)].limit;
}

std::string limit_reached(Metric limit) {
  return "limit reached: " + std::string(limit_words(limit));
}

std::string metrics_page() {
  std::string page =
      "# Metrics\n\n"
      "<!-- Made by `siskind --print-metrics-reference` from src/stats/metrics.cpp; do not edit. "
      "-->\n\n"
      "SIGUSR1 puts all that are not 0 into the log, the sums over all threads since the start,\n"
      "beside what memory is spent on.\n";
  for (const MetricRow& row : kTable) {
    if (!row.help.empty()) {
      page += "\n## " + std::string(row.name) + "\n\n" + std::string(row.help) + "\n";
      if (!row.limit.empty()) page += "\n";
    }
    if (!row.limit.empty()) page += "- `" + full_name(row) + "`\n";
  }
  return page;
}

}  // namespace siskin::stats
