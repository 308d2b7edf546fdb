/// Runs the benchmarks as the daemon runs with much memory: in huge pages, where the kernel has
/// any.
///   siskin_bench --small_pages ...   without, to see what they buy
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string_view>

#include "siskin/cache/process_memory.hpp"

int main(int argc, char** argv) {
  const auto end = argv + argc;
  const auto others = std::remove(argv, end, std::string_view("--small_pages"));
  if (others == end) siskin::cache::prefer_huge_pages();
  argc = static_cast<int>(others - argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
