#include "siskin/stats/metrics.hpp"

#include <fstream>
#include <iterator>
#include <set>

#include "siskin/stats/counters.hpp"
#include "support/catch.hpp"

using namespace siskin::stats;

TEST_CASE("stats/metrics: the table has each metric in its place, and each name once", "[stats]") {
  std::set<std::string> names;
  std::string_view last;
  for (std::size_t i = 0; i < kMetrics; ++i) {
    const MetricRow& row = metric_table()[i];
    CAPTURE(i, row.name, row.limit);
    CHECK(row.metric == static_cast<Metric>(i));
    CHECK(names.insert(full_name(row)).second);
    CHECK(row.name.starts_with("siskin_"));
    CHECK(row.name.ends_with("_total"));
    CHECK((row.name == last) == row.help.empty());
    last = row.name;
  }
}

TEST_CASE("stats/metrics: a limit is a label in words that the EDE has too", "[stats]") {
  CHECK(limit_words(Metric::limit_time) == "time");
  CHECK(limit_words(Metric::limit_signatures) == "signatures checked");
  CHECK(limit_reached(Metric::limit_signatures) == "limit reached: signatures checked");
  CHECK(full_name(metric_table()[static_cast<std::size_t>(Metric::limit_time)]) ==
        "siskin_limit_reached_total{limit=\"time\"}");
  CHECK(full_name(metric_table()[0]) == "siskin_resolutions_total");
}

TEST_CASE("stats/metrics: docs/metrics.md is what the table says", "[stats]") {
  INFO("run: siskind --print-metrics-reference > docs/metrics.md");
  std::ifstream file(SISKIN_SOURCE_DIR "/docs/metrics.md", std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == metrics_page());
}

TEST_CASE("stats/counters: each counts for itself", "[stats]") {
  Counters counters;
  counters.add(Metric::exchanges, 3);
  counters.add(Metric::exchanges);
  counters.add(Metric::limit_hashes);
  CHECK(counters.value(Metric::exchanges) == 4);
  CHECK(counters.value(Metric::limit_hashes) == 1);
  CHECK(counters.value(Metric::resolutions) == 0);
}
