/// How a shard makes room: what is dead first, then what was not used lately.
#include "cache/shard.hpp"

namespace siskin::cache {
namespace {

/// Slots the expiry hand looks at before a live entry has to go: less than a hundred nanoseconds.
/// Together with those of each store it keeps what is dead below some 2 % of a full cache.
constexpr std::size_t kSlotsForRoom = 64;

/// Entries the sweep passes before it takes one with a use, then one with two, and so on: bounds
/// the time of one eviction when everything was used lately.
constexpr std::size_t kPassedPerUse = 256;

/// How far to look for the next one to go.
constexpr std::uint32_t kSlotsAhead = 16;

}  // namespace

bool Shard::make_room(std::size_t bytes, std::uint32_t now) {
  while (bytes_ + bytes > bytes_max_) {
    if (expire(kSlotsForRoom, now)) continue;
    if (!evict(now)) return false;
  }
  return true;
}

bool Shard::expire(std::size_t slots, std::uint32_t now) {
  bool freed = false;
  for (; slots > 0; --slots) {
    Page& page = pages_[expiry_.page];
    if (expiry_.at >= page.capacity()) {
      next_page(expiry_);
    } else if (expire_at(page, expiry_.at, now)) {
      freed = true;  // the hand stays: the next slot may have moved here
    } else {
      ++expiry_.at;
    }
  }
  if (expiry_.at >= pages_[expiry_.page].capacity()) next_page(expiry_);
  pages_[expiry_.page].prefetch_at(expiry_.at);
  return freed;
}

bool Shard::expire_at(Page& page, std::uint32_t at, std::uint32_t now) {
  Slot& slot = page[at];
  if (slot.is_empty() || !slot.is_due(now)) return false;
  const Entry entry = slot.entry();
  if (entry.is_alive(now)) {
    slot.set_due(entry.expiry(), now);
    return false;
  }
  drop(page, at);
  return true;
}

bool Shard::evict(std::uint32_t now) {
  if (entries_ == 0) return false;
  for (std::size_t passed = 0;; next_page(sweep_)) {
    Page& page = pages_[sweep_.page];
    for (; sweep_.at < page.capacity(); ++sweep_.at) {
      Slot& slot = page[sweep_.at];
      if (slot.is_empty()) continue;
      if (slot.uses() > passed / kPassedPerUse) {
        slot.set_uses(slot.uses() - 1);
        ++passed;
        continue;
      }
      if (slot.entry().is_alive(now)) ++evictions_;
      drop(page, sweep_.at);
      prefetch_victim();
      return true;
    }
  }
}

/// The next entry to go is fetched ahead of time: it has lain untouched, so far away in memory.
void Shard::prefetch_victim() const noexcept {
  const Page& page = pages_[sweep_.page];
  const std::uint32_t end = std::min(sweep_.at + kSlotsAhead, page.capacity());
  for (std::uint32_t at = sweep_.at; at < end; ++at) {
    if (page[at].is_empty() || page[at].uses() > 0) continue;
    return __builtin_prefetch(page[at].entry().at());
  }
}

void Shard::next_page(Hand& hand) const noexcept {
  hand = {(hand.page + 1) % pages_.size(), 0};
}

void Shard::drop(Page& page, std::uint32_t at) {
  const Memory entry(const_cast<std::uint8_t*>(page[at].entry().at()));
  bytes_ -= charge_of(entry.get());
  --entries_;
  page.erase(at);
  if (page.is_sparse()) resize(page, page.fitting_bytes());
}

bool Shard::resize(Page& page, std::size_t bytes) {
  const std::size_t before = page.charge();
  const bool done = page.resize(bytes);
  const std::size_t after = page.charge();
  index_bytes_ = index_bytes_ - before + after;
  bytes_ = bytes_ - before + after;
  return done;
}

}  // namespace siskin::cache
