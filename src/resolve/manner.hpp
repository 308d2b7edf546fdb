/// How a server is asked, and what its reply changes about that: pure decisions.
#pragma once

#include "resolve/message.hpp"
#include "resolve/quirks.hpp"
#include "resolve/reply_filter.hpp"

namespace siskin::resolve {

/// What changes from one try to the next.
struct Manner {
  runtime::Transport transport = runtime::Transport::udp;
  bool edns = true;
  bool subnet = false;      ///< is told
  bool cookie = false;      ///< is sent
  bool mixed_case = false;  ///< of letters, over UDP
  unsigned tries = 0;

  // What has been changed already.
  bool lost_edns = false;
  bool lost_case = false;
  bool has_new_cookie = false;

  bool is_udp() const noexcept { return transport == runtime::Transport::udp; }
};

/// A reply with what it replies to.
struct Heard {
  const Message& message;
  const UpstreamQuery& question;
  const QueryMatch& filter;
  const Manner& manner;
  Instant now;
};

/// NOERROR and its like: the server has understood.
bool is_usable(wire::Rcode rcode) noexcept;

/// Puts into `quirks` what the reply tells of its server, but for the letter case.
void learn(const Heard& heard, Quirks& quirks);

/// The manner in which the same server is to be asked again; nothing when the reply is its last
/// word.  Client subnets are not looked at but for errors, letter case not at all.
std::optional<Manner> next_manner(const Heard& heard, const Quirks& quirks);

}  // namespace siskin::resolve
