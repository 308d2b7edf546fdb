#include "siskin/wire/cookie.hpp"

#include "siskin/wire/edns.hpp"
#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

using siskin::test::from_hex;
using siskin::test::Octets;
using siskin::test::to_hex;

std::string written(const Cookie& cookie) {
  Octets buffer(64);
  Writer out(buffer);
  cookie.write_option(out);
  CHECK_FALSE(out.failed());
  CHECK(out.position() == cookie.option_size());
  return to_hex(out.written());
}

}  // namespace

TEST_CASE("wire/cookie: eight octets, or with eight to 32 of the server's", "[wire]") {
  for (std::size_t size = 0; size <= 64; ++size) {
    CAPTURE(size);
    Octets data(size);
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(i + 1);
    const auto cookie = Cookie::parse(data);
    CHECK(cookie.has_value() == (size == 8 || (size >= 16 && size <= 40)));
    if (!cookie) continue;
    CHECK(cookie->client == Cookie::Client{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(cookie->server_size == size - 8);
    CHECK(written(*cookie) == to_hex(from_hex("000a 00")) +
                                  to_hex(Octets{static_cast<std::uint8_t>(size)}) + to_hex(data));
  }
}

TEST_CASE("wire/cookie: octets beyond the server's are zero, so that equal ones compare equal",
          "[wire]") {
  const auto cookie = Cookie::parse(from_hex("0102030405060708 1112131415161718"));
  REQUIRE(cookie);
  Cookie same;
  same.client = {1, 2, 3, 4, 5, 6, 7, 8};
  same.server_size = 8;
  for (std::uint8_t i = 0; i < 8; ++i) same.server[i] = static_cast<std::uint8_t>(0x11 + i);
  CHECK(*cookie == same);
}

TEST_CASE("wire/edns: the options of a message are found behind all its records", "[wire]") {
  const std::string head = "1234 8400 0001 0001 0000 0002 01'a'00 0001 0001";
  const std::string address = "c00c 0001 0001 0000003c 0004 c0000201";
  const std::string extra = "01'b'c00c 0001 0001 0000003c 0004 c0000202";
  const std::string opt = "00 0029 04d0 00008000 0006 000a 0002 abcd";
  const auto options = [](const std::string& hex) -> std::string {
    const Octets message = from_hex(hex);
    const auto found = find_opt(message);
    return found ? to_hex(*found) : "none";
  };
  CHECK(options(head + address + extra + opt) == "000a0002abcd");
  CHECK(options(head + address + opt + extra) == "000a0002abcd");
  CHECK(options(head + address + extra + extra) == "none");
  CHECK(options(head + address + extra) == "none");  // cut
  CHECK(options(head + address + extra + "00 0029 04d0 00008000 0007 000a 0002 abcd") == "none");
  CHECK(options("1234 8001 0000 0000 0000 0000") == "none");
  CHECK(options("1234 8001 0000 0000 0000 0001 00 0029 04d0 00000000 0000").empty());
  CHECK(options("") == "none");
}

TEST_CASE("wire/edns: an OPT outside the additional section is none", "[wire]") {
  const Octets message = from_hex("1234 8400 0000 0001 0000 0000 00 0029 04d0 00008000 0000");
  CHECK_FALSE(find_opt(message).has_value());
}

}  // namespace siskin::wire::test
