#include "siskin/runtime/random.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace siskin;
using runtime::Random;
using runtime::SystemRandom;

namespace {

/// Gives out listed octets, then fails the test.
class Scripted final : public Random {
 public:
  explicit Scripted(std::vector<std::uint8_t> octets) : octets_(std::move(octets)) {}
  void fill(std::span<std::uint8_t> out) noexcept override {
    for (std::uint8_t& octet : out) octet = next_ < octets_.size() ? octets_[next_++] : 0xee;
  }
  std::size_t used() const noexcept { return next_; }

 private:
  std::vector<std::uint8_t> octets_;
  std::size_t next_ = 0;
};

/// Chi-square over equal buckets; the mean is buckets - 1.
double chi_square(const std::vector<unsigned>& counts) {
  double total = 0;
  for (const unsigned count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const unsigned count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("runtime/random: numbers are built from the octets in network order", "[runtime]") {
  Scripted random({0x12, 0x34, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(random.u16() == 0x1234);
  CHECK(random.u64() == 0x0102030405060708U);
}

TEST_CASE("runtime/random: below() refuses the draws that would bias it", "[runtime]") {
  // 2^32 mod 3 is 1: a draw of 0 is refused, the next one counts.
  Scripted random({0, 0, 0, 0, 9, 9, 9, 9, 0x80, 0, 0, 0, 9, 9, 9, 9});
  CHECK(random.below(3) == 1);
  CHECK(random.used() == 16);
  Scripted top({0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0});
  CHECK(top.below(3) == 2);
  Scripted one({0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(one.below(1) == 0);
}

TEST_CASE("runtime/random: the kernel's numbers are uniform and differ between instances",
          "[runtime]") {
  SystemRandom a;
  SystemRandom b;
  std::vector<unsigned> buckets(256);
  for (int i = 0; i < 50'000; ++i) ++buckets[a.u16() >> 8];
  CHECK(chi_square(buckets) < 400);  // mean 255, deviation 22.6: above is one in 10^8
  CHECK(chi_square(buckets) > 140);

  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(a.u64());
    seen.insert(b.u64());
  }
  CHECK(seen.size() == 2000);

  std::vector<unsigned> small(10);
  for (int i = 0; i < 20'000; ++i) ++small.at(b.below(10));
  CHECK(chi_square(small) < 60);
}

TEST_CASE("runtime/random: requests larger than the block are filled whole", "[runtime]") {
  SystemRandom random;
  std::vector<std::uint8_t> large(5000);
  random.fill(large);
  std::bitset<256> values;
  for (const std::uint8_t octet : large) values.set(octet);
  CHECK(values.all());  // one octet value missing from 5000: about 256 * e^-19.5
  std::vector<std::uint8_t> odd(511);
  random.fill(odd);
  random.fill(odd);
  CHECK(std::ranges::any_of(odd, [](std::uint8_t octet) { return octet != 0; }));
}

TEST_CASE("runtime/random: octets given out are no longer in memory (fault A5)", "[runtime]") {
  SystemRandom random;
  std::array<std::uint8_t, 16> given{};
  random.fill(given);
  const auto* memory = reinterpret_cast<const std::uint8_t*>(&random);
  const std::span<const std::uint8_t> object(memory, sizeof(random));
  CHECK(std::ranges::search(object, given).empty());
}
