/// One question to one server, with the fallbacks that belong to a server.
#pragma once

#include <functional>

#include "resolve/audience.hpp"
#include "resolve/manner.hpp"
#include "siskin/base/siphash.hpp"

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

/// Over UDP with a random ID and letter case and a cookie; over TCP when the reply is truncated or
/// unreadable, or forged ones are suspected; without options, then without EDNS, when the server
/// says that it does not understand them.  What it does again and again is learnt (Quirks), so that
/// it is asked at once in the manner that works.
///
/// Where a client subnet is told, a reply that does not repeat it is not used (fault A3), nor one
/// that errs or refuses (RFC 7871 §7.3, fault B79): the server is asked again without it, over UDP
/// as before, and what it then says holds for everybody.  Only over TCP, where nobody forges, a
/// reply without the option is taken at once.  Servers that were silent to it twice are asked
/// without it from then on.
///
/// "No data" without an SOA is asked for again in small letters: there are servers that look names
/// up octet by octet (fault B133).
class ServerAsker {
 public:
  explicit ServerAsker(Core& core);

  runtime::Task<Attempt> ask(Query& query, IpAddress server, const Asked& asked, Leash& leash);

 private:
  Manner first_manner(const IpAddress& server, const Asked& asked, const Quirks& quirks) const;
  UpstreamQuery make_query(const IpAddress& server, const Asked& asked, const Manner& manner,
                           const Quirks& quirks);
  /// One that has ended.
  struct Exchange {
    const IpAddress& server;
    const Asked& asked;
    const UpstreamQuery& question;
    const QueryMatch& filter;
    Instant sent;
  };

  void count_near_misses(const IpAddress& server, const QueryMatch& filter);
  std::optional<Attempt> after(Query& query, const Exchange& exchange,
                               const Result<std::vector<std::uint8_t>>& received, Manner& manner);
  bool changes(const IpAddress& server, const Heard& heard, const Quirks& quirks, Manner& manner);
  Attempt judged(const Heard& heard, const Asked& asked) const;
  Attempt failed(const IpAddress& server, const Error& error, Duration waited,
                 const UpstreamQuery& question, const Manner& manner);
  Attempt recalled(const IpAddress& server, Duration waited, const Manner& manner,
                   const UpstreamQuery& question);
  void silent_to(const IpAddress& server, const UpstreamQuery& question);
  bool suspects(const IpAddress& server, const Error& error, const QueryMatch& filter,
                Manner& manner);
  bool doubts(const IpAddress& server, const Heard& heard, Manner& manner);
  bool doubts_case(Query& query, const Heard& heard, const Reply& reply, Quirks& quirks,
                   Manner& manner) const;

  Core& core_;
  const HashKey cookie_key_;  ///< of this process's life, never told
};

}  // namespace siskin::resolve
