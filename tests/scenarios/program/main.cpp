/// scenario_player [OPTION...] PATH...: plays files and folders, and prints what passed, failed and
/// was skipped, with reasons and counts.
///
/// --if-present   when a path does not exist: says so and ends with status 77
/// --known FILE   lines "name<TAB>reason": these may fail, for that reason
/// --strict       a server that is asked what no range answers fails the scenario
/// --seed N       of the resolver's random choices
/// --random-case  queries to servers go out in random letter case
/// --quiet        only what fails against expectation, and the counts
/// Status: 0 when nothing failed but what is known, 1 otherwise, 2 for a wrong call.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/suite.hpp"

namespace siskin::scenarios {
namespace {

struct Call {
  PlayOptions options;
  bool is_quiet = false;
  bool may_be_absent = false;
  std::map<std::string, std::string> known;
  std::vector<std::string> paths;
};

struct Counts {
  unsigned passed = 0;
  unsigned failed = 0;
  unsigned known = 0;
  unsigned skipped = 0;
  std::map<std::string, unsigned> reasons;  ///< of the skipped; a scenario may have several
};

Call read_call(const std::vector<std::string>& words) {
  Call call;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--strict") {
      call.options.is_strict = true;
    } else if (words[i] == "--seed" && i + 1 < words.size()) {
      call.options.seed = std::stoull(words[++i]);
    } else if (words[i] == "--random-case") {
      call.options.is_case_random = true;
    } else if (words[i] == "--quiet") {
      call.is_quiet = true;
    } else if (words[i] == "--if-present") {
      call.may_be_absent = true;
    } else if (words[i] == "--known" && i + 1 < words.size()) {
      call.known = read_reasons(words[++i]);
    } else if (words[i].starts_with("--")) {
      throw std::runtime_error(words[i] + ": unknown option");
    } else {
      call.paths.push_back(words[i]);
    }
  }
  if (call.paths.empty()) throw std::runtime_error("expected files or folders");
  return call;
}

void print(const Call& call, const Played& played, Counts& counts) {
  const std::string name = std::filesystem::path(played.path).filename().string();
  const auto known = call.known.find(name);
  const auto say = [&](const std::string& line) {
    if (!call.is_quiet) fmt::print("{}\n", line);
  };
  switch (played.end) {
    case End::passed:
      ++counts.passed;
      say("passed   " + name);
      if (known != call.known.end()) say("         although it is known to fail: " + known->second);
      for (const std::string& note : played.notes) say("         " + note);
      return;
    case End::skipped:
      ++counts.skipped;
      for (const std::string& reason : played.lacks) ++counts.reasons[reason];
      say(fmt::format("skipped  {}: {}", name, fmt::join(played.lacks, "; ")));
      return;
    case End::failed: break;
  }
  if (known != call.known.end()) {
    ++counts.known;
    say("differs  " + name + ": " + known->second);
    return;
  }
  ++counts.failed;
  fmt::print("FAILED   {}\n{}", name, played.why);
}

void print(const Counts& counts) {
  for (const auto& [reason, count] : counts.reasons) {
    fmt::print("  {:>4} need {}\n", count, reason);
  }
  fmt::print("{} passed, {} failed, {} differ for a known reason, {} skipped\n", counts.passed,
             counts.failed, counts.known, counts.skipped);
}

int run(const std::vector<std::string>& words) {
  constexpr int kSkipped = 77;
  const Call call = read_call(words);
  for (const std::string& path : call.paths) {
    if (!call.may_be_absent || std::filesystem::exists(path)) continue;
    fmt::print("skipped: {} does not exist\n", path);
    return kSkipped;
  }
  Counts counts;
  for (const std::string& file : find_files(call.paths)) {
    print(call, play_file(file, call.options), counts);
  }
  print(counts);
  return counts.failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace siskin::scenarios

int main(int argc, char** argv) {
  try {
    return siskin::scenarios::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "scenario_player: {}\n", error.what());
    return 2;
  }
}
