#include "siskin/wire/edns.hpp"

#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {

TEST_CASE("wire/edns: options must fill their place exactly", "[wire]") {
  for (const auto* good : {"", "0003 0000", "000a 0002 abcd", "0003 0000 fde9 0001 00"}) {
    CAPTURE(good);
    CHECK(are_options(from_hex(good)));
  }
  for (const auto* bad : {"00", "0003", "0003 00", "0003 0001", "000a 0003 abcd", "0003 0000 00",
                          "0003 0000 000a 0001", "000a ffff 00"}) {
    CAPTURE(bad);
    CHECK_FALSE(are_options(from_hex(bad)));
  }
}

TEST_CASE("wire/edns: the first option of a code is found", "[wire]") {
  const Octets options = from_hex("0003 0000 000a 0002 abcd 000a 0001 ff 000c 0003 000000");
  REQUIRE(find_option(options, EdnsOption::cookie));
  CHECK(to_hex(*find_option(options, EdnsOption::cookie)) == "abcd");
  REQUIRE(find_option(options, EdnsOption::nsid));
  CHECK(find_option(options, EdnsOption::nsid)->empty());
  CHECK(find_option(options, EdnsOption::padding)->size() == 3);
  CHECK_FALSE(find_option(options, EdnsOption::client_subnet));
  CHECK_FALSE(find_option({}, EdnsOption::nsid));
}

TEST_CASE("wire/edns: an option that is cut off is not found", "[wire]") {
  CHECK_FALSE(find_option(from_hex("000a 0003 abcd"), EdnsOption::cookie));
  CHECK_FALSE(find_option(from_hex("0003 0000 000a"), EdnsOption::cookie));
}

}  // namespace siskin::wire::test
