#include "siskin/wire/client_subnet.hpp"

#include "siskin/wire/writer.hpp"
#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

std::string option_of(const ClientSubnet& subnet) {
  Octets buffer(64);
  Writer out(buffer);
  subnet.write_option(out);
  CHECK(out.position() == subnet.option_size());
  return to_hex(out.written());
}

std::optional<ClientSubnet> parsed(std::string_view hex) {
  return ClientSubnet::parse(from_hex(hex));
}

}  // namespace

TEST_CASE("wire/client_subnet: the address is cut to its prefix, and to the octets that it needs",
          "[wire]") {
  struct Row {
    const char* address;
    unsigned bits;
    const char* option;
  };
  const Row row = GENERATE(
      Row{"192.0.2.77", 24, "0008 0007 0001 18 00 c00002"},
      Row{"192.0.2.255", 25, "0008 0008 0001 19 00 c0000280"},
      Row{"192.0.2.1", 32, "0008 0008 0001 20 00 c0000201"},
      Row{"192.0.2.1", 17, "0008 0007 0001 11 00 c00000"},
      Row{"192.0.2.1", 1, "0008 0005 0001 01 00 80"}, Row{"192.0.2.1", 0, "0008 0004 0001 00 00"},
      Row{"2001:db8:1:2::ff", 56, "0008 000b 0002 38 00 20010db8000100"},
      Row{"2001:db8::1", 128, "0008 0014 0002 80 00 20010db8000000000000000000000001"},
      Row{"2001:db8::1", 0, "0008 0004 0002 00 00"});
  CAPTURE(row.address, row.bits);
  const Network network = Network::of(IpAddress::from_text(row.address).value(), row.bits);
  const ClientSubnet subnet = ClientSubnet::of(network);
  const Octets option = from_hex(row.option);
  CHECK(option_of(subnet) == to_hex(option));
  CHECK(subnet.source == row.bits);
  CHECK(subnet.scope == 0);
  const auto read = ClientSubnet::parse(Bytes(option).subspan(4));
  REQUIRE(read);
  CHECK(*read == subnet);
  CHECK(read->network() == network);
}

TEST_CASE("wire/client_subnet: the scope is read as it stands", "[wire]") {
  const auto read = parsed("0001 18 20 c00002");
  REQUIRE(read);
  CHECK(read->source == 24);
  CHECK(read->scope == 32);
  CHECK(read->network().to_text() == "192.0.2.0/24");
  CHECK(option_of(*read) ==
        "000800070001"
        "1820"
        "c00002");
  CHECK(parsed("0001 00 ff")->scope == 255);
}

TEST_CASE("wire/client_subnet: family 0 tells nothing, and may do so", "[wire]") {
  const auto read = parsed("0000 00 00");
  REQUIRE(read);
  CHECK(read->network() == Network());
  CHECK(option_of(*read) ==
        "00080004"
        "00000000");
  CHECK_FALSE(parsed("0000 01 00 80"));
  CHECK_FALSE(parsed("0000 00 00 80"));
}

TEST_CASE("wire/client_subnet: whatever else is not as RFC 7871 §6 says is refused", "[wire]") {
  for (const auto* bad : {
           "",
           "00",
           "0001",
           "0001 18",
           "0001 18 00",             // no address at all
           "0001 18 00 c000",        // too few octets
           "0001 18 00 c0000200",    // too many
           "0001 00 00 00",          // an octet for no bits
           "0001 17 00 c00003",      // a bit beyond the prefix
           "0001 19 00 c0000240",    // likewise
           "0001 21 00 c000020100",  // longer than an address
           "0001 ff 00 c0000201",
           "0002 38 00 20010db80001",      // too few
           "0002 38 00 20010db800010200",  // too many
           "0002 39 00 20010db800010001",  // a bit beyond the prefix
           "0002 81 00 20010db8000000000000000000000001 00",
           "0003 00 00",  // families that nobody knows
           "0003 08 00 c0",
           "ffff 00 00",
       }) {
    CAPTURE(bad);
    CHECK_FALSE(parsed(bad));
  }
}

TEST_CASE("wire/client_subnet: a reply's is the query's but for the scope", "[wire]") {
  const ClientSubnet asked = *parsed("0001 18 00 c00002");
  CHECK(asked.is_same_but_scope(*parsed("0001 18 10 c00002")));
  for (const auto* other : {"0001 18 00 c00003", "0001 17 00 c00002", "0001 19 00 c0000200",
                            "0001 00 00", "0002 18 00 c00002", "0000 00 00"}) {
    CAPTURE(other);
    CHECK_FALSE(asked.is_same_but_scope(*parsed(other)));
  }
}

TEST_CASE("wire/client_subnet: in an OPT it comes before an error, and wins where room is short",
          "[wire]") {
  const ClientSubnet subnet = *parsed("0001 18 10 c00002");
  const ExtendedError error{Ede::other, "why"};
  const auto opt_in = [&](std::size_t size) {
    Octets buffer(size);
    MessageWriter writer(buffer, size, MessageWriter::opt_size(nullptr, &subnet));
    writer.begin(1, 0);
    MessageWriter::Opt opt;
    opt.error = &error;
    opt.subnet = &subnet;
    return to_hex(writer.finish(Rcode::noerror, &opt).subspan(12));
  };
  CHECK(MessageWriter::opt_size(nullptr, &subnet) == 22);
  CHECK(MessageWriter::opt_size(&error, &subnet) == 31);
  const std::string option =
      "000800070001"
      "1810"
      "c00002";
  CHECK(opt_in(12 + 31) ==
        "00002904d000000000"
        "0014" +
            option +
            "000f00050000"
            "776879");
  CHECK(opt_in(12 + 30) ==
        "00002904d000000000"
        "0011" +
            option + "000f00020000");
  CHECK(opt_in(12 + 27) ==
        "00002904d000000000"
        "000b" +
            option);
  CHECK(opt_in(12 + 22) ==
        "00002904d000000000"
        "000b" +
            option);
}

}  // namespace siskin::wire::test
