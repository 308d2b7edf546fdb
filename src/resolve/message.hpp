/// Messages to and from servers, encoded and decoded by ldns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "siskin/base/result.hpp"
#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/cookie.hpp"
#include "siskin/wire/rrset.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::resolve {

/// A question as it goes to one server.
struct UpstreamQuery {
  wire::Name name;  ///< in the letter case that is sent
  wire::RRType type = wire::RRType::none;
  std::uint16_t id = 0;
  bool edns = true;
  std::uint16_t udp_size = 1232;
  std::optional<wire::ClientSubnet> subnet = {};  ///< with EDNS only
  std::optional<wire::Cookie> cookie = {};        ///< with EDNS only
};

/// The query in wire form: RD clear, and with EDNS the DO bit set, so that signatures are in the
/// cache for clients that check them.
std::vector<std::uint8_t> encode(const UpstreamQuery& query);

/// A server's message with its records gathered into sets; class IN only.
struct Message {
  wire::Rcode rcode = wire::Rcode::noerror;
  bool authoritative = false;        ///< AA
  bool truncated = false;            ///< TC
  bool recursion_available = false;  ///< RA
  bool edns = false;
  std::optional<wire::ClientSubnet> subnet;  ///< nothing: none came, or none that can be read
  std::vector<wire::RRset> answer;
  std::vector<wire::RRset> authority;
  std::vector<wire::RRset> additional;
};

/// Decodes `bytes`, the answer to `asked`; `original` is the name of `asked` in the letter case
/// that clients are to see: names that the server copied from the question get that case back.
/// Duplicates among the first 64 records of a set are dropped (RFC 2181 §5); the least TTL of a set
/// counts; a TTL with the top bit set is 0 (RFC 2181 §8).  Error: malformed.
Result<Message> decode(wire::Bytes bytes, const UpstreamQuery& asked, const wire::Name& original);

}  // namespace siskin::resolve
