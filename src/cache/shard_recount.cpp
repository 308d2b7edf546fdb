/// The account done again from the entries themselves, for tests.
#include <map>
#include <vector>

#include "cache/ledger_row.hpp"
#include "cache/shard.hpp"
#include "cache/variants.hpp"

namespace siskin::cache {
namespace {

/// What directories say, and what variants are there.
class VariantCount {
 public:
  void see(Entry entry, wire::Bytes name) {
    if (!entry.is_tailored()) return;
    auto& counts = counts_[{std::vector(name.begin(), name.end()), entry.type()}];
    if (!entry.is_directory(name.size())) {
      --counts[entry.name()[name.size()]];
      return;
    }
    const Directory directory(entry, name.size());
    for (std::size_t i = 0; i < directory.size(); ++i) {
      counts[directory[i].code] += directory[i].variants;
    }
  }

  bool is_even() const {
    for (const auto& [key, counts] : counts_) {
      for (const auto& [code, left] : counts) {
        if (left != 0) return false;
      }
    }
    return true;
  }

 private:
  using Question = std::pair<std::vector<std::uint8_t>, wire::RRType>;
  std::map<Question, std::map<std::uint8_t, std::int64_t>> counts_;
};

}  // namespace

Key Shard::key_of(Entry entry) const noexcept {
  const wire::Bytes name = entry.whole_name();
  Key key(hash_key_, name, entry.type());
  if (entry.is_tailored())
    key.narrow(hash_key_, skip_bits_, SubnetField(entry.name() + name.size()));
  return key;
}

Cache::Usage Shard::recount() const {
  Cache::Usage counted;
  Ledger ledger;
  VariantCount variants;
  std::size_t newcomers = 0;
  counted.bytes = sizeof(Shard) + charge_of(pages_.data());
  counted.evictions = evictions_;
  for (const Page& page : pages_) {
    SISKIN_CHECK(page.is_valid());
    counted.bytes += page.charge();
    for (std::uint32_t at = 0; at < page.capacity(); ++at) {
      if (page[at].is_empty()) continue;
      const Entry entry = page[at].entry();
      const std::size_t charge = charge_of(entry.at());
      SISKIN_CHECK(checked_size({entry.at(), charge}).has_value());
      const Key key = key_of(entry);
      const Page::Place place = page.find(slot_hash(key.hash()), key);
      SISKIN_CHECK(&pages_[page_index(key.hash())] == &page && place.is_found && place.at == at);
      variants.see(entry, entry.whole_name());
      Ledger::Line& line = ledger.at(ledger_row(entry), entry.is_tailored());
      ++line.entries;
      line.bytes += charge;
      counted.bytes += charge;
      ++counted.entries;
      if (page[at].is_newcomer()) ++newcomers;
    }
  }
  SISKIN_CHECK(newcomers == newcomers_ && variants.is_even() && ledger == ledger_);
  SISKIN_CHECK(counted.bytes <= bytes_max_ || counted.entries == 0);
  return counted;
}

}  // namespace siskin::cache
