#include "siskin/wire/types.hpp"

#include "support/catch.hpp"

namespace siskin::wire {

TEST_CASE("wire/types: types have the mnemonics of the registry", "[wire]") {
  CHECK(to_string(RRType::a) == "A");
  CHECK(to_string(RRType::aaaa) == "AAAA");
  CHECK(to_string(RRType::null) == "NULL");
  CHECK(to_string(RRType::nsec3param) == "NSEC3PARAM");
  CHECK(to_string(RRType::https) == "HTTPS");
  CHECK(to_string(RRType::any) == "ANY");
  CHECK(to_string(RRType::caa) == "CAA");
  CHECK(to_string(RRType::none) == "TYPE0");
  CHECK(to_string(static_cast<RRType>(65280)) == "TYPE65280");
}

TEST_CASE("wire/types: mnemonics are read in any letter case, and TYPEn too", "[wire]") {
  CHECK(rrtype_from_text("aaaa") == RRType::aaaa);
  CHECK(rrtype_from_text("RrSiG") == RRType::rrsig);
  CHECK(rrtype_from_text("TYPE1") == RRType::a);
  CHECK(rrtype_from_text("type65535") == static_cast<RRType>(65535));
  CHECK(rrtype_from_text("TYPE0") == RRType::none);
  for (const auto* wrong : {"", "AA", "A ", " A", "TYPE", "TYPE65536", "TYPE-1", "TYPE+1", "TYPE1x",
                            "TYP1", "TYPE 1", "AAAAA", "TYPE99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_FALSE(rrtype_from_text(wrong));
  }
}

TEST_CASE("wire/types: every type's text reads back as that type", "[wire]") {
  for (unsigned number = 0; number <= 0xffff; ++number) {
    const auto type = static_cast<RRType>(number);
    if (rrtype_from_text(to_string(type)) != type) FAIL(number);
  }
}

TEST_CASE("wire/types: meta types are those that no zone holds", "[wire]") {
  for (unsigned number = 0; number <= 0xffff; ++number) {
    const bool expected = number == 0 || number == 41 || (number >= 128 && number <= 254);
    if (is_meta(static_cast<RRType>(number)) != expected) FAIL(number);
  }
  CHECK_FALSE(is_meta(RRType::any));
  CHECK(is_meta(RRType::axfr));
}

TEST_CASE("wire/types: response codes have names", "[wire]") {
  CHECK(to_string(Rcode::noerror) == "NOERROR");
  CHECK(to_string(Rcode::nxdomain) == "NXDOMAIN");
  CHECK(to_string(Rcode::badvers) == "BADVERS");
  CHECK(to_string(Rcode::badcookie) == "BADCOOKIE");
  CHECK(to_string(static_cast<Rcode>(17)) == "RCODE17");
  CHECK(to_string(static_cast<Rcode>(4095)) == "RCODE4095");
}

}  // namespace siskin::wire
