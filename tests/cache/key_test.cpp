#include "cache/key.hpp"

#include <set>

#include "cache/lowered_words.hpp"
#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

std::uint64_t hash(std::string_view text, RRType type) {
  const wire::Name asked = name(text);
  return Key({1, 2}, asked.wire(), type).hash();
}

TEST_CASE("cache/key: names of every size hash alike in any letter case", "[cache]") {
  std::set<std::uint64_t> hashes;
  std::string lower = ".";
  std::string upper = ".";
  for (std::size_t size = 1; size < 250; ++size) {
    // Labels of up to nine letters, so that words begin and end everywhere in them.
    const bool begins_label = size % 10 == 1;
    lower.insert(0, begins_label && size > 1 ? "z." : "z");
    upper.insert(0, begins_label && size > 1 ? "Z." : "Z");
    if (begins_label && size > 1) ++size;
    CAPTURE(lower);
    CHECK(hash(lower, RRType::a) == hash(upper, RRType::a));
    CHECK(hashes.insert(hash(lower, RRType::a)).second);
    CHECK(hashes.insert(hash(lower, RRType::aaaa)).second);
  }
}

TEST_CASE("cache/key: words are the name lowered, the last one filled up with zeros", "[cache]") {
  for (const std::string_view text : {"A.", "aB@[z{.", "ABCDEFGH.", "abcdefghijklmnoZ.xY."}) {
    const wire::Name asked = name(text);
    const LoweredWords words(asked.wire());
    Octets spelled;
    for (std::size_t i = 0; i <= words.whole(); ++i) {
      const std::uint64_t word = i < words.whole() ? words[i] : words.last();
      for (unsigned octet = 0; octet < 8; ++octet) {
        spelled.push_back(static_cast<std::uint8_t>(word >> 8 * octet));
      }
    }
    if (words.left() == 0) spelled.resize(8 * words.whole());
    Octets wanted;
    for (const std::uint8_t octet : asked.wire()) wanted.push_back(wire::to_lower(octet));
    wanted.resize(spelled.size());
    CHECK(spelled == wanted);
  }
}

TEST_CASE("cache/key: a subnet changes the hash but for the shared bits", "[cache]") {
  const wire::Name asked = name("www.example.");
  Key key({1, 2}, asked.wire(), RRType::a);
  const std::uint64_t own = key.hash();
  std::set<std::uint64_t> hashes{own};
  for (const auto* text : {"0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/9", "11.0.0.0/8", "2001:db8::/32",
                           "2001:db8::/128", "2001:db8::1/128"}) {
    CAPTURE(text);
    key.narrow({1, 2}, 4, SubnetField(Network::from_text(text).value()));
    CHECK(hashes.insert(key.hash()).second);
    CHECK(key.hash() >> 60 == own >> 60);
  }
  key.widen();
  CHECK(key.hash() == own);
  CHECK(key.subnet().empty());
}

}  // namespace
}  // namespace siskin::cache::test
