/// What zones have denied, for answers to questions that nobody has asked before (RFC 8198).
///
/// Threads:  one core.
/// Memory:   at most `bytes_max`; one zone at most an eighth of it, so that a few zones do not push
///           out all others.  What was not used the longest goes first.  Sets of more than 4 KiB,
///           and NSEC that span nothing, are not kept.
/// Time:     seconds of the monotonic line, always an argument.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "siskin/dnssec/denial.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::dnssec {

class KnownDenials {
 public:
  explicit KnownDenials(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// `set`: an NSEC, NSEC3 or SOA set that the zone's keys have signed, and not as a wildcard;
  /// other types are passed over.  Its TTL says for how long it is kept.
  void add(const wire::Name& zone, const wire::RRset& set, std::uint32_t now);

  /// Seconds for which exactly that set, signatures included, is still known: it need not be
  /// verified again.  0: it is not known.
  std::uint32_t knows(const wire::Name& zone, const wire::RRset& set, std::uint32_t now) const;

  struct Synthesis {
    enum class Kind : std::uint8_t {
      nxdomain,
      nodata,
      expand,  ///< nothing is closer than the wildcard, if there is one
    };
    Kind kind = Kind::nxdomain;
    wire::Name wildcard;                 ///< of expand
    std::vector<wire::RRset> authority;  ///< SOA, unless expand, and the proof; TTLs aged
  };

  /// What the records prove about a question; nothing: they do not.  Spends at most some fifty
  /// hashes, none where the zone has no NSEC3, and only while the query has hashed hardly anything:
  /// enough is left for what a server says.
  std::optional<Synthesis> synthesise(const wire::Name& name, wire::RRType type, std::uint32_t now,
                                      Work& work);

  std::size_t bytes() const noexcept;  ///< what `bytes_max` bounds
  void clear() noexcept;

 private:
  /// In an order in which NSEC's spans and NSEC3's are spans of octets: RFC 4034 §6.1's for names,
  /// the hash itself.
  using Key = std::string;
  struct Row {
    wire::RRset set;
    std::uint32_t added = 0;
    std::uint32_t until = 0;
    std::list<Key>::iterator use;  ///< in Zone::uses
  };
  /// Has NSEC or NSEC3: of a zone that changes from one to the other the old ones go.
  struct Zone {
    std::map<Key, Row> rows;
    std::list<Key> uses;  ///< the last used in front
    bool has_nsec3 = false;
    bool is_opt_out = false;
    std::vector<std::uint8_t> salt;
    unsigned iterations = 0;
    std::optional<Row> soa;
    std::size_t bytes = 0;                ///< of rows and SOA
    std::list<wire::Name>::iterator use;  ///< in uses_
  };
  /// The records that may say something about a name.
  struct Gathered {
    std::vector<wire::RRset> sets;
    wire::Name name;  ///< the same holds for it as for the name: below NSEC3, the next closer one
    std::optional<wire::Name> wildcard;  ///< would stand in for the name
    std::size_t cover = 0;               ///< of `sets`, which then tells that nothing is closer
  };

  static std::uint32_t negative_ttl(const Zone& zone);
  static std::size_t charge_of(const Key& key, const wire::RRset& set);
  static std::uint32_t end_of(const Zone& zone, const Row& row);
  static std::optional<Synthesis> expanded(const wire::Name& apex, const Gathered& gathered,
                                           Work& work);
  Zone& zone_for(const wire::Name& zone);
  std::pair<const wire::Name, Zone>* zone_above(const wire::Name& name);
  void put_soa(Zone& zone, const wire::RRset& set, std::uint32_t now);
  void prepare_nsec3(Zone& zone, const wire::RRset& set);
  void put(Zone& zone, const Key& key, const wire::RRset& set, std::uint32_t now);
  void drop(Zone& zone, const Key& key);
  void drop_rows(Zone& zone);
  void make_room();
  static const Row* find(const Zone& zone, const wire::RRset& set);
  const wire::RRset* at_or_before(Zone& zone, const Key& key, std::uint32_t now);
  Gathered gather_nsec(Zone& zone, const wire::Name& name, std::uint32_t now);
  Gathered gather_nsec3(const wire::Name& apex, Zone& zone, const wire::Name& name,
                        std::uint32_t now, Work& work);

  std::map<wire::Name, Zone> zones_;
  std::list<wire::Name> uses_;  ///< the last used in front
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

}  // namespace siskin::dnssec
