#include "siskin/cache/process_memory.hpp"

#include <fcntl.h>
#include <jemalloc/jemalloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>

/// jemalloc's control, where jemalloc is the allocator.
extern "C" [[gnu::weak]] decltype(mallctl) mallctl;

/// jemalloc reads these before main():
///   narenas             misses store, hits do not: four arenas hardly ever wait for each other,
///   and
///                       each one more keeps half-empty slabs of its own
///   background_thread   unused pages go back in time even when nobody allocates
///   dirty_decay_ms      what a burst left goes back within seconds: the limit is on the process
///   muzzy_decay_ms      at once: muzzy pages would count as resident
const char* malloc_conf = "narenas:4,background_thread:true,dirty_decay_ms:2000,muzzy_decay_ms:0";

namespace siskin::cache {
namespace {

std::optional<std::uint64_t> figure(const char* name) noexcept {
  std::size_t value = 0;
  std::size_t size = sizeof value;
  if (mallctl(name, &value, &size, nullptr, 0) != 0) return std::nullopt;
  return value;
}

/// The number behind `label`; 0 when there is none.
std::uint64_t kibibytes(std::string_view status, std::string_view label) noexcept {
  std::size_t at = status.find(label);
  if (at == std::string_view::npos) return 0;
  at = status.find_first_of("0123456789", at);
  std::uint64_t value = 0;
  if (at != std::string_view::npos) {
    std::from_chars(status.data() + at, status.data() + status.size(), value);
  }
  return value;
}

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr unsigned kArenas = 4;

/// What jemalloc calls to get memory: its own hooks, and ours in place of one of them.
struct Hooks : extent_hooks_t {
  extent_hooks_t* own;
};

void* allocate_huge(extent_hooks_t* hooks, void* address, std::size_t size, std::size_t alignment,
                    bool* zero, bool* commit, unsigned arena) noexcept {
  extent_hooks_t* const own = static_cast<Hooks*>(hooks)->own;
  // Aligned, so that all of it can be huge pages.
  if (address == nullptr && size >= kHugePage) alignment = std::max(alignment, kHugePage);
  void* const memory = own->alloc(own, address, size, alignment, zero, commit, arena);
  if (memory != nullptr && size >= kHugePage) madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

bool prefer_huge_pages() {
  extent_hooks_t* own = nullptr;
  std::size_t size = sizeof own;
  if (mallctl == nullptr || mallctl("arena.0.extent_hooks", &own, &size, nullptr, 0) != 0) {
    return false;
  }
  extent_hooks_t* const hooks = std::make_unique<Hooks>(Hooks{*own, own}).release();
  hooks->alloc = allocate_huge;
  for (unsigned i = 0; i < kArenas; ++i) {
    const std::string name = "arena." + std::to_string(i) + ".extent_hooks";
    extent_hooks_t* fresh = hooks;
    // An arena that nobody used yet is made by asking for its hooks.
    mallctl(name.c_str(), nullptr, nullptr, &fresh, sizeof fresh);
  }
  return true;  // the arenas keep the hooks for as long as the process lives
}

std::uint64_t resident_bytes() noexcept {
  const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  std::array<char, 4096> text;
  const ssize_t got = read(fd, text.data(), text.size());
  close(fd);
  const std::string_view status(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return 1024 * (kibibytes(status, "RssAnon:") + kibibytes(status, "RssShmem:"));
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

}  // namespace siskin::cache
