/// One question to one server, with the fallbacks that belong to a server.
#pragma once

#include <functional>

#include "resolve/audience.hpp"

namespace siskin::resolve {

/// How asking one server ended.
struct Attempt {
  enum class End : std::uint8_t {
    reply,        ///< it said something: see `reply`
    timeout,      ///< it may be asked again
    unreachable,  ///< the network or the server refuses to talk
    exhausted,    ///< the query's budget is gone; nothing was sent
    recalled,     ///< by who asked for it
  };
  End end = End::reply;
  Reply reply;
  std::string complaint;  ///< in words, unless the reply is useful
};

/// By which whoever asks several servers holds one of them.
struct Leash {
  runtime::Recall recall;
  /// Called as each exchange begins with when it will be late.
  std::function<void(Instant)> on_sent;
};

/// Over UDP with a random ID and letter case; over TCP when the reply is truncated or unreadable,
/// forged replies are suspected, or the server does not keep the letter case; without EDNS when the
/// server says that it does not understand it (nothing is remembered of that: fault A7).
///
/// Where a client subnet is told, a reply that does not repeat it is not used (fault A3), nor one
/// that errs or refuses (RFC 7871 §7.3, fault B79): the server is asked again without it, over UDP
/// as before, and what it then says holds for everybody.  Only over TCP, where nobody forges, a
/// reply without the option is taken at once.  Servers that were silent to it twice are asked
/// without it from then on.
class ServerAsker {
 public:
  explicit ServerAsker(Core& core) : core_(core) {}

  runtime::Task<Attempt> ask(Query& query, IpAddress server, const Asked& asked, Leash& leash);

 private:
  /// What changes from one try to the next.
  struct Manner {
    runtime::Transport transport = runtime::Transport::udp;
    bool edns = true;
    bool subnet = false;  ///< is told
    unsigned tries = 0;
  };

  Attempt judged(const Message& message, const Asked& asked, const UpstreamQuery& question) const;
  UpstreamQuery make_query(const Asked& asked, const Manner& manner);
  Instant late_at(const IpAddress& server, const Manner& manner) const;
  Instant deadline(const Query& query, const IpAddress& server, const Manner& manner) const;
  Attempt failed(const IpAddress& server, const Error& error, Duration waited,
                 const UpstreamQuery& question);
  Attempt recalled(const IpAddress& server, Duration waited, const Manner& manner,
                   const UpstreamQuery& question);
  bool change_manner(const IpAddress& server, const Message& message, const UpstreamQuery& question,
                     Manner& manner);
  bool doubts(const IpAddress& server, const Message& message, const UpstreamQuery& question,
              Manner& manner);

  Core& core_;
};

}  // namespace siskin::resolve
