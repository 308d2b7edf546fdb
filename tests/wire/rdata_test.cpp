#include "siskin/wire/rdata.hpp"

#include "support/catch.hpp"
#include "wire/rdata_samples.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

bool is_opaque(RRType type) {
  return type == RRType::null || static_cast<std::uint16_t>(type) == 65280;
}

}  // namespace

TEST_CASE("wire/rdata: good RDATA of every known type is well-formed", "[wire]") {
  for (const auto& sample : kRdataSamples) {
    CAPTURE(to_string(sample.type), sample.rdata);
    CHECK(is_well_formed(sample.type, from_hex(sample.rdata)));
  }
}

TEST_CASE("wire/rdata: nothing known is well-formed when empty", "[wire]") {
  for (const auto& sample : kRdataSamples) {
    CAPTURE(to_string(sample.type));
    CHECK(is_well_formed(sample.type, {}) == is_opaque(sample.type));
  }
}

TEST_CASE("wire/rdata: sizes and lengths that lie are found, fault A73", "[wire]") {
  struct Row {
    RRType type;
    std::string_view rdata;
  };
  for (const Row& row : {
           Row{RRType::a, "c00002"},
           Row{RRType::a, "c000020100"},
           Row{RRType::aaaa, "c0000201"},
           Row{RRType::aaaa, "20010db800000000000000000000000100"},
           Row{RRType::mx, "00"},
           Row{RRType::mx, "000a"},
           Row{RRType::mx, "000a 02'm'00"},
           Row{RRType::cname, "02'a'00"},
           Row{RRType::cname, "01'a'00 00"},
           Row{RRType::cname, "01'a'"},
           Row{RRType::cname, "c00c"},
           Row{RRType::ns, "01'a'c00c"},
           Row{RRType::dname, "41'a'00"},
           Row{RRType::soa, "00 00 00000001 00000002 00000003 00000004"},
           Row{RRType::soa, "00 00 00000001 00000002 00000003 00000004 000000"},
           Row{RRType::soa, "00 00 00000001 00000002 00000003 00000004 00000005 06"},
           Row{RRType::txt, "05'hell'"},
           Row{RRType::txt, "05'hello'01"},
           Row{RRType::hinfo, "03'cpu'"},
           Row{RRType::hinfo, "01'a'01'b'01'c'"},
           Row{RRType::srv, "0001 0002 1f90"},
           Row{RRType::naptr, "0064 000a 01'u' 07'E2U+sip' 01'!'"},
           Row{RRType::naptr, "0064 000a 01'u' 07'E2U+sip' ff'!' 00"},
           Row{RRType::caa, "00 00 'x'"},
           Row{RRType::caa, "00 ff 'issue'"},
           Row{RRType::caa, "00 05'is-ue''x'"},
           Row{RRType::ds, "4f66 08 02"},
           Row{RRType::ds, "4f66 08"},
           Row{RRType::dnskey, "0101 03 08"},
           Row{RRType::tlsa, "03 01 01"},
           Row{RRType::sshfp, "01 01"},
           Row{RRType::zonemd, "00000001 01 01"},
           Row{RRType::rrsig, "0001 08 02 0000012c 65000000 64000000 1234 07'exam'"},
           Row{RRType::rrsig, "0001 08 02 0000012c 65000000 64000000 1234 00"},
           Row{RRType::rrsig, "0001 08 02 0000012c 65000000 64000000"},
           Row{RRType::nsec3, "01 00 0000 04 aabbcc"},
           Row{RRType::nsec3, "01 00 0000 00 00 00 01 40"},
           Row{RRType::nsec3, "01 00 0000 00 14 0123"},
           Row{RRType::nsec3param, "01 00 0000 04 aabbccdd 00"},
           Row{RRType::nsec3param, "01 00 0000 05 aabbccdd"},
       }) {
    CAPTURE(to_string(row.type), row.rdata);
    CHECK_FALSE(is_well_formed(row.type, from_hex(row.rdata)));
  }
}

TEST_CASE("wire/rdata: type bitmaps have rising windows of 1 to 32 octets, fault A73", "[wire]") {
  const auto is_bitmap = [](const Octets& bitmap) {
    return is_well_formed(RRType::nsec, from_hex("00") + bitmap);
  };
  CHECK(is_bitmap(from_hex("00 01 40")));
  CHECK(is_bitmap(from_hex("00 01 40 02 01 01 ff 01 80")));
  CHECK(is_bitmap(from_hex("ff 20") + Octets(32, 0xff)));
  CHECK_FALSE(is_bitmap({}));
  CHECK_FALSE(is_bitmap(from_hex("00")));
  CHECK_FALSE(is_bitmap(from_hex("00 00")));
  CHECK_FALSE(is_bitmap(from_hex("00 02 40")));
  CHECK_FALSE(is_bitmap(from_hex("00 21") + Octets(33, 0xff)));
  CHECK_FALSE(is_bitmap(from_hex("01 01 40 00 01 40")));
  CHECK_FALSE(is_bitmap(from_hex("00 01 40 00 01 40")));
  CHECK_FALSE(is_bitmap(from_hex("00 01 40 01")));
}

TEST_CASE("wire/rdata: service parameters rise and fit their formats, fault A73", "[wire]") {
  const auto is_service = [](std::string_view parameters) {
    return is_well_formed(RRType::https, from_hex("0001 00") + from_hex(parameters));
  };
  for (const auto* good : {
           "",
           "0000 0002 0003 0003 0002 01bb",
           "0001 0003 02'h2'",
           "0002 0000",
           "0004 0008 c0000201 c0000202",
           "0005 0000",
           "0007 0010 '/dns-query{?dns}'",
           "ffff 0000",
       }) {
    CAPTURE(good);
    CHECK(is_service(good));
  }
  for (const auto* bad : {
           "0001",
           "0001 0003",
           "0001 0004 02'h2'",
           "0003 0002 01bb 0001 0003 02'h2'",
           "fde9 0000 fde9 0000",
           "0000 0000",
           "0000 0001 00",
           "0000 0003 000300",
           "0001 0000",
           "0001 0001 00",
           "0001 0003 03'h2'",
           "0001 0004 02'h2'00",
           "0002 0001 00",
           "0003 0001 bb",
           "0003 0003 0001bb",
           "0004 0000",
           "0004 0005 c000020100",
           "0006 0004 c0000201",
           "ffff 0001",
       }) {
    CAPTURE(bad);
    CHECK_FALSE(is_service(bad));
  }
  CHECK_FALSE(is_well_formed(RRType::svcb, from_hex("0001")));
  CHECK_FALSE(is_well_formed(RRType::svcb, from_hex("0001 c00c")));
}

TEST_CASE("wire/rdata: every cut of good RDATA is judged without reading past it", "[wire]") {
  for (const auto& sample : kRdataSamples) {
    const Octets whole = from_hex(sample.rdata);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const bool well_formed = is_well_formed(sample.type, cut);
      if (is_opaque(sample.type)) CHECK(well_formed);
      if (sample.type == RRType::a || sample.type == RRType::soa) CHECK_FALSE(well_formed);
    }
  }
}

TEST_CASE("wire/rdata: only types of RFC 1035 have names to compress", "[wire]") {
  const auto layout = [](RRType type) {
    const auto found = compressible_layout(type);
    return std::pair<int, int>(found.fixed_before, found.names);
  };
  using Pair = std::pair<int, int>;
  for (const auto type : {RRType::ns, RRType::cname, RRType::ptr, RRType::mb, RRType::md,
                          RRType::mf, RRType::mg, RRType::mr}) {
    CHECK(layout(type) == Pair(0, 1));
  }
  CHECK(layout(RRType::soa) == Pair(0, 2));
  CHECK(layout(RRType::minfo) == Pair(0, 2));
  CHECK(layout(RRType::mx) == Pair(2, 1));
  std::size_t others = 0;
  for (unsigned number = 0; number <= 0xffff; ++number) {
    if (layout(static_cast<RRType>(number)) == Pair(0, 0)) ++others;
  }
  CHECK(others == 65536 - 11);
}

TEST_CASE("wire/rdata: targets, addresses and numbers are taken out", "[wire]") {
  CHECK(target_of(from_hex("02'ns'07'Example'00"))->to_text() == "ns.Example.");
  CHECK_FALSE(target_of(from_hex("02'ns'00 00")));
  CHECK_FALSE(target_of(from_hex("c00c")));
  CHECK_FALSE(target_of({}));

  CHECK(address_of(RRType::a, from_hex("c0000201"))->to_text() == "192.0.2.1");
  CHECK(address_of(RRType::aaaa, from_hex("20010db8000000000000000000000001"))->to_text() ==
        "2001:db8::1");
  CHECK_FALSE(address_of(RRType::a, from_hex("c00002")));
  CHECK_FALSE(address_of(RRType::aaaa, from_hex("c0000201")));
  CHECK_FALSE(address_of(RRType::a, from_hex("20010db8000000000000000000000001")));
  CHECK_FALSE(address_of(RRType::txt, from_hex("c0000201")));

  CHECK(soa_minimum(from_hex("00 00 00000001 00000002 00000003 00000004 80000005")) == 0x80000005U);
  CHECK_FALSE(soa_minimum(from_hex("00 00 00000001 00000002 00000003 00000004")));
  CHECK(covered_type(from_hex("001c 08 02 0000012c 65000000 64000000 1234 00 de")) == RRType::aaaa);
  CHECK_FALSE(covered_type(from_hex("001c")));
}

}  // namespace siskin::wire::test
