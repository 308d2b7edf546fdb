#include "cache/page.hpp"

#include <map>
#include <random>

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

/// Keys "0." to "n.", whose slots' hashes the test chooses itself.
class Keys {
 public:
  explicit Keys(std::size_t count) {
    names_.reserve(count);  // keys point into it
    for (std::size_t i = 0; i < count; ++i) {
      names_.push_back(name(std::to_string(i) + "."));
      keys_.emplace_back(HashKey{1, 2}, names_.back().wire(), RRType::a);
      entries_.push_back(build_entry(keys_.back(), Value{}, 100));
    }
  }
  const Key& key(std::size_t i) const { return keys_[i]; }
  Slot slot(std::size_t i, std::uint32_t hash) const { return {hash, entries_[i].get()}; }

 private:
  std::vector<wire::Name> names_;
  std::vector<Key> keys_;
  std::vector<Memory> entries_;
};

void put(Page& page, const Keys& keys, std::size_t i, std::uint32_t hash) {
  if (!page.has_room()) page.resize(page.grown_bytes());
  while (!page.insert(page.find(hash, keys.key(i)).at, keys.slot(i, hash))) {
    page.resize(page.grown_bytes());
  }
}

TEST_CASE("cache/page: keys come and go as in a map, order and homes hold throughout", "[cache]") {
  std::mt19937 random(5);
  const Keys keys(700);
  // Few different hashes make long runs of equal ones; the largest pile up at the end.
  for (const unsigned hashes : {1U, 7U, 300U, 8192U}) {
    Page page;
    std::map<std::size_t, std::uint32_t> model;
    for (int step = 0; step < 6000; ++step) {
      const std::size_t i = random() % (step % 2000 < 1000 ? 700 : 90);
      const auto held = model.find(i);
      if (held != model.end()) {
        const Page::Place place = page.find(held->second, keys.key(i));
        REQUIRE(place.is_found);
        REQUIRE(page[place.at].entry().has_key(keys.key(i)));
        if (random() % 2 == 0) {
          page.erase(place.at);
          model.erase(held);
        }
      } else {
        const std::uint32_t hash = 8191 - random() % hashes;
        REQUIRE_FALSE(page.find(hash, keys.key(i)).is_found);
        put(page, keys, i, hash);
        model[i] = hash;
      }
      if (page.is_sparse()) page.resize(page.fitting_bytes());
      REQUIRE(page.used() == model.size());
      if (step % 50 == 0) REQUIRE(page.is_valid());
    }
    for (const auto& [i, hash] : model) REQUIRE(page.find(hash, keys.key(i)).is_found);
  }
}

TEST_CASE("cache/page: an even page is at least seven tenths full when it has to grow", "[cache]") {
  std::mt19937 random(6);
  const Keys keys(2000);
  Page page;
  std::size_t growths = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::uint32_t before = page.capacity();
    const std::uint32_t used = page.used();
    put(page, keys, i, random() % 8192);
    if (page.capacity() == before || used < 100) continue;
    ++growths;
    CHECK(used * 10 >= before * 7);
    // Without jemalloc there is a header.
    CHECK(page.charge() - page.capacity() * sizeof(Slot) <= 8);
  }
  CHECK(growths > 10);
}

TEST_CASE("cache/page: a page too small for what is there is refused", "[cache]") {
  const Keys keys(40);
  Page page;
  for (std::size_t i = 0; i < 40; ++i) put(page, keys, i, static_cast<std::uint32_t>(i * 200));
  const std::uint32_t before = page.capacity();
  CHECK_FALSE(page.resize(40 * sizeof(Slot)));
  CHECK(page.capacity() == before);
  CHECK(page.is_valid());
}

TEST_CASE("cache/page: a slot: its parts do not disturb each other", "[cache]") {
  const Keys keys(1);
  Slot slot = keys.slot(0, 8191);
  const auto* entry = slot.entry().at();
  CHECK_FALSE(slot.is_empty());
  CHECK(slot.rank() == 0);
  for (unsigned rank = 0; rank <= Slot::kRankMax; ++rank) {
    slot.set_rank(rank);
    slot.set_due(1000, 900);
    CHECK(slot.rank() == rank);
    CHECK(slot.hash() == 8191);
    CHECK(slot.entry().at() == entry);
  }
}

TEST_CASE("cache/page: a slot: an expiry is due within an epoch, a far one is asked for again",
          "[cache]") {
  const Keys keys(1);
  Slot slot = keys.slot(0, 0);
  for (const std::uint32_t now : {0U, 31U, 32U, 1'000'000U, 0xfffff000U}) {
    for (const std::uint32_t ttl : {1U, 31U, 32U, 33U, 100U, 400U}) {
      slot.set_due(now + ttl, now);
      CHECK_FALSE(slot.is_due(now));
      CHECK_FALSE(slot.is_due(now + ttl - 1));
      CHECK(slot.is_due(now + ttl + Slot::kEpochSeconds));
      CHECK(slot.is_due(now + ttl + 15 * Slot::kEpochSeconds));
    }
    slot.set_due(now + 2000, now);
    CHECK_FALSE(slot.is_due(now + 13 * Slot::kEpochSeconds));
    CHECK(slot.is_due(now + 15 * Slot::kEpochSeconds));
  }
}

}  // namespace
}  // namespace siskin::cache::test
