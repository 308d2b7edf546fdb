/// One question to the servers of one zone, until one of them gives a useful reply.
#pragma once

#include "resolve/candidates.hpp"
#include "resolve/race.hpp"

namespace siskin::resolve {

class Chaser;

/// How often one address is asked when it does not answer.
enum class Effort : std::uint8_t {
  once = 1,
  part = 2,   ///< for a part of the name: some servers drop such questions
  whole = 6,  ///< whoever is silent then is silent
};

class ZoneAsker {
 public:
  /// `chaser` looks up the addresses of server names.
  ZoneAsker(Core& core, Chaser& chaser) : core_(core), chaser_(chaser), server_asker_(core) {}

  /// A reply of kind lame or broken means that no server gave a useful one; query.trouble says why,
  /// and query.is_refused that it was not for want of trying.
  runtime::Task<Reply> ask(Query& query, const Delegation& delegation, const Asked& asked,
                           Effort effort);

 private:
  /// One question's tour of the servers.
  struct Tour {
    const Delegation& delegation;
    const Asked& asked;
    Candidates candidates;
    Instant began;
    std::size_t names_seen = 0;           ///< server names whose addresses were looked for
    bool is_name_cut = false;             ///< one of them for a slice of the time only
    bool is_second_look = false;          ///< at those, with more time
    std::size_t glue_seen = 0;            ///< ... for which the parents' glue was taken
    std::vector<IpAddress> avoided = {};  ///< what they say to this is bogus
    unsigned attempts = 0;
    unsigned bare_replies = 0;  ///< servers that said "no data" without an SOA
    std::string complaints = {};
    bool is_over = false;     ///< nobody is begun with any more
    bool all_absent = true;   ///< each server was silent, unreachable or refused (EDE 22)
    bool is_heard = false;    ///< somebody said something
    bool is_refused = false;  ///< as query.is_refused
  };

  bool refuse(Query& query, const Delegation& delegation, InFlight::Id zone) const;
  bool is_bad_luck(const Tour& tour, InFlight::Id zone);
  void learn(const Tour& tour, InFlight::Id zone, Effort effort, bool is_probe);
  void add_known(Tour& tour, const std::vector<IpAddress>& addresses) const;
  bool add_parents_glue(Tour& tour) const;
  Instant slice_end(const Query& query, const Tour& tour) const;
  static bool begin_second_look(Tour& tour);
  runtime::Task<bool> find_more(Query& query, Tour& tour);
  runtime::Task<std::vector<IpAddress>> ask_parent(Query& query, wire::Name zone,
                                                   wire::Name server);
  bool lacks_glue(const Tour& tour, const wire::Name& server) const;
  runtime::Task<std::optional<Reply>> run(Query& query, Tour& tour, Race& race);
  runtime::Task<void> start_one(Query& query, Tour& tour, Race& race);
  runtime::Task<std::optional<IpAddress>> next(Query& query, Tour& tour);
  std::optional<IpAddress> rival(Tour& tour);
  bool skip_known_names(Tour& tour) const;
  std::optional<Reply> take(Tour& tour, Race::Finish& finish) const;
  void note(Tour& tour, const IpAddress& server, const Attempt& attempt) const;
  void conclude(Query& query, const Tour& tour) const;

  Core& core_;
  Chaser& chaser_;
  ServerAsker server_asker_;
};

}  // namespace siskin::resolve
