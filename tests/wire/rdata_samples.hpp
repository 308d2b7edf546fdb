/// One or more well-formed RDATA of every type whose inside is known here.
#pragma once

#include <array>
#include <string_view>

#include "siskin/wire/types.hpp"

namespace siskin::wire::test {

struct RdataSample {
  RRType type;
  std::string_view rdata;  ///< for from_hex()
};

inline constexpr std::array kRdataSamples{
    RdataSample{RRType::a, "c0000201"},
    RdataSample{RRType::ns, "02'ns'07'example'00"},
    RdataSample{RRType::ns, "00"},
    RdataSample{RRType::md, "01'a'00"},
    RdataSample{RRType::mf, "01'a'00"},
    RdataSample{RRType::cname, "01'A'07'example'00"},
    RdataSample{RRType::soa, "02'ns'00 01'h'00 00000001 00000e10 00000384 00093a80 00000e10"},
    RdataSample{RRType::mb, "01'a'00"},
    RdataSample{RRType::mg, "01'a'00"},
    RdataSample{RRType::mr, "01'a'00"},
    RdataSample{RRType::null, ""},
    RdataSample{RRType::null, "0102"},
    RdataSample{RRType::wks, "c0000201 06 40"},
    RdataSample{RRType::ptr, "04'host'00"},
    RdataSample{RRType::hinfo, "03'cpu' 02'os'"},
    RdataSample{RRType::hinfo, "00 00"},
    RdataSample{RRType::minfo, "01'a'00 01'b'00"},
    RdataSample{RRType::mx, "000a 02'mx'00"},
    RdataSample{RRType::txt, "05'hello'"},
    RdataSample{RRType::txt, "05'hello' 00 05'world'"},
    RdataSample{RRType::rp, "01'a'00 01'b'00"},
    RdataSample{RRType::afsdb, "0001 01'a'00"},
    RdataSample{RRType::sig, "0000 08 00 00000000 65000000 64000000 1234 01'a'00 deadbeefdeadbeef"},
    RdataSample{RRType::key, "0100 03 08 0301000112345678"},
    RdataSample{RRType::px, "000a 01'a'00 01'b'00"},
    RdataSample{RRType::aaaa, "20010db8000000000000000000000001"},
    RdataSample{RRType::srv, "0001 0002 1f90 04'host'00"},
    RdataSample{RRType::naptr, "0064 000a 01'u' 07'E2U+sip' 01'!' 00"},
    RdataSample{RRType::kx, "000a 01'a'00"},
    RdataSample{RRType::dname, "07'example'00"},
    RdataSample{RRType::ds,
                "4f66 08 02 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
    RdataSample{RRType::sshfp, "01 01 0123456789abcdef0123456789abcdef01234567"},
    RdataSample{RRType::rrsig,
                "0001 08 02 0000012c 65000000 64000000 1234 07'example'00 deadbeefdeadbeef"},
    RdataSample{RRType::nsec, "01'b'00 00 06 400000000003"},
    RdataSample{RRType::nsec, "01'b'00 00 01 40 01 01 40"},
    RdataSample{RRType::dnskey, "0101 03 08 0301000112345678"},
    RdataSample{RRType::nsec3,
                "01 00 0000 04 aabbccdd 14 0123456789abcdef0123456789abcdef01234567 00 01 40"},
    RdataSample{RRType::nsec3, "01 01 0000 00 14 0123456789abcdef0123456789abcdef01234567"},
    RdataSample{RRType::nsec3param, "01 00 0000 04 aabbccdd"},
    RdataSample{RRType::nsec3param, "01 00 0000 00"},
    RdataSample{RRType::tlsa, "03 01 01 0123456789abcdef"},
    RdataSample{RRType::cds, "0000 00 00 00"},
    RdataSample{RRType::cdnskey, "0000 03 00 00"},
    RdataSample{RRType::zonemd, "00000001 01 01 0123456789abcdef01234567"},
    RdataSample{RRType::svcb, "0000 03'svc'00"},
    RdataSample{RRType::https, "0001 00 0001 0003 02'h2' 0003 0002 01bb 0004 0004 c0000201"},
    RdataSample{RRType::https, "0001 00 0000 0002 0001 0001 0006 02'h2'02'h3' 0002 0000"},
    RdataSample{RRType::svcb, "0001 00 0006 0010 20010db8000000000000000000000001 fde9 0001 00"},
    RdataSample{RRType::caa, "00 05'issue''ca.example'"},
    RdataSample{RRType::caa, "80 03'tbs'"},
    RdataSample{static_cast<RRType>(65280), "0102030405"},
};

}  // namespace siskin::wire::test
