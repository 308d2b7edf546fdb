#include "cache/owner.hpp"

#include <random>

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

Octets stored_form(const wire::Name& owner, const wire::Name& key) {
  const OwnerCut cut = cut_owner(owner.wire(), key.wire());
  const wire::Bytes own = owner.wire().first(cut.own);
  Octets stored(own.begin(), own.end());
  if (cut.offset) {
    stored.push_back(kOwnerPointer);
    stored.push_back(*cut.offset);
  }
  return stored;
}

TEST_CASE("cache/owner: what an owner shares with the key is stored as a pointer", "[cache]") {
  struct Row {
    std::string owner;
    std::string key;
    std::size_t stored;  ///< octets
  };
  const std::vector<Row> table{
      {"example.", "www.example.", 2},
      {"EXAMPLE.", "www.example.", 2},
      {"ns1.example.", "www.example.", 4 + 2},
      {"ns1.sub.example.", "sub.example.", 4 + 2},
      {"com.", "example.com.", 2},
      {".", "example.com.", 1},
      {"example.net.", "example.com.", 13},
      {"a.b.c.", "x.b.d.", 7},
      // Equal octets at the end that are no labels of the other name.
      {"com.", "x\\003com.", 5},
      {"x\\003com.", "com.", 7},
      {"ab.com.", "b.com.", 3 + 2},
  };
  for (const Row& row : table) {
    INFO(row.owner << " under " << row.key);
    const wire::Name owner = name(row.owner);
    const wire::Name key = name(row.key);
    const Octets stored = stored_form(owner, key);
    CHECK(stored.size() == row.stored);
    CHECK(stored_owner_size(stored.data()) == stored.size());
    CHECK(checked_owner_size(stored, key.wire()) == stored.size());
    std::array<std::uint8_t, wire::kNameSizeMax> buffer;
    CHECK(wire::equal_names(expand_owner(stored, key.wire(), buffer), owner.wire()));
  }
}

TEST_CASE("cache/owner: random names come back, and cut ones are refused", "[cache]") {
  std::mt19937 random(7);
  const auto random_name = [&random](const wire::Name& end) {
    wire::Name made = end;
    for (unsigned labels = random() % 5; labels > 0; --labels) {
      Octets label(1 + random() % 3);
      for (auto& octet : label) octet = static_cast<std::uint8_t>(random() % 4);
      if (const auto longer = made.with_label(label)) made = *longer;
    }
    return made;
  };
  for (int i = 0; i < 20'000; ++i) {
    const wire::Name key = random_name(wire::Name());
    const wire::Name owner = random_name(random() % 2 == 0 ? wire::Name() : key);
    const Octets stored = stored_form(owner, key);
    std::array<std::uint8_t, wire::kNameSizeMax> buffer;
    REQUIRE(wire::equal_names(expand_owner(stored, key.wire(), buffer), owner.wire()));
    REQUIRE(checked_owner_size(stored, key.wire()) == stored.size());
    for (std::size_t size = 0; size < stored.size(); ++size) {
      REQUIRE_FALSE(checked_owner_size(wire::Bytes(stored).first(size), key.wire()));
    }
  }
}

TEST_CASE("cache/owner: pointers to no label and names grown too long are refused", "[cache]") {
  const wire::Name key = name("www.example.");
  for (unsigned offset = 0; offset < 256; ++offset) {
    const Octets stored{1, 'x', kOwnerPointer, static_cast<std::uint8_t>(offset)};
    const bool is_label = offset == 0 || offset == 4 || offset == 12;
    CHECK(checked_owner_size(stored, key.wire()).has_value() == is_label);
  }
  Octets longest;
  for (int i = 0; i < 4; ++i) {
    longest.push_back(62);
    longest.insert(longest.end(), 62, 'x');
  }
  longest.push_back(kOwnerPointer);
  longest.push_back(0);
  CHECK_FALSE(checked_owner_size(longest, key.wire()));
  CHECK(checked_owner_size(longest, name("a.").wire()));
}

}  // namespace
}  // namespace siskin::cache::test
