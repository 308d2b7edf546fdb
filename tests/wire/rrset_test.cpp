#include "siskin/wire/rrset.hpp"

#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {

TEST_CASE("wire/rrset: records lie back to back behind their lengths", "[wire]") {
  RecordList list;
  CHECK(list.empty());
  CHECK(list.begin() == list.end());
  list.add(from_hex("0102"));
  list.add({});
  list.add(Octets(300, 0xaa));
  CHECK(list.count() == 3);
  CHECK(list.bytes().size() == 2 + 2 + 2 + 2 + 300);
  CHECK(to_hex(list.bytes().first(8)) == "000201020000012c");

  std::vector<std::size_t> sizes;
  for (const Bytes rdata : list) sizes.push_back(rdata.size());
  CHECK(sizes == std::vector<std::size_t>{2, 0, 300});
  CHECK(std::next(list.begin(), 3) == list.end());
}

TEST_CASE("wire/rrset: RDATA may have 65535 octets", "[wire]") {
  RecordList list;
  list.add(Octets(65535, 1));
  list.add(from_hex("02"));
  CHECK((*list.begin()).size() == 65535);
  CHECK(to_hex(*std::next(list.begin())) == "02");
}

TEST_CASE("wire/rrset: equal records are added once", "[wire]") {
  RecordList list = records({"01", "0102"});
  list.add_unique(from_hex("01"));
  list.add_unique(from_hex("02"));
  list.add_unique(from_hex("02"));
  CHECK(list == records({"01", "0102", "02"}));
  CHECK(list.contains(from_hex("0102")));
  CHECK_FALSE(list.contains(from_hex("03")));
  CHECK_FALSE(list.contains({}));
  CHECK_FALSE(RecordList().contains({}));
}

TEST_CASE("wire/rrset: sets differ by any part but the owner's letter case", "[wire]") {
  const RRset set{name("a.example"), RRType::a, 60, records({"c0000201"}), {}};
  RRset other = set;
  other.owner = name("A.EXAMPLE");
  CHECK(set == other);
  other.ttl = 61;
  CHECK_FALSE(set == other);
}

}  // namespace siskin::wire::test
