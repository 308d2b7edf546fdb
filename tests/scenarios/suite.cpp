#include "scenarios/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "scenarios/parser.hpp"
#include "scenarios/subnets.hpp"

namespace siskin::scenarios {

namespace fs = std::filesystem;

Played play_file(const std::string& path, const PlayOptions& options) {
  Played played;
  played.path = path;
  try {
    Scenario scenario = read_scenario(path);
    Setup setup = make_setup(scenario);
    setup.resolve.case_randomisation = options.is_case_random;
    if (!setup.lacks.empty()) {
      played.end = End::skipped;
      played.lacks = setup.lacks;
      return played;
    }
    if (setup.subnets) make_clients_public(scenario);
    Outcome outcome = play(scenario, setup, options);
    played.end = outcome.has_passed ? End::passed : End::failed;
    played.why = std::move(outcome.failure);
    played.notes = std::move(outcome.notes);
  } catch (const ScriptError& error) {
    played.why = std::string(error.what()) + '\n';
  }
  return played;
}

std::vector<std::string> find_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      if (!fs::exists(path)) throw std::runtime_error(path + ": no such file or folder");
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& file : fs::directory_iterator(path)) {
      const auto kind = file.path().extension();
      if (kind == ".rpl" || kind == ".crpl") inside.push_back(file.path().string());
    }
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

std::map<std::string, std::string> read_reasons(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::map<std::string, std::string> reasons;
  for (std::string line; std::getline(file, line);) {
    const auto tab = line.find('\t');
    if (line.empty() || line[0] == '#' || tab == std::string::npos) continue;
    reasons[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return reasons;
}

}  // namespace siskin::scenarios
