/// What a reply takes from its query: everything but the answer.
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/cache/cache.hpp"
#include "siskin/runtime/upstream.hpp"
#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/query.hpp"

namespace siskin::serve {

/// Whom an answer is for, where client subnet is on.
struct RequestSubnet {
  Network network;                           ///< whose answers this client gets
  std::optional<wire::ClientSubnet> option;  ///< as the client sent it
  bool is_from_option = false;               ///< the network is the option's
};

struct Request {
  wire::Bytes name;  ///< in the client's letter case; empty: no question to echo
  wire::RRType type = wire::RRType::none;
  wire::RRClass klass = wire::RRClass::in;
  std::uint16_t id = 0;
  std::uint16_t flags = 0;         ///< as sent; only opcode, RD and CD are copied
  std::uint16_t size_max = 0;      ///< of the reply
  std::uint16_t own_udp_size = 0;  ///< what our OPT offers
  runtime::Transport transport = runtime::Transport::udp;
  bool has_edns = false;
  bool dnssec_ok = false;
  bool must_be_checked = false;  ///< signatures; false: the client does so (CD), or nobody does
  std::optional<RequestSubnet> subnet;     ///< nothing: client subnet is off
  std::optional<cache::Cache::Hint> hint;  ///< of name and type, when they were expected

  bool has_cd() const noexcept { return (flags & wire::flag::cd) != 0; }
  /// Whether AD means something to the client (RFC 6840 §5.7, §5.8).
  bool wants_ad() const noexcept {
    return must_be_checked && (dnssec_ok || (flags & wire::flag::ad) != 0);
  }
  const Network* network() const noexcept { return subnet ? &subnet->network : nullptr; }
};

/// `own_udp_size`: the most we send and take over UDP, and at least 512 (RFC 6891 §6.2.5).
Request request_of(const wire::QueryView& query, runtime::Transport transport,
                   std::uint16_t own_udp_size) noexcept;

}  // namespace siskin::serve
