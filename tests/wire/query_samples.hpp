/// Valid queries of every shape that clients send.
#pragma once

#include <array>
#include <string_view>

namespace siskin::wire::test {

inline constexpr std::array<std::string_view, 8> kValidQueries{
    // Plain, as from a stub of 1990.
    "1234 0100 0001 0000 0000 0000 03'www'07'example'03'com'00 0001 0001",
    // The root.
    "0001 0000 0001 0000 0000 0000 00 0002 0001",
    // EDNS with DO, AD and CD.
    "abcd 0130 0001 0000 0000 0001 07'ExAmPle'00 001c 0001 00 0029 04d0 00008000 0000",
    // dig: a cookie of eight octets.
    "8001 0120 0001 0000 0000 0001 01'a'02'bc'00 00ff 0001"
    "00 0029 1000 00000000 000c 000a 0008 0011223344556677",
    // NSID, client subnet, padding, an unknown option, unknown flag bits.
    "7777 0100 0001 0000 0000 0001 01'a'00 0041 0001"
    "00 0029 1000 00007fff 0023 0003 0000 0008 0007 0001 18 00 c00002"
    "000c 0004 00000000 fde9 0008 0102030405060708",
    // TSIG behind OPT.
    "7778 0100 0001 0000 0000 0002 01'a'00 0001 0001 00 0029 04d0 00000000 0000"
    "03'key'00 00fa 00ff 00000000 0013 01'h'00 000065000000 012c 0000 7778 0000 0000",
    // CHAOS.
    "7779 0000 0001 0000 0000 0000 07'version'04'bind'00 0010 0003",
    // Odd octets in the name.
    "777a 0100 0001 0000 0000 0000 04 002eff5c 01 20 00 0010 0001",
};

}  // namespace siskin::wire::test
