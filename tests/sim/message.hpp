/// What goes between the resolver under test and the simulated servers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/time.hpp"
#include "siskin/runtime/upstream.hpp"
#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/cookie.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::sim {

/// A resolver's question as a server read it.
struct Query {
  IpAddress server;  ///< who was asked
  runtime::Transport transport = runtime::Transport::udp;
  Duration at{};  ///< since the simulation began
  std::uint16_t id = 0;
  std::uint16_t flags = 0;
  wire::Name name;  ///< in the letter case as asked
  wire::RRType type = wire::RRType::none;
  bool has_edns = false;
  bool dnssec_ok = false;
  std::uint16_t udp_size = wire::kUdpSizeMin;
  std::optional<wire::ClientSubnet> subnet = {};
  std::optional<wire::Cookie> cookie = {};
};

/// Nothing when the strict parser of the wire room does not accept it.
std::optional<Query> read_query(wire::Bytes message);

/// A reply before it is bytes; hooks may change everything in it.
struct Reply {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;
  wire::Rcode rcode = wire::Rcode::noerror;
  bool has_question = true;
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  std::vector<wire::RRset> answer;
  std::vector<wire::RRset> authority;
  std::vector<wire::RRset> additional;
  bool has_edns = false;
  bool dnssec_ok = false;
  std::optional<wire::ClientSubnet> subnet;      ///< in the OPT
  std::optional<wire::Cookie> cookie;            ///< in the OPT
  std::size_t size_max = 0xffff;                 ///< octets; beyond it, TC
  bool is_truncated = false;                     ///< TC whatever the size
  bool is_silent = false;                        ///< nothing is sent
  std::optional<std::vector<std::uint8_t>> raw;  ///< sent instead of all the rest
};

/// A reply that matches the query, NOERROR and empty.
Reply reply_to(const Query& query);

std::vector<std::uint8_t> encode(const Reply& reply);

/// Spoils or replaces a reply.
using Hook = std::function<void(const Query&, Reply&)>;

}  // namespace siskin::sim
