#include "cache/entry.hpp"

#include <random>

#include "cache/values.hpp"
#include "siskin/wire/rdata.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

struct Built {
  Built(std::string_view owner, RRType type, const Value& value)
      : key_name(name(owner)),
        key({1, 2}, key_name.wire(), type),
        memory(build_entry(key, value, 500)) {}

  wire::Bytes all() const { return {memory.get(), charge_of(memory.get())}; }
  std::size_t size() const { return checked_size(all()).value(); }

  wire::Name key_name;
  Key key;
  Memory memory;
};

TEST_CASE("cache/entry: an entry holds exactly the octets of its picture", "[cache]") {
  const Value one = positive(60, set_of("WWW.example.", RRType::a, {address(1), address(2)}));
  CHECK(Built("www.EXAMPLE.", RRType::a, one).size() == 8 + 13 + 2 * (2 + 4));

  Value is_signed = one;
  is_signed.answer[0].signatures.add(Octets(90));
  CHECK(Built("www.example.", RRType::a, is_signed).size() == 8 + 13 + 3 + 2 * (2 + 4) + (2 + 90));

  Value denial;
  denial.kind = Kind::nxdomain;
  denial.authority = {set_of("example.", RRType::soa, {soa("ns.example.", "h.example.")})};
  // Lead, type, owner as a pointer, count, and one record: two names and twenty octets.
  CHECK(Built("www.example.", kNameSlot, denial).size() ==
        8 + 13 + 1 + 2 + 2 + 1 + (2 + 12 + 11 + 20));

  CHECK(Built("www.example.", RRType::a, failure(5, wire::Ede::other, "why")).size() ==
        8 + 13 + 2 + 2 + 3);

  Value cut;
  cut.kind = Kind::delegation;
  cut.authority = {set_of("example.", RRType::ns, {rdata({}, "ns.example.")})};
  cut.additional = {set_of("ns.example.", RRType::a, {address(1)})};
  CHECK(Built("example.", kDelegationSlot, cut).size() ==
        8 + 9 + (1 + 2 + 1 + 2 + 12) + (1 + 2 + (3 + 2) + 1 + 2 + 4));
}

TEST_CASE("cache/entry: its header says expiry, type, kind and count", "[cache]") {
  const Built built("www.example.", RRType::aaaa,
                    positive(60, set_of("www.example.", RRType::aaaa, {Octets(16)})));
  const Entry entry(built.memory.get());
  CHECK(entry.expiry() == 500);
  CHECK(entry.is_alive(499));
  CHECK_FALSE(entry.is_alive(500));
  CHECK(entry.type() == RRType::aaaa);
  CHECK(entry.kind() == Kind::positive);
  CHECK(entry.is_plain());
  CHECK_FALSE(entry.has_error());
  CHECK(entry.count() == 1);
  CHECK(entry.has_key(built.key));
  const auto has = [&entry](std::string_view text, RRType type) {
    const wire::Name other = name(text);
    return entry.has_key(Key({1, 2}, other.wire(), type));
  };
  CHECK(has("wWw.eXample.", RRType::aaaa));
  CHECK_FALSE(has("www.example.", RRType::a));
  CHECK_FALSE(has("www.examplf.", RRType::aaaa));
  CHECK_FALSE(has("www.example.com.", RRType::aaaa));
  CHECK_FALSE(has("www.", RRType::aaaa));
}

TEST_CASE("cache/entry: counts of records from none to thousands survive", "[cache]") {
  for (const std::size_t count : {0U, 1U, 127U, 128U, 255U, 256U, 1000U, 32'000U}) {
    const auto opaque = RRType{65280};
    Value value = positive(60, set_of("a.", opaque, {}));
    for (std::size_t i = 0; i < count; ++i) value.answer[0].records.add({});
    const Built built("a.", opaque, value);
    CHECK(built.size() > 2 * count);
    CHECK(equal(take_apart(Entry(built.memory.get()), name("a."), 60), with_ttl(value, 60)));
  }
}

Value rich_value() {
  Value value;
  value.kind = Kind::nodata;
  value.error = wire::ExtendedError{wire::Ede::other, "text"};
  value.answer = {set_of("www.example.", RRType::txt, {{3, 'a', 'b', 'c'}, {0}}, {Octets(20)})};
  value.authority = {set_of("example.", RRType::ns, {rdata({}, "ns.example.")}),
                     set_of("x.other.", RRType::txt, {{0}})};
  value.additional = {set_of("ns.example.", RRType::a, {address(1)})};
  return value;
}

TEST_CASE("cache/entry: a cut entry never passes the checker", "[cache]") {
  const Built built("www.example.", RRType::txt, rich_value());
  const std::size_t size = built.size();
  for (std::size_t cut = 0; cut < size; ++cut) {
    const Octets copy(built.memory.get(), built.memory.get() + cut);
    CHECK_FALSE(checked_size(copy));
  }
  const Octets whole(built.memory.get(), built.memory.get() + size);
  CHECK(checked_size(whole) == size);
}

TEST_CASE("cache/entry: whatever passes the checker can be read", "[cache]") {
  const Built built("www.example.", RRType::txt, rich_value());
  const Octets good(built.memory.get(), built.memory.get() + built.size());
  std::mt19937 random(11);
  std::size_t passed = 0;
  for (int i = 0; i < 50'000; ++i) {
    Octets bad = good;
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips) {
      bad[random() % bad.size()] = static_cast<std::uint8_t>(random());
    }
    const auto size = checked_size(bad);
    if (!size) continue;
    ++passed;
    const Octets exact(bad.begin(), bad.begin() + static_cast<std::ptrdiff_t>(*size));
    const Entry entry(exact.data());
    const auto key = wire::Name::from_wire(
        wire::Bytes(exact).subspan(8, wire::name_size(wire::Bytes(exact).subspan(8))));
    CHECK(take_apart(entry, key.value(), 1).kind == entry.kind());
  }
  CHECK(passed > 100);
}

}  // namespace
}  // namespace siskin::cache::test
