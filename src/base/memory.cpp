#include "siskin/base/memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

/// jemalloc's control, where jemalloc is the allocator.
extern "C" [[gnu::weak]] int mallctl(const char* name, void* old_value, size_t* old_size,
                                     void* new_value, size_t new_size);

/// jemalloc reads these before main():
///   narenas             misses store, hits do not: four arenas never wait for each other, and each
///                       one more keeps half-empty slabs of its own
///   background_thread   unused pages go back in time even when nobody allocates
///   dirty_decay_ms      what a burst left goes back within seconds: the limit is on the process
///   muzzy_decay_ms      at once: muzzy pages would count as resident
///   thp, metadata_thp   an entry is a random access to memory, and most of that is address
///                       translation; huge pages take a quarter off a look-up
extern "C" {
extern const char* const malloc_conf;
const char* const malloc_conf =
    "narenas:4,background_thread:true,dirty_decay_ms:2000,muzzy_decay_ms:0,thp:always,"
    "metadata_thp:auto";
}

namespace siskin {
namespace {

std::optional<std::uint64_t> figure(const char* name) noexcept {
  std::size_t value = 0;
  std::size_t size = sizeof value;
  if (mallctl(name, &value, &size, nullptr, 0) != 0) return std::nullopt;
  return value;
}

}  // namespace

std::uint64_t resident_bytes() noexcept {
  // statm: all pages, then those in RAM.
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  std::array<char, 128> text;
  const ssize_t got = read(fd, text.data(), text.size());
  close(fd);
  const std::string_view line(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  std::uint64_t pages = 0;
  std::from_chars(line.data() + space + 1, line.data() + line.size(), pages);
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::optional<AllocatorFigures> allocator_figures() noexcept {
  if (mallctl == nullptr) return std::nullopt;
  // Figures are as of the last epoch: begin a new one.
  std::uint64_t epoch = 1;
  std::size_t size = sizeof epoch;
  mallctl("epoch", &epoch, &size, &epoch, size);
  const auto allocated = figure("stats.allocated");
  const auto active = figure("stats.active");
  const auto metadata = figure("stats.metadata");
  const auto resident = figure("stats.resident");
  if (!allocated || !active || !metadata || !resident) return std::nullopt;
  return AllocatorFigures{*allocated, *active, *metadata, *resident};
}

void release_unused_memory() noexcept {
  // 4096 is MALLCTL_ARENAS_ALL.
  if (mallctl != nullptr) mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
}

}  // namespace siskin
