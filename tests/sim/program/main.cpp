/// Many random worlds: tools/worlds [COUNT [LOSS [SEED]]].
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "sim/world_run.hpp"

namespace siskin::sim {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Resident, in KiB.
std::uint64_t memory() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    if (word != "VmRSS:") continue;
    std::uint64_t kib = 0;
    file >> kib;
    return kib;
  }
  return 0;
}

struct Totals {
  std::uint64_t worlds = 0;
  std::uint64_t faulty = 0;
  std::uint64_t questions = 0;
  std::uint64_t within_reach = 0;
  std::uint64_t failures = 0;
  std::uint64_t exchanges = 0;
  unsigned exchanges_max = 0;

  void add(const Run& run) {
    ++worlds;
    faulty += !run.faults.empty();
    questions += run.questions;
    within_reach += run.within_reach;
    failures += run.failures;
    exchanges += run.exchanges;
    exchanges_max = std::max(exchanges_max, run.exchanges_max);
  }

  void print(std::ostream& out) const {
    out << worlds << " worlds, " << questions << " questions, " << exchanges
        << " exchanges, at most " << exchanges_max << " for one; CPU " << cpu_seconds()
        << " s, memory " << memory() << " KiB\n"
        << within_reach << " answers within reach, " << failures << " of them SERVFAIL ("
        << 100 * static_cast<double>(failures) / static_cast<double>(within_reach) << " %)\n"
        << faulty << " worlds with a wrong answer, a limit broken or something left behind\n";
  }
};

int run_worlds(std::uint64_t count, double loss, std::uint64_t seed) {
  const Conditions conditions{true, lossy_link(loss), true};
  Totals totals;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Run run = run_world(seed + i, conditions);
    totals.add(run);
    std::cout << run.faults;
    if ((i + 1) % 1000 == 0 && i + 1 < count) totals.print(std::cout);
  }
  totals.print(std::cout);
  return totals.faulty == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace siskin::sim

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
  const double loss = argc > 2 ? std::strtod(argv[2], nullptr) : 0.3;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  return siskin::sim::run_worlds(count, loss, seed);
}
