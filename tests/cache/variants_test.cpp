#include "cache/variants.hpp"

#include <array>
#include <random>

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

constexpr std::string_view kWww = "www.example.";

Network net(std::string_view text) {
  return Network::from_text(text).value();
}

Value answer(std::uint8_t last, std::uint32_t ttl = 60) {
  return positive(ttl, set_of(kWww, RRType::a, {address(last)}));
}

/// A cache with one question in it.
class Tailored {
 public:
  explicit Tailored(std::size_t variants_max = 100, std::size_t bytes_max = 8U << 20)
      : cache_({.bytes_max = bytes_max,
                .shards = 4,
                .hash_key = {3, 4},
                .variants_max = variants_max}) {}

  bool store(std::uint8_t last, std::string_view subnet, std::uint32_t ttl = 60) {
    const Network prefix = net(subnet);
    return cache_.store(name(kWww), RRType::a, answer(last, ttl), now, &prefix);
  }
  bool store(std::uint8_t last) { return cache_.store(name(kWww), RRType::a, answer(last), now); }

  /// "last octet/scope", or "none".
  std::string ask(std::string_view subnet) {
    const Network prefix = net(subnet);
    return text(cache_.find(name(kWww), RRType::a, now, &prefix));
  }
  std::string ask() { return text(cache_.find(name(kWww), RRType::a, now)); }

  Cache& operator*() { return cache_; }

  Instant now = at(1000);

 private:
  static std::string text(const std::optional<Value>& found) {
    if (!found) return "none";
    const wire::Bytes rdata = *found->answer.at(0).records.begin();
    return std::to_string(rdata[3]) + "/" + std::to_string(found->scope);
  }

  Cache cache_;
};

TEST_CASE("cache/variants: the longest prefix that holds the asker answers", "[cache]") {
  Tailored cache;
  REQUIRE(cache.store(1));
  REQUIRE(cache.store(8, "10.0.0.0/8"));
  REQUIRE(cache.store(24, "10.1.2.0/24"));
  REQUIRE(cache.store(16, "10.1.0.0/16"));
  REQUIRE(cache.store(48, "2001:db8::/48"));
  CHECK(cache.ask("10.1.2.0/24") == "24/24");
  CHECK(cache.ask("10.1.3.0/24") == "16/16");
  CHECK(cache.ask("10.2.2.0/24") == "8/8");
  CHECK(cache.ask("192.0.2.0/24") == "1/0");
  CHECK(cache.ask("2001:db8::/56") == "48/48");
  CHECK(cache.ask("2001:db9::/56") == "1/0");
  CHECK(cache.ask() == "1/0");
  // One prefix longer than what is known of the asker says nothing about them.
  CHECK(cache.ask("10.1.2.0/23") == "16/16");
  CHECK(cache.ask("10.0.0.0/7") == "1/0");
  (*cache).recount();
}

TEST_CASE("cache/variants: without one for everybody, nobody else is answered", "[cache]") {
  Tailored cache;
  REQUIRE(cache.store(24, "10.1.2.0/24"));
  CHECK(cache.ask() == "none");
  CHECK(cache.ask("10.1.3.0/24") == "none");
  CHECK(cache.ask("10.1.2.0/24") == "24/24");
}

TEST_CASE("cache/variants: fault B87: those who opted out have an answer of their own", "[cache]") {
  Tailored cache;
  REQUIRE(cache.store(7, "0.0.0.0/0"));
  CHECK(cache.ask("::/0") == "7/0");
  CHECK(cache.ask("0.0.0.0/0") == "7/0");
  CHECK(cache.ask("10.1.2.0/24") == "none");
  CHECK(cache.ask("2001:db8::/56") == "none");
  CHECK(cache.ask() == "none");
  REQUIRE(cache.store(1));
  CHECK(cache.ask("0.0.0.0/0") == "7/0");
  CHECK(cache.ask("10.1.2.0/24") == "1/0");
}

TEST_CASE("cache/variants: fault B89: only positive answers are tailored", "[cache]") {
  Tailored cache;
  const Network subnet = net("10.1.2.0/24");
  for (const Kind kind : {Kind::nodata, Kind::nxdomain, Kind::delegation, Kind::failure}) {
    Value value;
    value.kind = kind;
    value.ttl = 60;
    CHECK_FALSE((*cache).store(name(kWww), RRType::a, value, cache.now, &subnet));
  }
  CHECK((*cache).usage().entries == 0);
}

TEST_CASE("cache/variants: they expire one by one, and the directory with the last", "[cache]") {
  Tailored cache;
  REQUIRE(cache.store(1, "10.0.1.0/24", 10));
  REQUIRE(cache.store(2, "10.0.0.0/16", 100));
  CHECK((*cache).usage().entries == 3);
  cache.now = at(1010);
  CHECK(cache.ask("10.0.1.0/24") == "2/16");
  cache.now = at(1100);
  CHECK(cache.ask("10.0.1.0/24") == "none");
  // The hand that looks for the dead comes by as others are stored.
  for (std::uint8_t i = 0; i < 250; ++i) {
    const wire::Name other = name("n" + std::to_string(i) + ".example.");
    wire::RRset set = set_of(kWww, RRType::a, {address(i)});
    set.owner = other;
    (*cache).store(other, RRType::a, positive(1000, set), at(1200));
  }
  CHECK((*cache).recount().entries == 250);
}

TEST_CASE("cache/variants: removing a question removes them all", "[cache]") {
  Tailored cache;
  REQUIRE(cache.store(1));
  for (const auto* subnet :
       {"10.1.0.0/16", "10.2.0.0/16", "10.1.2.0/24", "0.0.0.0/0", "2001:db8::/32"}) {
    REQUIRE(cache.store(2, subnet));
  }
  CHECK((*cache).usage().entries == 7);
  CHECK((*cache).remove(name(kWww), RRType::a));
  CHECK((*cache).recount().entries == 0);
  CHECK_FALSE((*cache).remove(name(kWww), RRType::a));
}

std::string subnet_text(unsigned number) {
  return std::to_string(11 + number / 65536) + "." + std::to_string(number / 256 % 256) + "." +
         std::to_string(number % 256) + ".0/24";
}

TEST_CASE("cache/variants: beyond the cap prefixes are widened", "[cache]") {
  Tailored cache(100);
  for (unsigned i = 0; i < 100; ++i) REQUIRE(cache.store(1, subnet_text(i)));
  REQUIRE(cache.store(2, "192.0.2.0/24"));
  CHECK(cache.ask("192.0.2.0/24") == "2/16");
  CHECK(cache.ask("192.0.77.0/24") == "2/16");
  CHECK(cache.ask("192.1.2.0/24") == "none");
  REQUIRE(cache.store(3, "2001:db8:1:200::/56"));
  CHECK(cache.ask("2001:db8:ffff::/56") == "3/32");
  // Those that came before the cap are still there.
  CHECK(cache.ask(subnet_text(99)) == "1/24");
  std::mt19937 random(1);
  for (unsigned i = 0; i < 20'000; ++i) {
    REQUIRE(cache.store(4, subnet_text(random() % (200U << 16))));
  }
  CHECK((*cache).recount().entries <= 1 + 125 + 2 * 256);
}

TEST_CASE("cache/variants: a full cache pushes variants out and keeps its books", "[cache]") {
  Tailored cache(1U << 20, 200'000);
  for (unsigned i = 0; i < 20'000; ++i) {
    cache.store(static_cast<std::uint8_t>(i), subnet_text(i));
    if (i % 1000 == 0) (*cache).recount();
  }
  const Cache::Usage usage = (*cache).recount();
  CHECK(usage.entries > 300);
  CHECK(usage.bytes <= 200'000);
  CHECK(usage.evictions > 10'000);
  CHECK(cache.ask(subnet_text(19'999)) == std::to_string(19'999 % 256) + "/24");
}

TEST_CASE("cache/variants: ten thousand of one name cost a look-up one probe a length", "[cache]") {
  Tailored cache(1U << 20);
  for (unsigned i = 0; i < 10'000; ++i) REQUIRE(cache.store(1, subnet_text(i)));
  const Ledger ledger = (*cache).ledger();
  CHECK(ledger.at(LedgerRow::directory, true).entries == 1);
  // Header, name, code, and a single row.
  CHECK(ledger.at(LedgerRow::directory, true).bytes <= 48);
  CHECK(ledger.at(LedgerRow::a, true).entries == 10'000);
  CHECK(ledger.at(LedgerRow::a, false).entries == 0);
}

TEST_CASE("cache/variants: a directory keeps its rows in order", "[cache]") {
  const wire::Name www = name(kWww);
  Key key({1, 2}, www.wire(), RRType::a);
  key.narrow({1, 2}, 4, SubnetField::directory());
  Memory memory = build_directory(key, nullptr, 24);
  for (const std::uint8_t code : std::array<std::uint8_t, 4>{16, 64 + 56, 0, 32}) {
    const Directory old(Entry(memory.get()), name(kWww).size());
    CHECK(directory_size(key, &old) == 8 + 13 + 1 + 5 * (old.size() + 1));
    memory = build_directory(key, &old, code);
  }
  Directory directory(Entry(memory.get()), name(kWww).size());
  directory.add(24);
  REQUIRE(directory.size() == 5);
  CHECK(directory.variants() == 6);
  for (const std::uint8_t code : std::array<std::uint8_t, 5>{32, 24, 24, 24, 64 + 56})
    directory.take(code);
  REQUIRE(directory.size() == 2);
  CHECK(directory[0].code == 16);
  CHECK(directory[1].code == 0);
  CHECK(checked_size({memory.get(), charge_of(memory.get())}) == std::size_t{8 + 13 + 1 + 2 * 5});
}

}  // namespace
}  // namespace siskin::cache::test
