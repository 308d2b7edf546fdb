/// Zones of whose servers none says anything: asked by one query at a time, less and less often.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "resolve/delegation.hpp"
#include "siskin/base/time.hpp"

namespace siskin::resolve {

/// Known by zone and not by server: a zone can be delegated to anybody's server, and one that is
/// silent about a zone that is none of its own must not be silent for its own zones.  Another set
/// of servers is another zone: the parent may have put it right (fault B25).
///
/// Back-off: kBackOffMin after the first silence, twice as much after each that follows, at most
/// kBackOffMax, from the beginning of a probe; and kPause from its end.  That is soon enough after
/// a broken line is whole again (fault B125), and next to nothing for a zone that stays silent.
///
/// Threads: one core.  Memory: at most kZonesMax zones; whose silence is the oldest goes first.
class SilentZones {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t kZonesMax = 4096;
  static constexpr Duration kBackOffMin = std::chrono::seconds(1);
  static constexpr Duration kBackOffMax = std::chrono::seconds(4);
  static constexpr Duration kPause = std::chrono::seconds(1);

  /// Why the zone is not to be asked now; null: it may be, and begin() is next.
  const std::string* refusal(Id id, const Delegation& delegation, Instant now) const;

  /// Its servers are being asked; whether as a probe.
  bool begin(Id id, const Delegation& delegation, Instant now);
  /// All were silent to a question about `name`, although one of them said something shortly
  /// before: there are servers that drop what they do not like.  True when that happened with
  /// another name already, before this question began at `began` and with no word in between.
  bool confirms(Id id, const Delegation& delegation, Id name, Instant began, Instant now);
  /// Somebody said something, be it nonsense.
  void heard(Id id) { forget(id); }
  /// Nobody did; `why`: who was asked.  Of those that were under way before the first noticed
  /// nothing more is learnt.
  void silent(Id id, const Delegation& delegation, std::string why, bool is_probe, Instant now);
  /// A probe ended without telling.
  void gave_up(Id id);

  std::size_t size() const noexcept { return by_id_.size(); }

 private:
  struct Zone {
    Id id = 0;
    std::uint64_t servers = 0;  ///< fingerprint
    std::string why;
    Duration back_off{};
    Instant began{};
    Instant next{};
    std::optional<Id> suspected_by = {};  ///< a question's name; then everybody may ask
    bool is_probed = false;
  };

  const Zone* find(Id id, const Delegation& delegation) const;
  void keep(Zone zone);
  void forget(Id id);

  std::list<Zone> by_age_;  ///< most recent first
  std::unordered_map<Id, std::list<Zone>::iterator> by_id_;
};

}  // namespace siskin::resolve
