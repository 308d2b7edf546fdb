/// The memory that this process may use at most, as the kernel tells it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace siskin::config {

/// The least of MemTotal (/proc/meminfo) and the limits of this process's cgroup and the groups
/// around it, version 1 or 2; 0: nothing could be read.  `root` is "/" but in tests.
std::uint64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace siskin::config
