/// What asking over UDP and asking over TCP have in common.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "net/socket.hpp"
#include "net/socket_poller.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::net {

using UpstreamReply = Result<std::vector<std::uint8_t>>;

/// Unusable messages in one exchange: over UDP somebody who is not the server floods us, over TCP
/// the server talks nonsense.  Either way the time is better spent on another try.
inline constexpr int kIgnoredMax = 64;

/// A non-blocking socket for `server`, not yet connected.  Errors: closed, limit, io.
Result<Fd> open_upstream(const SocketPoller& poller, const Endpoint& server, int type);

/// A TCP socket whose connection to `server` is under way.  Errors likewise, and unreachable.
Result<Fd> connect_upstream(const SocketPoller& poller, const Endpoint& server);

/// The end of an exchange whose wait ended so; not for Wake::ready.
Error error_of(Wake wake);

/// The end that `filter` gives the exchange for `message`; nothing if it is to go on.
std::optional<UpstreamReply> judge(std::span<const std::uint8_t> message,
                                   runtime::ReplyFilter& filter);

}  // namespace siskin::net
