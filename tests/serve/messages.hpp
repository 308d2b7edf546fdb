/// Queries to ask and replies taken apart, for the tests of serve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::serve::test {

using Octets = std::vector<std::uint8_t>;
using Lines = std::vector<std::string>;

struct OptSpec {
  std::uint16_t udp_size = 1232;
  std::uint8_t version = 0;
  std::uint16_t flags = 0;
  Octets options = {};
};

inline constexpr std::uint16_t kDnssecOk = 0x8000;

struct QuerySpec {
  std::string name = "www.example.";
  wire::RRType type = wire::RRType::a;
  wire::RRClass klass = wire::RRClass::in;
  std::uint16_t id = 0x1234;
  std::uint16_t flags = wire::flag::rd;
  std::vector<OptSpec> opts = {};  ///< a good query has at most one
};

Octets query(const QuerySpec& spec);

/// A reply read by the test's own eyes; every octet of it has been accounted for.
struct Reply {
  std::size_t size = 0;
  std::uint16_t id = 0;
  std::uint16_t flags = 0;
  wire::Rcode rcode = wire::Rcode::noerror;  ///< with EDNS's upper bits
  std::string question;                      ///< "wWw.example. IN A"; empty: none
  Lines answer;                              ///< "www.example. 300 IN A 192.0.2.1"
  Lines authority;
  struct Opt {
    std::uint16_t udp_size = 0;
    std::uint8_t version = 0;
    std::uint16_t flags = 0;
    std::optional<wire::ExtendedError> error;
    std::string subnet;  ///< the data of the client subnet option as hexadecimal digits
    std::size_t options_size = 0;
  };
  std::optional<Opt> opt;

  bool truncated() const { return flags & wire::flag::tc; }
  /// INFO-CODE and text of the extended error; nothing when there is none.
  std::optional<wire::ExtendedError> error() const { return opt ? opt->error : std::nullopt; }
};

/// Fails the running test when the octets are not one well-formed reply.
Reply read_reply(wire::Bytes octets);

wire::Name name(const std::string& text);
wire::RRset a_set(const std::string& owner, std::uint32_t ttl, const Lines& addresses);
wire::RRset cname_set(const std::string& owner, std::uint32_t ttl, const std::string& target);
wire::RRset soa_set(const std::string& zone, std::uint32_t ttl);
/// `count` TXT records of `size` octets of RDATA each.
wire::RRset txt_set(const std::string& owner, std::uint32_t ttl, std::size_t count,
                    std::size_t size);
/// With one made-up signature of 20 octets of RDATA.
wire::RRset with_signature(wire::RRset set);

}  // namespace siskin::serve::test
