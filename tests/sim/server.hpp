/// A simulated server: the zones it serves, and its vices.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/link.hpp"
#include "sim/message.hpp"
#include "sim/zone.hpp"

namespace siskin::sim {

/// How it treats questions it should answer.
enum class Lameness {
  none,
  refused,
  servfail,
  notimp,
  empty,     ///< NOERROR without AA and without any record
  referral,  ///< a referral to `false_referral`, whatever the question
};

/// How it treats queries with OPT.
enum class EdnsManner {
  normal,
  formerr,       ///< FORMERR with the question, without OPT
  formerr_bare,  ///< FORMERR of twelve octets
  silent,        ///< no reply to queries with OPT
  ignored,       ///< answers without OPT
};

/// How it treats cookies (RFC 7873).
enum class CookieManner {
  unaware,   ///< as any option that it does not know
  speaks,    ///< sends its own along
  demands,   ///< BADCOOKIE over UDP until its own comes back
  hides,     ///< speaks over TCP only: somebody else's server at the same address
  formerr,   ///< FORMERR to each query with one
  refused,   ///< REFUSED likewise
  silent,    ///< no reply likewise
  mistaken,  ///< returns one that is not the client's
};

enum class TcpManner {
  normal,
  refused,  ///< no connection
  closes,   ///< closes after the question
  silent,   ///< accepts and says nothing
};

/// How the question is copied into the reply.
enum class QuestionManner {
  copied,
  lowered,  ///< letter case forgotten
  missing,  ///< no question at all
};

struct FalseReferral {
  wire::Name zone;
  wire::Name server;
  std::optional<IpAddress> glue;
};

struct Vices {
  bool is_dead = false;         ///< nothing arrives, nothing comes
  bool is_unreachable = false;  ///< the network says so at once (ICMP)
  Duration slowness{};          ///< added to each reply
  Lameness lameness = Lameness::none;
  FalseReferral false_referral;
  EdnsManner edns = EdnsManner::normal;
  CookieManner cookies = CookieManner::unaware;
  unsigned cookie_secret = 1;  ///< another one: its old cookies are no longer good
  TcpManner tcp = TcpManner::normal;
  QuestionManner question = QuestionManner::copied;
  bool truncates_always = false;      ///< empty TC for all UDP
  bool denies_non_terminals = false;  ///< NXDOMAIN for an empty non-terminal
  bool adds_zone_servers = false;     ///< no vice: NS of the zone in authority of answers
  unsigned forged_ids = 0;            ///< that many packets with wrong IDs before each UDP reply
  unsigned forged_questions = 0;      ///< and with another question under the right ID
  unsigned forged_cookieless = 0;     ///< and right but for the cookie, which is missing
  Hook forgery;                       ///< makes forged packets say something
  std::vector<Hook> hooks;            ///< in order, on the finished reply
};

/// What leaves a server for one query.
struct Packet {
  Duration delay{};  ///< after the query's arrival
  std::vector<std::uint8_t> bytes;
  bool is_forged = false;  ///< from an attacker nearby: no link loses or delays it
};

class Server {
 public:
  explicit Server(const IpAddress& address) : address_(address) {}

  const IpAddress& address() const noexcept { return address_; }
  void serve(const Zone& zone);
  const std::vector<const Zone*>& zones() const noexcept { return zones_; }
  bool serves(const wire::Name& origin) const;

  Vices vices;               ///< outside the windows
  std::optional<Link> link;  ///< in place of the world's

  /// Within [from, until) since the simulation began, `during` replaces `vices`.
  void behave(Duration from, Duration until, Vices during);
  const Vices& vices_at(Duration elapsed) const;

  /// Both in one: dead from the beginning until `until`.
  void dead_until(Duration until);

  std::vector<Packet> receive(const Query& query) const;

 private:
  struct Window {
    Duration from;
    Duration until;
    Vices vices;
  };

  Reply reply(const Query& query, const Vices& now) const;
  void treat_cookie(const Query& query, const Vices& now, Reply& reply) const;
  void reply_lamely(const Vices& now, Reply& reply) const;
  void reply_honestly(const Query& query, const Vices& now, Reply& reply) const;
  void forge(const Query& query, const Vices& now, std::vector<Packet>& packets) const;

  IpAddress address_;
  std::vector<const Zone*> zones_;
  std::vector<Window> windows_;
};

}  // namespace siskin::sim
