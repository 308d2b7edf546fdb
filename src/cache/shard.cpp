#include "cache/shard.hpp"

#include <algorithm>
#include <bit>

#include "cache/ledger_row.hpp"

namespace siskin::cache {
namespace {

/// A page of a full shard holds about 250 to 500 entries of the usual size: few enough that its
/// growth takes about a microsecond, and many enough that the table of pages costs nothing.
constexpr std::size_t kBytesPerPage = 50'000;

/// Slots the expiry hand looks at on each store: one line of memory.
constexpr std::size_t kSlotsEachStore = 8;

}  // namespace

void Shard::open(HashKey hash_key, unsigned skip_bits, std::size_t bytes_max,
                 std::uint32_t stale_max) {
  hash_key_ = hash_key;
  stale_max_ = stale_max;
  skip_bits_ = skip_bits;
  page_bits_ = static_cast<unsigned>(std::bit_width(bytes_max / kBytesPerPage));
  bytes_max_ = bytes_max;
  pages_ = std::vector<Page>(std::size_t{1} << page_bits_);
  index_bytes_ = sizeof(Shard) + charge_of(pages_.data());
  bytes_ = index_bytes_;
}

Shard::~Shard() {
  clear();
}

std::size_t Shard::page_index(std::uint64_t hash) const noexcept {
  return hash << skip_bits_ >> 1 >> (63 - page_bits_);
}

std::uint32_t Shard::slot_hash(std::uint64_t hash) const noexcept {
  const std::uint64_t rest = hash << (skip_bits_ + page_bits_);
  return static_cast<std::uint32_t>(rest >> (64 - Slot::kHashBits));
}

void Shard::prefetch(std::uint64_t hash) const noexcept {
  pages_[page_index(hash)].prefetch(slot_hash(hash));
}

void Shard::prefetch_entry(std::uint64_t hash) const noexcept {
  pages_[page_index(hash)].prefetch_entry(slot_hash(hash));
}

Slot* Shard::find_slot(const Key& key, std::uint32_t now) noexcept {
  Slot* const slot = slot_of(key);
  return slot != nullptr && slot->entry().is_alive(now) ? slot : nullptr;
}

std::optional<Entry> Shard::use(const Key& key, std::uint32_t now) noexcept {
  Slot* const slot = find_slot(key, now);
  if (slot == nullptr) return std::nullopt;
  if (slot->use()) newcomers_.fetch_sub(1, std::memory_order_relaxed);
  return slot->entry();
}

/// As Cache::store() says.
bool Shard::is_better(Entry old, Entry fresh, std::uint32_t now) const noexcept {
  if (is_no_news(fresh.kind(), fresh.security())) {
    return !is_no_news(old.kind(), old.security()) && old.is_alive(now - std::min(now, stale_max_));
  }
  const bool is_checked =
      old.security() == Security::secure || old.security() == Security::insecure;
  return fresh.security() == Security::unchecked && fresh.kind() != Kind::delegation &&
         is_checked && old.is_alive(now);
}

bool Shard::put(const Key& key, Memory entry, std::uint32_t now) {
  const std::size_t charge = charge_of(entry.get());
  expire(kSlotsEachStore, now);
  Page& page = page_of(key);
  const std::size_t growth = page.has_room() ? 0 : page.grown_bytes();
  if (index_bytes_ + growth + charge > bytes_max_) return false;

  const bool is_directory = !key.subnet().empty() && key.subnet()[0] == kSubnetDirectory;
  unsigned rank = is_directory ? Slot::kRankMax : 0;
  const Page::Place old = page.find(slot_hash(key.hash()), key);
  if (old.is_found && is_better(page[old.at].entry(), Entry(entry.get()), now)) return false;
  if (old.is_found) {
    rank = page[old.at].rank();  // a name asked often stays so when its records are renewed
    drop(page, old.at);
  }
  Slot slot(slot_hash(key.hash()), entry.get());
  slot.set_rank(rank);
  slot.set_due(slot.entry().expiry(), now);
  if (!link(page, key, slot, charge, now)) return false;
  entry.release();
  book(slot.entry(), charge);
  if (slot.is_newcomer()) ++newcomers_;
  return true;
}

void Shard::book(Entry entry, std::size_t charge) noexcept {
  bytes_ += charge;
  ++entries_;
  Ledger::Line& line = ledger_.at(ledger_row(entry), entry.is_tailored());
  ++line.entries;
  line.bytes += charge;
}

void Shard::unbook(Entry entry, std::size_t charge) noexcept {
  bytes_ -= charge;
  --entries_;
  Ledger::Line& line = ledger_.at(ledger_row(entry), entry.is_tailored());
  --line.entries;
  line.bytes -= charge;
}

std::size_t Shard::slots() const noexcept {
  std::size_t sum = 0;
  for (const Page& page : pages_) sum += page.capacity();
  return sum;
}

Ledger Shard::ledger() const noexcept {
  Ledger ledger = ledger_;
  ledger.index_bytes = index_bytes_;
  return ledger;
}

/// Each turn but the last makes the page bigger, so it ends: with success, or out of budget.
bool Shard::link(Page& page, const Key& key, Slot slot, std::size_t charge, std::uint32_t now) {
  for (std::size_t grown = page.has_room() ? 0 : page.grown_bytes();; grown = page.grown_bytes()) {
    if (!make_room(grown + charge, now)) return false;
    if (grown != 0) SISKIN_CHECK(resize(page, grown));
    if (page.insert(page.find(slot.hash(), key).at, slot)) return true;
  }
}

bool Shard::remove(const Key& key) noexcept {
  Page& page = page_of(key);
  const Page::Place place = page.find(slot_hash(key.hash()), key);
  if (place.is_found) drop(page, place.at);
  return place.is_found;
}

void Shard::clear() noexcept {
  for (Page& page : pages_) {
    for (std::uint32_t at = 0; at < page.capacity(); ++at) {
      if (!page[at].is_empty()) Memory(const_cast<std::uint8_t*>(page[at].entry().at()));
    }
    page.reset();
  }
  index_bytes_ = sizeof(Shard) + charge_of(pages_.data());
  bytes_ = index_bytes_;
  entries_ = 0;
  newcomers_ = 0;
  ledger_ = {};
}

}  // namespace siskin::cache
