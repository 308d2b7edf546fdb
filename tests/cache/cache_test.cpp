#include "siskin/cache/cache.hpp"

#include "cache/values.hpp"
#include "support/catch.hpp"

namespace siskin::cache::test {
namespace {

using wire::RRType;

Cache::Options small() {
  Cache::Options options;
  options.bytes_max = 1U << 20;
  options.shards = 2;
  options.hash_key = {1, 2};
  return options;
}

Value one_address(std::string_view owner, std::uint32_t ttl, std::uint8_t last = 1) {
  return positive(ttl, set_of(owner, RRType::a, {address(last)}));
}

TEST_CASE("cache/cache: what is stored comes back until its last second is over", "[cache]") {
  Cache cache(small());
  const Value value = positive(300, set_of("www.example.", RRType::a, {address(1), address(2)}));
  REQUIRE(cache.store(name("www.example."), RRType::a, value, at(1000)));

  for (const std::uint32_t passed : {0U, 1U, 150U, 299U}) {
    const auto found = cache.find(name("www.example."), RRType::a, at(1000 + passed));
    REQUIRE(found);
    CHECK(equal(*found, with_ttl(value, 300 - passed)));
  }
  CHECK_FALSE(cache.find(name("www.example."), RRType::a, at(1300)));
  CHECK_FALSE(cache.find(name("www.example."), RRType::aaaa, at(1000)));
  CHECK_FALSE(cache.find(name("ww.example."), RRType::a, at(1000)));
  CHECK_FALSE(cache.find(name("www.example.com."), RRType::a, at(1000)));
}

TEST_CASE("cache/cache: seconds are whole seconds of the monotonic line", "[cache]") {
  Cache cache(small());
  REQUIRE(cache.store(name("a."), RRType::a, one_address("a.", 2),
                      at(10) + std::chrono::milliseconds(900)));
  CHECK(cache.find(name("a."), RRType::a, at(10) + std::chrono::milliseconds(999))->ttl == 2);
  CHECK(cache.find(name("a."), RRType::a, at(11))->ttl == 1);
  CHECK(cache.find(name("a."), RRType::a, at(11) + std::chrono::milliseconds(999))->ttl == 1);
  CHECK_FALSE(cache.find(name("a."), RRType::a, at(12)));
}

TEST_CASE("cache/cache: the TTL of the value overrides those of its sets", "[cache]") {
  Cache cache(small());
  Value value = one_address("a.", 60);
  value.answer.front().ttl = 7;
  REQUIRE(cache.store(name("a."), RRType::a, value, at(0)));
  CHECK(cache.find(name("a."), RRType::a, at(1))->answer.front().ttl == 59);
}

TEST_CASE("cache/cache: letter case of names does not matter", "[cache]") {
  Cache cache(small());
  REQUIRE(cache.store(name("WwW.eXample."), RRType::a, one_address("www.Example.", 60), at(0)));
  const auto found = cache.find(name("www.EXAMPLE."), RRType::a, at(0));
  REQUIRE(found);
  CHECK(found->answer.front().owner.to_text() == "www.EXAMPLE.");
  CHECK(cache.store(name("www.example."), RRType::a, one_address("www.example.", 60), at(0)));
  CHECK(cache.usage().entries == 1);
  CHECK(cache.remove(name("WWW.EXAMPLE."), RRType::a));
  CHECK(cache.usage().entries == 0);
}

TEST_CASE("cache/cache: names are bytes, not text", "[cache]") {
  Cache cache(small());
  // One label "a.b", and a label that holds what looks like the end of another name.
  const auto dotted = name("a\\.b.example.");
  const auto nested = name("x\\003com.example.");
  REQUIRE(cache.store(dotted, RRType::a, positive(60, {dotted, RRType::a, 0, {}, {}}), at(0)));
  CHECK_FALSE(cache.find(name("a.b.example."), RRType::a, at(0)));
  REQUIRE(cache.store(nested, RRType::soa, positive(60, set_of("com.example.", RRType::ns, {})),
                      at(0)));
  CHECK(cache.find(nested, RRType::soa, at(0))->answer.front().owner == name("com.example."));
  CHECK_FALSE(cache.find(name("x.com.example."), RRType::soa, at(0)));
}

TEST_CASE("cache/cache: the root and the longest name are keys like others", "[cache]") {
  Cache cache(small());
  std::string longest;
  for (int i = 0; i < 3; ++i) longest += std::string(63, 'l') + ".";
  longest += std::string(61, 'l') + ".";
  REQUIRE(name(longest).size() == wire::kNameSizeMax);
  for (const std::string_view owner : {std::string_view("."), std::string_view(longest)}) {
    REQUIRE(cache.store(name(owner), RRType::ns,
                        positive(60, set_of(owner, RRType::ns, {rdata({}, longest)})), at(0)));
    CHECK(cache.find(name(owner), RRType::ns, at(0))->answer.front().owner == name(owner));
  }
  cache.recount();
}

TEST_CASE("cache/cache: TTLs are kept within the bounds of their kind", "[cache]") {
  struct Row {
    Kind kind;
    std::uint32_t ttl;
    std::uint32_t kept;
  };
  Cache::Options options = small();
  options.min_ttl = 10;
  options.max_ttl = 1000;
  options.max_negative_ttl = 100;
  const Cache cache(options);
  const std::vector<Row> table{
      {Kind::positive, 0, 10},
      {Kind::positive, 10, 10},
      {Kind::positive, 11, 11},
      {Kind::positive, 1001, 1000},
      {Kind::positive, 0xffffffff, 1000},
      {Kind::delegation, 5, 10},
      {Kind::delegation, 5000, 1000},
      {Kind::nodata, 5, 5},
      {Kind::nodata, 100, 100},
      {Kind::nodata, 101, 100},
      {Kind::nxdomain, 0, 0},
      {Kind::nxdomain, 9999, 100},
      {Kind::failure, 1, 1},
      {Kind::failure, 300, 300},
      {Kind::failure, 301, 300},
  };
  for (const Row& row : table) CHECK(cache.clamp_ttl(row.kind, row.ttl) == row.kept);
}

TEST_CASE("cache/cache: stored TTLs are the clamped ones", "[cache]") {
  Cache::Options options = small();
  options.min_ttl = 10;
  options.max_ttl = 1000;
  Cache cache(options);
  REQUIRE(cache.store(name("low."), RRType::a, one_address("low.", 0), at(0)));
  CHECK(cache.find(name("low."), RRType::a, at(0))->ttl == 10);
  REQUIRE(cache.store(name("high."), RRType::a, one_address("high.", 1'000'000), at(0)));
  CHECK(cache.find(name("high."), RRType::a, at(999))->ttl == 1);
  CHECK_FALSE(cache.find(name("high."), RRType::a, at(1000)));
}

TEST_CASE("cache/cache: TTL 0 is declined and leaves what was there", "[cache]") {
  Cache cache(small());
  REQUIRE(cache.store(name("a."), RRType::a, one_address("a.", 60, 1), at(0)));
  CHECK_FALSE(cache.store(name("a."), RRType::a, one_address("a.", 0, 2), at(0)));
  CHECK(equal(*cache.find(name("a."), RRType::a, at(0)), with_ttl(one_address("a.", 0, 1), 60)));
}

TEST_CASE("cache/cache: a new value replaces the old one whatever their sizes", "[cache]") {
  Cache cache(small());
  std::vector<Octets> records;
  for (int i = 0; i < 200; ++i) {
    records.push_back(address(static_cast<std::uint8_t>(i)));
    const Value value = positive(60, set_of("a.", RRType::a, records));
    REQUIRE(cache.store(name("a."), RRType::a, value, at(i)));
    REQUIRE(equal(*cache.find(name("a."), RRType::a, at(i)), with_ttl(value, 60)));
  }
  REQUIRE(cache.store(name("a."), RRType::a, one_address("a.", 60, 9), at(200)));
  CHECK(cache.find(name("a."), RRType::a, at(200))->answer.front().records.count() == 1);
  CHECK(cache.usage().entries == 1);
  CHECK(cache.recount().bytes == cache.usage().bytes);
}

TEST_CASE("cache/cache: a failure never replaces live data, everything replaces a failure",
          "[cache]") {
  Cache cache(small());
  const Value failed = failure(30, wire::Ede::no_reachable_authority, "ns1.example. is silent");
  REQUIRE(cache.store(name("a."), RRType::a, one_address("a.", 60), at(0)));
  CHECK_FALSE(cache.store(name("a."), RRType::a, failed, at(59)));
  CHECK(cache.find(name("a."), RRType::a, at(59))->kind == Kind::positive);

  CHECK(cache.store(name("a."), RRType::a, failed, at(60)));
  CHECK(equal(*cache.find(name("a."), RRType::a, at(61)), with_ttl(failed, 29)));
  CHECK(cache.store(name("a."), RRType::a, failure(40, wire::Ede::network_error, ""), at(61)));
  CHECK(cache.find(name("a."), RRType::a, at(61))->error->code == wire::Ede::network_error);
  CHECK(cache.store(name("a."), RRType::a, one_address("a.", 60), at(62)));
  CHECK(cache.find(name("a."), RRType::a, at(62))->kind == Kind::positive);
}

TEST_CASE("cache/cache: every kind comes back as it went in", "[cache]") {
  Cache cache(small());
  const Octets signature =
      rdata({0, 1, 8, 2, 0, 0, 0, 60, 0, 0, 0, 2, 0, 0, 0, 1, 0, 5}, "example.");
  Octets signed_by = signature;
  signed_by.push_back(0xaa);

  Value alias;
  alias.answer = {set_of("old.example.", RRType::dname, {rdata({}, "new.example.")}, {signed_by}),
                  set_of("www.old.example.", RRType::cname, {rdata({}, "www.new.example.")})};
  Value denial;
  denial.kind = Kind::nodata;
  denial.authority = {
      set_of("example.", RRType::soa, {soa("ns.example.", "h.example.")}, {signed_by}),
      set_of("www.old.example.", RRType::nsec, {rdata({}, "z.example.")}, {})};
  denial.authority[1].records = {};
  Octets bitmap = rdata({}, "z.example.");
  bitmap.insert(bitmap.end(), {0, 1, 0x40});
  denial.authority[1].records.add(bitmap);
  Value cut;
  cut.kind = Kind::delegation;
  cut.authority = {
      set_of("old.example.", RRType::ns, {rdata({}, "ns1.old.example."), rdata({}, "ns.")}),
      set_of("old.example.", RRType::ds, {{1, 2, 8, 2, 5, 5}}, {signed_by})};
  cut.additional = {set_of("ns1.old.example.", RRType::a, {address(1)}),
                    set_of("ns.", RRType::a, {address(2), address(3)})};
  Value nothing;
  nothing.kind = Kind::nxdomain;

  const auto key = name("www.old.example.");
  for (Value* value : {&alias, &denial, &cut, &nothing}) {
    value->ttl = 77;
    REQUIRE(cache.store(key, RRType::cname, *value, at(5)));
    CHECK(equal(*cache.find(key, RRType::cname, at(6)), with_ttl(*value, 76)));
    cache.recount();
  }
}

TEST_CASE("cache/cache: slots for a name and for a delegation are keys of their own", "[cache]") {
  Cache cache(small());
  Value no_name;
  no_name.kind = Kind::nxdomain;
  no_name.ttl = 60;
  REQUIRE(cache.store(name("a."), kNameSlot, no_name, at(0)));
  REQUIRE(cache.store(name("a."), kDelegationSlot, one_address("a.", 60), at(0)));
  CHECK_FALSE(cache.find(name("a."), RRType::a, at(0)));
  CHECK(cache.find(name("a."), kNameSlot, at(0))->kind == Kind::nxdomain);
  CHECK(cache.find(name("a."), kDelegationSlot, at(0))->kind == Kind::positive);
}

TEST_CASE("cache/cache: what has no place in an entry is declined", "[cache]") {
  Cache::Options options = small();
  options.shards = 1;
  Cache cache(options);
  const auto key = name("big.example.");

  // 8 of header, 13 of name, 1 lead, 1 count of records, 2 for each length: 65535 in all.
  const auto opaque = RRType{65280};
  const std::size_t fixed = 8 + key.size() + 2 * 2;
  const std::size_t most = 65535 - fixed;
  Value fits =
      positive(60, set_of("big.example.", opaque, {Octets(40'000), Octets(most - 40'000)}));
  CHECK(cache.store(key, opaque, fits, at(0)));
  CHECK(equal(*cache.find(key, opaque, at(0)), with_ttl(fits, 60)));
  Value too_big =
      positive(60, set_of("big.example.", opaque, {Octets(40'000), Octets(most - 39'999)}));
  CHECK_FALSE(cache.store(key, opaque, too_big, at(0)));

  Value many_sets;
  many_sets.ttl = 60;
  many_sets.authority.resize(256);
  CHECK_FALSE(cache.store(key, RRType::a, many_sets, at(0)));
  many_sets.authority.resize(255);
  CHECK(cache.store(key, RRType::a, many_sets, at(0)));

  CHECK_FALSE(cache.store(key, RRType::a,
                          positive(60, set_of("big.example.", RRType::a, {{1, 2, 3}})), at(0)));
  CHECK_FALSE(cache.store(
      key, RRType::mx, positive(60, set_of("big.example.", RRType::mx, {{0, 1, 3, 'a'}})), at(0)));
  cache.recount();
}

TEST_CASE("cache/cache: a shard too small for an entry declines it and keeps the rest", "[cache]") {
  Cache::Options options = small();
  options.shards = 1;
  options.bytes_max = 20'000;
  Cache cache(options);
  const auto opaque = RRType{65280};
  REQUIRE(cache.store(name("small."), RRType::a, one_address("small.", 60), at(0)));
  CHECK_FALSE(cache.store(name("big."), opaque,
                          positive(60, set_of("big.", opaque, {Octets(19'900)})), at(0)));
  CHECK(cache.find(name("small."), RRType::a, at(0)));
  CHECK(cache.usage().evictions == 0);
  CHECK(cache.store(name("big."), opaque, positive(60, set_of("big.", opaque, {Octets(15'000)})),
                    at(0)));

  Cache::Options none = small();
  none.bytes_max = 0;
  Cache empty(none);
  CHECK_FALSE(empty.store(name("small."), RRType::a, one_address("small.", 60), at(0)));
  CHECK(empty.usage().entries == 0);
}

TEST_CASE("cache/cache: remove and clear forget", "[cache]") {
  Cache cache(small());
  const std::size_t before = cache.usage().bytes;
  for (int i = 0; i < 100; ++i) {
    const std::string host = "h" + std::to_string(i) + ".";
    REQUIRE(cache.store(name(host), RRType::a, one_address(host, 60), at(0)));
  }
  CHECK(cache.remove(name("h7."), RRType::a));
  CHECK_FALSE(cache.remove(name("h7."), RRType::a));
  CHECK_FALSE(cache.remove(name("h8."), RRType::aaaa));
  CHECK_FALSE(cache.find(name("h7."), RRType::a, at(0)));
  CHECK(cache.find(name("h8."), RRType::a, at(0)));
  CHECK(cache.usage().entries == 99);
  cache.clear();
  CHECK_FALSE(cache.find(name("h8."), RRType::a, at(0)));
  CHECK(cache.usage().entries == 0);
  CHECK(cache.usage().bytes == before);
  CHECK(cache.store(name("h8."), RRType::a, one_address("h8.", 60), at(0)));
}

TEST_CASE("cache/cache: the end of the seconds' range is the end of the TTL", "[cache]") {
  Cache cache(small());
  const std::int64_t last = 0xffffffff;
  REQUIRE(cache.store(name("a."), RRType::a, one_address("a.", 60), at(last - 10)));
  CHECK(cache.find(name("a."), RRType::a, at(last - 10))->ttl == 10);
}

}  // namespace
}  // namespace siskin::cache::test
