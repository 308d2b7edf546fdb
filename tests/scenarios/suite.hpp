/// Many scenario files, and the list of what became of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/player.hpp"

namespace siskin::scenarios {

enum class End { passed, failed, skipped };

struct Played {
  std::string path;
  End end = End::failed;
  std::string why;                 ///< of failed: several lines
  std::vector<std::string> lacks;  ///< of skipped: the reasons
  std::vector<std::string> notes;  ///< of one that was played
};

/// A file that breaks the language counts as failed.
Played play_file(const std::string& path, const PlayOptions& options);

/// The files named, and those ending in .rpl or .crpl of the folders named, sorted within each
/// folder. Throws std::runtime_error for what does not exist.
std::vector<std::string> find_files(const std::vector<std::string>& paths);

/// Lines "name<TAB>reason" by name; '#' begins a comment line.  Scenarios that are known to fail
/// because they test another resolver's own option or order.
std::map<std::string, std::string> read_reasons(const std::string& path);

}  // namespace siskin::scenarios
