/// What a server's message means for the question it was asked: pure decisions, no I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "resolve/delegation.hpp"
#include "resolve/message.hpp"

namespace siskin::resolve {

enum class ReplyKind : std::uint8_t {
  answer,    ///< the set asked for, perhaps behind aliases
  alias,     ///< aliases whose end this server does not tell
  referral,  ///< servers of a zone nearer to the name
  nodata,    ///< the (last) name exists without that type
  nxdomain,  ///< the (last) name does not exist
  yxdomain,  ///< a DNAME makes a name longer than 255 octets (RFC 6672 §2.2)
  lame,      ///< the server is not authoritative for the zone, or refuses: ask another
  broken,    ///< nothing sensible: ask another
};

/// What validation has said of something.
struct Checked {
  cache::Security security = cache::Security::unchecked;
  std::optional<wire::ExtendedError> why;  ///< bogus: the reason; else something to go along
  /// Bogus, because something could not be had, or the query that checked it ran out of something.
  bool is_unsure = false;

  bool is_bogus() const noexcept { return security == cache::Security::bogus; }
};

/// One alias on the way: a CNAME, and the DNAME that made it if there is one.
struct Alias {
  std::optional<wire::RRset> dname;
  wire::RRset cname;
  wire::Name target;
  Checked checked;
  std::vector<wire::RRset> proof;  ///< NSEC and NSEC3, where a wildcard made the alias
};

struct Reply {
  ReplyKind kind = ReplyKind::broken;
  std::vector<Alias> aliases;            ///< in order; each owner is the target before it
  std::optional<wire::RRset> set;        ///< of an answer
  std::optional<wire::RRset> dname;      ///< of a CNAME as the answer, or of yxdomain: its cause
  std::vector<wire::RRset> denial;       ///< of nodata and nxdomain: SOA first if there is one
  std::vector<wire::RRset> proof;        ///< of an answer that a wildcard made, as Alias::proof
  Checked checked;                       ///< the set or the denial
  std::optional<Delegation> delegation;  ///< of a referral, or of an answer about the zone's own NS
  std::string complaint;                 ///< of lame and broken, for the EDE: "upward referral"
  /// The clients whom aliases and set hold for; nothing: everybody.  What is denied is denied to
  /// everybody, and delegations are everybody's (RFC 7871 §7.4, fault B89).
  std::optional<Network> held_for;
  std::optional<IpAddress> server;  ///< who said so
  bool is_from_copy = false;        ///< of the root zone: no server said so
  bool is_bare = false;             ///< bogus, because nothing of it is signed
};

/// What was asked, and of whom.
struct Asked {
  const wire::Name& name;
  wire::RRType type;
  const wire::Name& zone;           ///< the server was asked as a server of this zone
  const Network* subnet = nullptr;  ///< told to the server; null: it is told nothing
};

/// Records that the zone's servers have no right to give (owner not at or below the zone) are as if
/// they were not there (RFC 2181 §5.4.1, faults A13, A15, A17, A19, A21, A23).
/// `names_max`: server names kept of a referral.
Reply classify(const Message& message, const Asked& asked, std::size_t names_max);

/// The CNAME that a DNAME makes for `name` (RFC 6672 §3.1), with the DNAME's TTL; nothing when the
/// target is too long.  `name` is below the DNAME's owner.
std::optional<Alias> synthesise(const wire::RRset& dname, const wire::Name& name);

/// TTL of a negative answer: the lesser of the SOA's TTL and its MINIMUM (RFC 2308 §5); without an
/// SOA nothing is known, and 0 keeps it out of the cache.
std::uint32_t negative_ttl(const std::vector<wire::RRset>& denial);

}  // namespace siskin::resolve
