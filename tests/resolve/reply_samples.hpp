/// Good replies of every kind, for mutation and as a corpus; octet 0 is for fuzz::check_message().
#pragma once

#include <array>
#include <string_view>

namespace siskin::resolve::test {

/// The question lies at octet 12 of the message: c00c.
inline constexpr std::array<std::string_view, 10> kGoodReplies{
    // An answer with its signature, and addresses of servers.
    "01 1234 8400 0001 0002 0001 0002 03'www'07'example'00 0001 0001"
    "c00c 0001 0001 0000003c 0004 c0000201"
    "c00c 002e 0001 0000003c 001e 0001 0d 02 0000003c 65000000 64000000 1234 07'example'00 aabbcc"
    "c010 0002 0001 0000003c 0005 02'ns'c010"
    "02'ns'c010 0001 0001 0000003c 0004 c0000235"
    "00 0029 04d0 00008000 0000",
    // A referral with glue, from the root.
    "00 1234 8000 0001 0000 0002 0002 03'www'07'example'00 0001 0001"
    "c010 0002 0001 0000003c 0005 02'ns'c010 c010 0002 0001 0000003c 0007 02'n2'02'qq'00"
    "02'ns'c010 0001 0001 0000003c 0004 c0000235"
    "02'ns'c010 001c 0001 0000003c 0010 20010db8000000000000000000000001",
    // No such name: SOA, NSEC.
    "01 1234 8403 0001 0000 0002 0000 03'www'07'example'00 0001 0001"
    "c010 0006 0001 0000003c 001f 02'ns'c010 03'adm'c010"
    "00000001 00000e10 00000384 00093a80 0000003c"
    "c010 002f 0001 0000003c 0013 01'a'07'example'00 0006 400100000003",
    // No such type.
    "01 1234 8400 0001 0000 0001 0000 03'www'07'example'00 001c 0001"
    "c010 0006 0001 0000003c 001a c010 01'h'c010 00000001 00000e10 00000384 00093a80 0000003c",
    // A chain of aliases to its end.
    "01 1234 8400 0001 0003 0000 0000 03'www'07'example'00 0001 0001"
    "c00c 0005 0001 0000003c 0004 01'b'c010 c029 0005 0001 0000003c 0004 01'c'c010"
    "c039 0001 0001 0000003c 0004 c0000201",
    // A DNAME, its CNAME, and a target elsewhere.
    "01 1234 8400 0001 0002 0000 0000 03'www'07'example'00 0001 0001"
    "c010 0027 0001 0000003c 0006 04'else'00 c00c 0005 0001 0000003c 000a 03'www'04'else'00",
    // Refused.
    "01 1234 8005 0001 0000 0000 0000 03'www'07'example'00 0001 0001",
    // The root's own servers.
    "00 1234 8400 0001 0001 0000 0001 00 0002 0001"
    "00 0002 0001 0000003c 0006 01'a'02'rt'00 01'a'02'rt'00 0001 0001 0000003c 0004 c6290004",
    // Several types of RDATA.
    "02 1234 8400 0001 0001 0000 0003 03'www'07'example'00 0010 0001"
    "c00c 0010 0001 0000003c 0007 05'hello'00"
    "c00c 000f 0001 0000003c 0004 000a c010 c00c 0021 0001 0000003c 0008 000100020035 c010"
    "c00c 0041 0001 0000003c 000a 0001 00 0001 0003 02'h2'",
    // BADVERS, which takes EDNS to say.
    "01 1234 8000 0001 0000 0000 0001 03'www'07'example'00 0001 0001 00 0029 04d0 01000000 0000",
};

}  // namespace siskin::resolve::test
