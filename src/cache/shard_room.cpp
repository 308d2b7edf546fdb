/// How a shard makes room: what is dead first, then what was not used lately.
#include "cache/shard.hpp"

#include <algorithm>

#include "siskin/cache/process_memory.hpp"

namespace siskin::cache {
namespace {

/// Slots the expiry hand looks at before a live entry has to go: less than a hundred nanoseconds.
/// Together with those of each store it keeps what is dead below some 2 % of a full cache.
constexpr std::size_t kSlotsForRoom = 64;

/// Newcomers may be one in so many entries.
constexpr std::size_t kNewcomerShare = 8;

/// One eviction in so many begins with a step of the sweep.
constexpr std::uint32_t kAgeingPeriod = 16;

/// Settled entries the sweep passes before it takes one of rank 2, and again before one of rank 3:
/// bounds the time of one eviction when everything was used lately.
constexpr std::size_t kPassedPerRank = 256;

/// Entries given up for a smaller limit under one turn of the lock.
constexpr std::size_t kEvictedAtOnce = 64;

/// How far to look for the next one to go, or the next one to age.
constexpr std::uint32_t kSlotsAhead = 16;

}  // namespace

bool Shard::make_room(std::size_t bytes, std::uint32_t now) {
  while (bytes_ + bytes > bytes_max_) {
    if (expire(kSlotsForRoom, now)) continue;
    if (!evict(now)) return false;
  }
  return true;
}

/// Which of them are dead is not known here: live ones may go in their place.
bool Shard::set_bytes_max(std::size_t bytes_max) {
  bytes_max_ = bytes_max;
  for (std::size_t i = 0; i < kEvictedAtOnce; ++i) {
    if (bytes_ <= bytes_max_ || !evict(0)) return true;
  }
  return bytes_ <= bytes_max_;
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
  if (stale_max_ > 0 && keep_stale(slot, now)) return false;
  drop(page, at);
  return true;
}

bool Shard::keep_stale(Slot& slot, std::uint32_t now) {
  const Entry entry = slot.entry();
  const std::uint32_t end = entry.expiry() + std::min(stale_max_, ~entry.expiry());
  if (end <= now || entry.kind() == Kind::failure) return false;
  if (!slot.is_newcomer()) {
    slot.set_rank(0);
    ++newcomers_;
  }
  slot.set_due(end, now);
  return true;
}

bool Shard::evict(std::uint32_t now) {
  if (evictable() == 0) return false;
  if (until_ageing_-- == 0) {
    until_ageing_ = kAgeingPeriod - 1;
    if (age(now)) return true;
  }
  return newcomers_ * kNewcomerShare > evictable() ? evict_newcomer(now) : evict_settled(now);
}

std::size_t Shard::evictable() const noexcept {
  return entries_ - ledger_.tailored[static_cast<std::size_t>(LedgerRow::directory)].entries;
}

bool Shard::evict_newcomer(std::uint32_t now) {
  for (;; next_page(newcomer_)) {
    Page& page = pages_[newcomer_.page];
    for (; newcomer_.at < page.capacity(); ++newcomer_.at) {
      const Slot slot = page[newcomer_.at];
      if (slot.is_empty() || !slot.is_newcomer()) continue;
      if (!push_out(page, newcomer_.at, now)) continue;
      prefetch_newcomer();
      return true;
    }
  }
}

bool Shard::evict_settled(std::uint32_t now) {
  for (std::size_t passed = 0;; next_page(sweep_)) {
    Page& page = pages_[sweep_.page];
    for (; sweep_.at < page.capacity(); ++sweep_.at) {
      Slot& slot = page[sweep_.at];
      if (slot.is_empty() || slot.is_newcomer()) continue;
      if (slot.rank() <= 1 + passed / kPassedPerRank) {
        if (push_out(page, sweep_.at, now)) return true;
      } else {
        slot.set_rank(slot.rank() - 1);
      }
      ++passed;
    }
  }
}

bool Shard::age(std::uint32_t now) {
  if (sweep_.at >= pages_[sweep_.page].capacity()) next_page(sweep_);
  Page& page = pages_[sweep_.page];
  const std::uint32_t end = std::min(sweep_.at + kSlotsAhead, page.capacity());
  while (sweep_.at < end) {
    Slot& slot = page[sweep_.at];
    if (slot.is_empty() || slot.is_newcomer()) {
      ++sweep_.at;
    } else if (slot.rank() == 1) {
      return push_out(page, sweep_.at, now);
    } else {
      slot.set_rank(slot.rank() - 1);
      ++sweep_.at;
      return false;
    }
  }
  return false;
}

bool Shard::push_out(Page& page, std::uint32_t at, std::uint32_t now) {
  const Entry entry = page[at].entry();
  if (entry.is_tailored() && entry.is_directory(entry.whole_name().size())) {
    page[at].set_rank(Slot::kRankMax);
    return false;
  }
  if (entry.is_alive(now)) ++evictions_;
  drop(page, at);
  return true;
}

/// The next newcomer to go is fetched ahead of time: it has lain untouched, so far away in memory.
void Shard::prefetch_newcomer() const noexcept {
  const Page& page = pages_[newcomer_.page];
  const std::uint32_t end = std::min(newcomer_.at + kSlotsAhead, page.capacity());
  for (std::uint32_t at = newcomer_.at; at < end; ++at) {
    if (page[at].is_empty() || !page[at].is_newcomer()) continue;
    return __builtin_prefetch(page[at].entry().at());
  }
}

void Shard::next_page(Hand& hand) const noexcept {
  hand = {(hand.page + 1) % pages_.size(), 0};
}

void Shard::drop(Page& page, std::uint32_t at) {
  const Memory memory(const_cast<std::uint8_t*>(page[at].entry().at()));
  const Entry entry(memory.get());
  unbook(entry, charge_of(memory.get()));
  if (page[at].is_newcomer()) --newcomers_;
  page.erase(at);
  if (page.is_sparse()) resize(page, page.fitting_bytes());
  if (!entry.is_tailored()) return;
  const Key key = key_of(entry);
  const std::uint8_t code = key.subnet()[0];
  if (code != kSubnetDirectory) leave_variant(key, code);
}

bool Shard::resize(Page& page, std::size_t bytes) {
  const std::size_t before = page.charge();
  const bool done = page.resize(bytes);
  const std::size_t after = page.charge();
  index_bytes_ = index_bytes_ - before + after;
  bytes_ = bytes_ - before + after;
  return done;
}

std::size_t Shard::repack(std::size_t slots) {
  std::size_t moved = 0;
  for (; slots > 0; --slots) {
    Page& page = pages_[repack_.page];
    if (repack_.at >= page.capacity()) {
      next_page(repack_);
      continue;
    }
    Slot& slot = page[repack_.at++];
    if (slot.is_empty()) continue;
    // Of the same size class, so the account stays as it is.
    void* const fresh = cache::repack(const_cast<std::uint8_t*>(slot.entry().at()));
    if (fresh == nullptr) continue;
    slot.set_entry(static_cast<const std::uint8_t*>(fresh));
    ++moved;
  }
  return moved;
}

}  // namespace siskin::cache
