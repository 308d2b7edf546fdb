#include "cache/page.hpp"

#include <atomic>
#include <bit>
#include <cstring>

namespace siskin::cache {

std::uint32_t Page::first_of(std::uint32_t hash) const noexcept {
  std::uint32_t at = home(hash, homes());
  while (!slots_[at].is_empty() && slots_[at].hash() < hash) ++at;
  return at;
}

void Page::prefetch_entry(std::uint32_t hash) const noexcept {
  if (capacity_ == 0) return;
  const Slot& slot = slots_[first_of(hash)];  // a copy would not be atomic
  if (slot.is_empty() || slot.hash() != hash) return;
  const std::uint8_t* const entry = slot.entry().at();
  __builtin_prefetch(entry);
  __builtin_prefetch(entry + 64);  // most entries lie across two lines
  __builtin_prefetch(entry + 128);
}

Page::Place Page::find(std::uint32_t hash, const Key& key) const noexcept {
  if (capacity_ == 0) return {};
  std::uint32_t at = first_of(hash);
  for (; !slots_[at].is_empty() && slots_[at].hash() == hash; ++at) {
    const Entry entry = slots_[at].entry();
    __builtin_prefetch(entry.at() + 64);
    __builtin_prefetch(entry.at() + 128);
    if (entry.has_key(key)) return {at, true};
  }
  return {at, false};
}

bool Page::insert(std::uint32_t at, Slot slot) noexcept {
  std::uint32_t end = at;
  while (!slots_[end].is_empty()) ++end;
  if (end + 1 >= capacity_) return false;
  std::memmove(static_cast<void*>(slots_ + at + 1), slots_ + at, (end - at) * sizeof(Slot));
  slots_[at] = slot;
  ++used_;
  return true;
}

void Page::erase(std::uint32_t at) noexcept {
  const std::uint32_t own_homes = homes();
  std::uint32_t end = at + 1;  // what may move one back: the rest of the run that is not at home
  while (!slots_[end].is_empty() && home(slots_[end].hash(), own_homes) < end) ++end;
  std::memmove(static_cast<void*>(slots_ + at), slots_ + at + 1, (end - at - 1) * sizeof(Slot));
  slots_[end - 1] = Slot();
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
  SISKIN_CHECK(bytes / sizeof(Slot) <= kSlotsMax);
  const auto capacity = static_cast<std::uint32_t>(bytes / sizeof(Slot));
  const std::uint32_t homes = homes_of(capacity);
  Memory memory = allocate(bytes);
  std::memset(memory.get(), 0, bytes);
  auto* const fresh = reinterpret_cast<Slot*>(memory.get());
  std::uint32_t next = 0;
  for (std::uint32_t at = 0; at < capacity_; ++at) {
    if (slots_[at].is_empty()) continue;
    next = std::max(next, home(slots_[at].hash(), homes));
    if (next + 1 >= capacity) return false;
    fresh[next++] = slots_[at];
  }
  const std::uint16_t used = used_;
  memory.release();
  replace(fresh, capacity);
  used_ = used;
  return true;
}

void Page::replace(Slot* slots, std::uint32_t capacity) noexcept {
  std::free(slots_);
  std::atomic_ref(slots_).store(slots, std::memory_order_relaxed);
  std::atomic_ref(capacity_).store(static_cast<std::uint16_t>(capacity), std::memory_order_relaxed);
  used_ = 0;
}

void Page::prefetch(std::uint32_t hash) const noexcept {
  // atomic_ref wants a mutable object even for a load.
  auto& own = const_cast<Page&>(*this);
  const Slot* const slots = std::atomic_ref(own.slots_).load(std::memory_order_relaxed);
  const std::uint32_t capacity = std::atomic_ref(own.capacity_).load(std::memory_order_relaxed);
  const std::size_t offset = home(hash, homes_of(capacity)) * sizeof(Slot);
  __builtin_prefetch(std::bit_cast<const void*>(std::bit_cast<std::uintptr_t>(slots) + offset));
}

bool Page::is_valid() const noexcept {
  if (capacity_ == 0) return used_ == 0;
  if (!slots_[capacity_ - 1].is_empty()) return false;
  std::uint32_t seen = 0;
  std::uint32_t run_begin = 0;
  std::uint32_t last_hash = 0;
  for (std::uint32_t at = 0; at < capacity_; ++at) {
    const Slot slot = slots_[at];
    if (slot.is_empty()) {
      run_begin = at + 1;
      continue;
    }
    const std::uint32_t own_home = home(slot.hash(), homes());
    if (own_home > at || own_home < run_begin || slot.hash() < last_hash) return false;
    last_hash = slot.hash();
    ++seen;
  }
  return seen == used_;
}

}  // namespace siskin::cache
