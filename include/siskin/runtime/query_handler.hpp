/// Answering a client: the seam between net's listeners and serve.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "siskin/base/ip.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::runtime {

/// Names one asked query of a listener; opaque to serve, copied around, valid on its core only.
struct ReplyTicket {
  Endpoint client;
  IpAddress local;               ///< the address the client asked (replies come from there)
  std::uint32_t interface = 0;   ///< index of the interface it arrived on
  std::uint64_t connection = 0;  ///< TCP: number of the connection, never reused; UDP: 0
};

/// Takes replies that could not be given at once.  Calls are made on the listener's core, at most
/// once a ticket; a ticket whose client is gone is quietly forgotten.
class ReplySink {
 public:
  virtual ~ReplySink() = default;
  /// `reply` is copied or sent before the call returns.
  virtual void send(const ReplyTicket& ticket, std::span<const std::uint8_t> reply) = 0;
  /// No reply will come for this ticket (the query is dropped).
  virtual void abandon(const ReplyTicket& ticket) = 0;
};

/// One query from bytes to bytes.
class QueryHandler {
 public:
  enum class Done : std::uint8_t {
    replied,  ///< `reply_size` octets of the buffer are the reply
    dropped,  ///< there is none, ever
    pending,  ///< sink.send() or sink.abandon() follows
  };

  struct Outcome {
    Done done = Done::dropped;
    std::size_t reply_size = 0;
  };

  virtual ~QueryHandler() = default;

  /// The queries that handle() is given next, in this order: a chance to ask for memory ahead.
  /// They stay where they are until then.  Need not be called.
  virtual void expect(std::span<const std::span<const std::uint8_t>> queries) noexcept {
    static_cast<void>(queries);
  }

  /// `message`: the datagram, or the TCP message without its length.  `reply`: room for at least
  /// 4096 octets (UDP) or 65535 (TCP).  `sink` outlives all its pending tickets.
  virtual Outcome handle(std::span<const std::uint8_t> message, Transport transport,
                         const ReplyTicket& ticket, ReplySink& sink,
                         std::span<std::uint8_t> reply) = 0;
};

}  // namespace siskin::runtime
