/// One question to the servers of one zone, until one of them gives a useful reply.
#pragma once

#include "resolve/server_asker.hpp"

namespace siskin::resolve {

class Chaser;

/// The addresses of a zone's servers in the order in which to ask them: a plain decision maker.
/// First those not asked yet that are alive, quickest first; then those that timed out, again;
/// dead ones last and once.
class Candidates {
 public:
  explicit Candidates(unsigned tries_max) : tries_max_(tries_max) {}

  void add(const IpAddress& address);
  /// One never asked and alive.
  std::optional<IpAddress> fresh(Core& core);
  /// One that timed out and may be asked again, or a dead one not asked yet.
  std::optional<IpAddress> again(Core& core);
  void asked(const IpAddress& address);
  /// Not to be asked again: it answered, uselessly.
  void exclude(const IpAddress& address);
  bool empty() const noexcept { return candidates_.empty(); }
  std::size_t size() const noexcept { return candidates_.size(); }

 private:
  struct Candidate {
    IpAddress address;
    unsigned tries = 0;
    bool excluded = false;
  };

  template <class Suitable>
  std::optional<IpAddress> best(Core& core, Suitable suitable);
  Candidate* find(const IpAddress& address);

  std::vector<Candidate> candidates_;
  unsigned tries_max_;
};

class ZoneAsker {
 public:
  /// `chaser` looks up the addresses of server names.
  ZoneAsker(Core& core, Chaser& chaser) : core_(core), chaser_(chaser), server_asker_(core) {}

  /// A reply of kind lame or broken means that no server gave a useful one; query.trouble says why.
  /// `tries_max`: how often one address is asked when it does not answer.
  runtime::Task<Reply> ask(Query& query, const Delegation& delegation, const Asked& asked,
                           unsigned tries_max);

 private:
  /// One question's tour of the servers.
  struct Tour {
    const Delegation& delegation;
    Candidates candidates;
    std::size_t names_seen = 0;  ///< server names whose addresses were looked for
    std::size_t glue_seen = 0;   ///< ... for which the parents' glue was taken
    unsigned attempts = 0;
    unsigned bare_replies = 0;  ///< servers that said "no data" without an SOA
    std::string complaints = {};
    bool all_absent = true;  ///< each server was silent, unreachable or refused (EDE 22)
  };

  void add_known(Tour& tour, const std::vector<IpAddress>& addresses) const;
  bool add_parents_glue(Tour& tour) const;
  runtime::Task<bool> find_more(Query& query, Tour& tour);
  runtime::Task<std::vector<IpAddress>> ask_parent(Query& query, wire::Name zone,
                                                   wire::Name server);
  bool lacks_glue(const Tour& tour, const wire::Name& server) const;
  runtime::Task<std::optional<IpAddress>> next(Query& query, Tour& tour);
  void note(Tour& tour, const IpAddress& server, const Attempt& attempt) const;
  void conclude(Query& query, const Tour& tour) const;

  Core& core_;
  Chaser& chaser_;
  ServerAsker server_asker_;
};

}  // namespace siskin::resolve
