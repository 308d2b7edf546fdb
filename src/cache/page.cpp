#include "cache/page.hpp"

#include <bit>
#include <cstring>

namespace siskin::cache {
namespace {

/// Slots behind the homes, the sentinel included: enough that the run-over rarely asks for growth
/// before the page is as full as it may be.  Never falls as the capacity grows, so whatever fits
/// into a page fits into a bigger one.
std::uint32_t tail_of(std::uint32_t capacity) noexcept {
  return 4 + capacity / 32;
}

}  // namespace

Page::Place Page::find(std::uint32_t hash, const Key& key) const noexcept {
  if (capacity_ == 0) return {};
  const Slot* const all = slots();
  std::uint32_t at = home(hash);
  while (!all[at].is_empty() && all[at].hash() < hash) ++at;
  for (; !all[at].is_empty() && all[at].hash() == hash; ++at) {
    if (all[at].entry().has_key(key)) return {at, true};
  }
  return {at, false};
}

bool Page::insert(std::uint32_t at, Slot slot) noexcept {
  Slot* const all = slots();
  std::uint32_t end = at;
  while (!all[end].is_empty()) ++end;
  if (end + 1 >= capacity_) return false;
  std::memmove(static_cast<void*>(all + at + 1), all + at, (end - at) * sizeof(Slot));
  all[at] = slot;
  ++used_;
  return true;
}

void Page::erase(std::uint32_t at) noexcept {
  Slot* const all = slots();
  std::uint32_t end = at + 1;  // what may move one back: the rest of the run that is not at home
  while (!all[end].is_empty() && home(all[end].hash()) < end) ++end;
  std::memmove(static_cast<void*>(all + at), all + at + 1, (end - at - 1) * sizeof(Slot));
  all[end - 1] = Slot();
  --used_;
}

std::size_t Page::grown_bytes() const noexcept {
  if (capacity_ == 0) return kSlotsMin * sizeof(Slot);
  const std::size_t bytes = capacity_ * sizeof(Slot);
  return bytes + std::bit_floor(bytes) / 4;
}

std::size_t Page::fitting_bytes() const noexcept {
  std::size_t bytes = kSlotsMin * sizeof(Slot);
  while (bytes / sizeof(Slot) * 3 < used_ * 4U + 16) bytes += std::bit_floor(bytes) / 4;
  return bytes;
}

bool Page::resize(std::size_t bytes) {
  Page fresh;
  fresh.memory_ = allocate(bytes);
  fresh.capacity_ = static_cast<std::uint32_t>(bytes / sizeof(Slot));
  fresh.homes_ = fresh.capacity_ - tail_of(fresh.capacity_);
  fresh.used_ = used_;
  std::memset(static_cast<void*>(fresh.slots()), 0, bytes);
  std::uint32_t next = 0;
  for (std::uint32_t at = 0; at < capacity_; ++at) {
    const Slot slot = slots()[at];
    if (slot.is_empty()) continue;
    next = std::max(next, fresh.home(slot.hash()));
    if (next + 1 >= fresh.capacity_) return false;
    fresh.slots()[next++] = slot;
  }
  *this = std::move(fresh);
  return true;
}

bool Page::is_valid() const noexcept {
  if (capacity_ == 0) return used_ == 0;
  if (!slots()[capacity_ - 1].is_empty()) return false;
  std::uint32_t seen = 0;
  std::uint32_t run_begin = 0;
  std::uint32_t last_hash = 0;
  for (std::uint32_t at = 0; at < capacity_; ++at) {
    const Slot slot = slots()[at];
    if (slot.is_empty()) {
      run_begin = at + 1;
      continue;
    }
    const std::uint32_t own_home = home(slot.hash());
    if (own_home > at || own_home < run_begin || slot.hash() < last_hash) return false;
    last_hash = slot.hash();
    ++seen;
  }
  return seen == used_;
}

}  // namespace siskin::cache
