#include "siskin/config/machine.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace siskin::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// The number at the beginning of `text`, after blanks; kNone for anything else ("max").
std::uint64_t number_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : kNone;
}

std::uint64_t memory_total(const fs::path& root) {
  constexpr std::string_view label = "MemTotal:";
  std::ifstream file(root / "proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(label)) continue;
    const std::uint64_t kib = number_in(std::string_view(line).substr(label.size()));
    return kib > kNone / 1024 ? kNone : kib * 1024;
  }
  return kNone;
}

/// The least limit in `file` of the group and of those around it.  A container may see the path
/// of the host but only its own part of the tree: directories that are not there are skipped.
std::uint64_t least_upwards(const fs::path& hierarchy, fs::path group, std::string_view file) {
  std::uint64_t least = kNone;
  while (true) {
    std::ifstream limit(hierarchy / group / file);
    if (std::string line; std::getline(limit, line)) least = std::min(least, number_in(line));
    if (group.empty()) return least;
    group = group.parent_path();
  }
}

/// One line of /proc/self/cgroup: "ID:CONTROLLERS:/PATH"; version 2 has no controllers.
std::uint64_t group_limit(const fs::path& root, std::string_view line) {
  const auto first = line.find(':');
  const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return kNone;
  const std::string controllers =
      "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
  const fs::path group = fs::path(line.substr(second + 1)).lexically_normal().relative_path();
  if (controllers == ",,") return least_upwards(root / "sys/fs/cgroup", group, "memory.max");
  if (controllers.find(",memory,") == std::string::npos) return kNone;
  return least_upwards(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
}

}  // namespace

std::uint64_t machine_memory(const fs::path& root) {
  std::uint64_t least = memory_total(root);
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    least = std::min(least, group_limit(root, line));
  }
  return least == kNone ? 0 : least;
}

}  // namespace siskin::config
