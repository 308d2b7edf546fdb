/// What zones have denied, for answers to questions that nobody has asked before (RFC 8198).
///
/// Threads:  one core.
/// Memory:   at most `bytes_max`; one zone at most a quarter of it, so that no zone pushes out all
///           others.  What was not used the longest goes first.
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
      expand,  ///< nothing is closer than the wildcard, which may have the type; NSEC only
    };
    Kind kind = Kind::nxdomain;
    wire::Name wildcard;                 ///< of expand
    std::vector<wire::RRset> authority;  ///< SOA, unless expand, and the proof; TTLs aged
  };

  /// What the records prove about a question; nothing: they do not.  Costs no hash where the zone
  /// has no NSEC3.
  std::optional<Synthesis> synthesise(const wire::Name& name, wire::RRType type, std::uint32_t now,
                                      Work& work);

  std::size_t bytes() const noexcept { return bytes_; }
  void clear() noexcept;

 private:
  /// In an order in which NSEC's spans and NSEC3's are spans of octets: RFC 4034 §6.1's for names,
  /// the hash itself.
  using Key = std::string;
  struct Row {
    wire::RRset set;
    std::uint32_t until = 0;
    std::list<Key>::iterator use;  ///< in Zone::uses
  };
  struct Zone {
    std::map<Key, Row> nsec;
    std::map<Key, Row> nsec3;
    std::list<Key> uses;  ///< keys of both, the last used in front
    std::vector<std::uint8_t> salt;
    unsigned iterations = 0;
    std::optional<Row> soa;
    std::size_t bytes = 0;
    std::list<wire::Name>::iterator use;  ///< in uses_
  };

  static std::uint32_t negative_ttl(const Zone& zone);
  Zone& zone_for(const wire::Name& zone);
  std::pair<const wire::Name, Zone>* zone_above(const wire::Name& name);
  void put(Zone& zone, std::map<Key, Row>& rows, Key key, const wire::RRset& set,
           std::uint32_t until);
  void drop(Zone& zone, const Key& key);
  void make_room();
  const wire::RRset* at_or_before(Zone& zone, std::map<Key, Row>& rows, const Key& key,
                                  std::uint32_t now, bool wraps);
  static std::optional<Synthesis> expanded(const Denial& denial, std::vector<wire::RRset> sets,
                                           const wire::Name& name, Work& work);
  std::vector<wire::RRset> collect_nsec(Zone& zone, const wire::Name& name, std::uint32_t now);
  std::vector<wire::RRset> collect_nsec3(const wire::Name& apex, Zone& zone, const wire::Name& name,
                                         std::uint32_t now, Work& work);

  std::map<wire::Name, Zone> zones_;
  std::list<wire::Name> uses_;  ///< the last used in front
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

}  // namespace siskin::dnssec
