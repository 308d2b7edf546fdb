/// What is known about servers' speed and health, by address: whom to ask first, how long to wait.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

#include "resolve/families.hpp"
#include "resolve/quirks.hpp"

namespace siskin::resolve {

/// Threads: one core.  Memory: at most `kServersMax` servers; the least recently used go first.
///
/// Round-trip times are smoothed as TCP's are (RFC 6298): wait srtt + 4 rttvar, doubled after each
/// time-out.  After kTimeoutsToDeath time-outs in a row a server counts as dead for kDeadFor: it is
/// asked only when no other is left, and then once.
class ServerTable {
 public:
  static constexpr std::size_t kServersMax = 16384;
  static constexpr Duration kFirstWait = std::chrono::milliseconds(400);
  static constexpr Duration kWaitMin = std::chrono::milliseconds(150);
  static constexpr Duration kWaitMax = std::chrono::milliseconds(2000);
  static constexpr Duration kFirstPatience = std::chrono::milliseconds(150);
  static constexpr Duration kPatienceMin = std::chrono::milliseconds(50);
  static constexpr Duration kPatienceMax = std::chrono::milliseconds(1000);
  static constexpr std::uint32_t kTimeoutsToDeath = 4;
  static constexpr Duration kDeadFor = std::chrono::seconds(60);
  static constexpr std::uint32_t kTimeoutsToDoubt = 2;
  static constexpr Duration kUntoldFor = std::chrono::minutes(10);
  static constexpr Duration kEchoesFor = std::chrono::hours(1);

  /// Expected round-trip time; nothing known: `unknown`.
  Duration expected(const IpAddress& server, Duration unknown) const;
  /// All that decides how it is asked next, by one look-up.
  struct Look {
    Duration wait;      ///< as wait()
    Duration patience;  ///< as patience()
    Quirks quirks;
  };
  Look look(const IpAddress& server) const;
  /// How long to wait for the next reply.
  Duration wait(const IpAddress& server) const;
  /// After how long without a reply another server may be asked as well: half as much again as it
  /// should need.  Time-outs do not lengthen it.
  Duration patience(const IpAddress& server) const;
  bool is_dead(const IpAddress& server, Instant now) const;
  const Families& families() const noexcept { return families_; }

  void asked(const IpAddress& server, Instant now) { families_.asked(server.family(), now); }
  /// Returns its quirks, to learn more; valid until the next call.
  Quirks& replied(const IpAddress& server, Duration rtt, Instant now);
  /// Over TCP: it is alive, and how long it took says nothing.
  Quirks& replied_over_tcp(const IpAddress& server, Instant now);
  bool has_replied_since(const IpAddress& server, Instant then) const;
  Quirks& quirks(const IpAddress& server) { return touch(server).quirks; }
  void timed_out(const IpAddress& server, Instant now);
  /// Silent for its patience while another replied.  Counts as a time-out, but never as death: that
  /// takes one full wait at least.
  void outrun(const IpAddress& server, Instant now);
  /// The network said so: dead at once.
  void unreachable(const IpAddress& server, Instant now);

  /// Whether to tell it of a client subnet: not for kUntoldFor after it was found to ignore them,
  /// as RFC 7871 §12.1 advises.
  bool may_tell_subnet(const IpAddress& server, Instant now) const;
  void echoed_subnet(const IpAddress& server, Instant now);
  /// A server that has echoed within kEchoesFor is not doubted: forged replies come without the
  /// option, too.
  void ignored_subnet(const IpAddress& server, Instant now);
  /// After timed_out(), where it had been told of one.  There are firewalls that drop what they do
  /// not know: from the second time-out in a row on, silence counts as ignoring.
  void silent_to_subnet(const IpAddress& server, Instant now);

  /// As silent_to_subnet(), where it had been sent a cookie.
  void silent_to_cookie(const IpAddress& server, Instant now);

  std::size_t size() const noexcept { return by_address_.size(); }

 private:
  struct Server {
    IpAddress address;
    Duration srtt{};
    Duration rttvar{};
    std::uint32_t timeouts = 0;  ///< in a row
    Instant replied_at{};
    Instant dead_until{};
    Instant untold_until{};  ///< of client subnets
    Instant echoes_until{};
    bool measured = false;
    Quirks quirks;
  };

  Server& touch(const IpAddress& address);
  const Server* find(const IpAddress& address) const;
  static Duration wait_for(const Server* server);
  static Duration patience_with(const Server* server);
  void revive(Server& server, Instant now);

  Families families_;
  std::list<Server> by_use_;  ///< most recent first
  std::unordered_map<IpAddress, std::list<Server>::iterator> by_address_;
};

}  // namespace siskin::resolve
