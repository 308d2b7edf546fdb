/// Asking a server: the seam between resolve and the network (or the simulator).
#pragma once

#include <cstdint>
#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/base/time.hpp"
#include "siskin/runtime/recall.hpp"
#include "siskin/runtime/task.hpp"

namespace siskin::runtime {

enum class Transport : std::uint8_t { udp, tcp };

/// What the asker thinks of a message that came from the asked server's address and port.
enum class ReplyVerdict : std::uint8_t {
  take,     ///< it answers the query: the exchange ends with it
  ignore,   ///< not ours or not readable: keep waiting
  give_up,  ///< looks like forgery: the exchange ends with Errc::spoof_suspected
};

/// Judges messages of one exchange; called on the exchange's core before the exchange ends.
class ReplyFilter {
 public:
  virtual ~ReplyFilter() = default;
  virtual ReplyVerdict judge(std::span<const std::uint8_t> message) = 0;
};

/// One question to one server.
class Upstream {
 public:
  virtual ~Upstream() = default;

  /// Sends `query` and waits for a message that `filter` takes.
  /// UDP: a socket bound to a random port and connected to `server`, so that only datagrams from
  /// there arrive; never resent here.  TCP: a connection, then one message.
  /// Errors: timeout (at `deadline`), unreachable, closed (also when recalled), spoof_suspected,
  /// limit, io.
  /// Lifetime: `query`, `filter` and `recall` are the awaiting caller's and outlive the exchange.
  virtual Task<Result<std::vector<std::uint8_t>>> exchange(const Endpoint& server,
                                                           Transport transport,
                                                           std::span<const std::uint8_t> query,
                                                           ReplyFilter& filter, Instant deadline,
                                                           Recall& recall) = 0;
};

}  // namespace siskin::runtime
