/// For whom an answer is looked for, and how far a reply is made for a client (RFC 7871).
#pragma once

#include "resolve/core.hpp"
#include "resolve/message.hpp"

namespace siskin::resolve {

/// Whose answer is looked for.
struct Audience {
  /// The client's network.  Of length 0: nobody's in particular, what servers would tell us
  /// ourselves.  Nothing: there is no client subnet at all.
  std::optional<Network> network;
  bool is_told = false;  ///< servers of the subnet zones are told of it

  const Network* in_cache() const noexcept { return network ? &*network : nullptr; }
};

/// What we ask for ourselves, such as the addresses of servers.
Audience our_own(const Core& core);

/// Of a question of that type, asked now: by the client, or by ourselves for the addresses of a
/// server, of which no client is told.
Audience audience_of(const Core& core, const Query& query, wire::RRType type);

/// What a reply says to the subnet that its query told of.
enum class Echo : std::uint8_t {
  right,    ///< the option is there and repeats the query's, or the query told nothing
  missing,  ///< there is none
  wrong,    ///< it is another's: forged, or the server confuses its askers (RFC 7871 §11.2)
};

Echo echo_of(const Message& message, const wire::ClientSubnet& asked);

/// Whom the positive records of a reply to that query hold for; nothing: everybody.  A scope longer
/// than what was told counts as what was told (RFC 7871 §7.3.1).
std::optional<Network> held_for(const Message& message, const UpstreamQuery& query);

}  // namespace siskin::resolve
