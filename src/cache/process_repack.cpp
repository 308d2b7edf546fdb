#include <jemalloc/jemalloc.h>

#include <array>
#include <cstring>

#include "siskin/cache/process_memory.hpp"

extern "C" [[gnu::weak]] decltype(mallctlnametomib) mallctlnametomib;
extern "C" [[gnu::weak]] decltype(mallctlbymib) mallctlbymib;
extern "C" [[gnu::weak]] decltype(mallocx) mallocx;
extern "C" [[gnu::weak]] decltype(dallocx) dallocx;
extern "C" [[gnu::weak]] decltype(sallocx) sallocx;

namespace siskin::cache {
namespace {

/// A control of jemalloc that is told a pointer, its name looked up once.
class PointerControl {
 public:
  explicit PointerControl(const char* name) noexcept {
    is_there_ = mallctlnametomib != nullptr && mallctlnametomib(name, mib_.data(), &depth_) == 0;
  }

  template <class T>
  bool ask(const void* pointer, T& answer) const noexcept {
    std::size_t size = sizeof answer;
    return is_there_ &&
           mallctlbymib(mib_.data(), depth_, &answer, &size, &pointer, sizeof pointer) == 0;
  }

 private:
  std::array<std::size_t, 4> mib_{};
  std::size_t depth_ = mib_.size();
  bool is_there_ = false;
};

/// As experimental.utilization.query answers (jemalloc 5.2 to 5.3).
struct Utilisation {
  void* current_slab;      ///< the one that its size class allocates from
  std::size_t free;        ///< regions unused in the pointer's slab
  std::size_t regions;     ///< of all its regions
  std::size_t slab_size;   ///< in octets
  std::size_t class_free;  ///< the same, for all slabs of the size class in its arena
  std::size_t class_regions;
};

/// Emptier than the average slab of its class, in a class with more than a sixteenth unused.
bool is_in_sparse_slab(const void* memory) noexcept {
  static const PointerControl query("experimental.utilization.query");
  Utilisation found;
  if (!query.ask(memory, found) || found.regions < 2 || found.class_regions == 0) return false;
  if (found.class_free * 16 < found.class_regions) return false;
  const auto* const slab = static_cast<const std::uint8_t*>(found.current_slab);
  const auto* const at = static_cast<const std::uint8_t*>(memory);
  if (slab != nullptr && at >= slab && at < slab + found.slab_size) return false;
  return found.free * found.class_regions > found.class_free * found.regions;
}

}  // namespace

/// Past the thread's own cache of free regions: that would hand out the place just left.
void* repack(void* memory) noexcept {
  if (!is_in_sparse_slab(memory)) return nullptr;
  static const PointerControl lookup("arenas.lookup");
  unsigned arena = 0;
  if (!lookup.ask(memory, arena)) return nullptr;
  const std::size_t size = sallocx(memory, 0);
  void* const fresh = mallocx(size, MALLOCX_TCACHE_NONE | MALLOCX_ARENA(arena));
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, memory, size);
  dallocx(memory, MALLOCX_TCACHE_NONE);
  return fresh;
}

}  // namespace siskin::cache
