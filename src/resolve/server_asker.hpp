/// One question to one server, with the fallbacks that belong to a server.
#pragma once

#include "resolve/core.hpp"

namespace siskin::resolve {

/// How asking one server ended.
struct Attempt {
  enum class End : std::uint8_t {
    reply,        ///< it said something: see `reply`
    timeout,      ///< it may be asked again
    unreachable,  ///< the network or the server refuses to talk
    exhausted,    ///< the query's budget is gone; nothing was sent
  };
  End end = End::reply;
  Reply reply;
  std::string complaint;  ///< in words, unless the reply is useful
};

/// Over UDP with a random ID and letter case; over TCP when the reply is truncated or unreadable,
/// forged replies are suspected, or the server does not keep the letter case; without EDNS when the
/// server says that it does not understand it (nothing is remembered of that: fault A7).
class ServerAsker {
 public:
  explicit ServerAsker(Core& core) : core_(core) {}

  runtime::Task<Attempt> ask(Query& query, IpAddress server, const Asked& asked);

 private:
  /// What changes from one try to the next.
  struct Manner {
    runtime::Transport transport = runtime::Transport::udp;
    bool edns = true;
    unsigned tries = 0;
  };

  UpstreamQuery make_query(const Asked& asked, const Manner& manner);
  Instant deadline(const Query& query, const IpAddress& server, const Manner& manner) const;
  Attempt failed(const IpAddress& server, const Error& error, Duration waited);
  bool change_manner(const Message& message, Manner& manner) const;

  Core& core_;
};

}  // namespace siskin::resolve
