#include "siskin/dnssec/known_denials.hpp"

#include <algorithm>
#include <utility>

#include "dnssec/denial_record.hpp"
#include "dnssec/nsec3.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

constexpr std::size_t kRowOverhead = 400;  ///< nodes of map and list, a Name, vectors

/// Labels from the last to the first, each ended by 0; an octet of 0 or 1 becomes two, so that the
/// end of a label comes before all else.
std::string name_key(const Name& name) {
  std::string key;
  const std::size_t count = name.label_count();
  for (std::size_t labels = 1; labels <= count; ++labels) {
    const Name end = name.suffix(labels);
    for (const std::uint8_t octet : end.first_label()) {
      const std::uint8_t lower = wire::to_lower(octet);
      if (lower <= 1) key += '\1';
      key += static_cast<char>(lower <= 1 ? lower + 1 : lower);
    }
    key += '\0';
  }
  return key;
}

std::string hash_key(const Nsec3Hash& hash) {
  return {hash.begin(), hash.end()};
}

std::size_t size_of(const RRset& set) {
  return kRowOverhead + set.records.bytes().size() + set.signatures.bytes().size();
}

struct Parameters {
  unsigned iterations = 0;
  Bytes salt;
};

/// Nothing where it is not to be computed.
std::optional<Parameters> parameters_of(const RRset& set) {
  if (set.records.count() != 1) return std::nullopt;
  wire::Reader reader(*set.records.begin());
  const unsigned algorithm = reader.u8();
  const unsigned flags = reader.u8();
  Parameters parameters;
  parameters.iterations = reader.u16();
  parameters.salt = reader.bytes(reader.u8());
  const bool is_usable = !reader.failed() && algorithm == 1 && flags <= 1 &&
                         parameters.iterations <= Denial::kIterationsMax;
  return is_usable ? std::optional(parameters) : std::nullopt;
}

}  // namespace

KnownDenials::Zone& KnownDenials::zone_for(const Name& name) {
  const auto [at, is_new] = zones_.try_emplace(name);
  if (is_new) {
    uses_.push_front(name);
    at->second.use = uses_.begin();
  } else {
    uses_.splice(uses_.begin(), uses_, at->second.use);
  }
  return at->second;
}

/// No denial lives longer than the SOA lets any (RFC 9077 §3).
std::uint32_t KnownDenials::negative_ttl(const Zone& zone) {
  constexpr std::uint32_t kUnknown = 900;
  if (!zone.soa) return kUnknown;
  const RRset& soa = zone.soa->set;
  return std::min(soa.ttl, wire::soa_minimum(*soa.records.begin()).value_or(kUnknown));
}

void KnownDenials::add(const Name& name, const RRset& set, std::uint32_t now) {
  if (set.ttl == 0 || set.records.count() != 1) return;
  std::uint32_t until = now + set.ttl;
  if (set.type == RRType::soa) {
    if (!(set.owner == name)) return;
    zone_for(name).soa = Row{set, until, {}};
  } else if (set.type == RRType::nsec) {
    Zone& zone = zone_for(name);
    until = std::min(until, now + negative_ttl(zone));
    put(zone, zone.nsec, name_key(set.owner), set, until);
  } else if (set.type == RRType::nsec3) {
    const auto parameters = parameters_of(set);
    const auto hash = from_base32hex(set.owner.first_label());
    if (!parameters || !hash || !(set.owner.parent() == name)) return;
    Zone& zone = zone_for(name);
    if (zone.iterations != parameters->iterations ||
        !std::ranges::equal(zone.salt, parameters->salt)) {
      while (!zone.nsec3.empty()) drop(zone, zone.nsec3.begin()->first);
      zone.iterations = parameters->iterations;
      zone.salt.assign(parameters->salt.begin(), parameters->salt.end());
    }
    put(zone, zone.nsec3, hash_key(*hash), set, std::min(until, now + negative_ttl(zone)));
  }
  make_room();
}

void KnownDenials::put(Zone& zone, std::map<Key, Row>& rows, Key key, const RRset& set,
                       std::uint32_t until) {
  drop(zone, key);
  while (!zone.uses.empty() && zone.bytes + size_of(set) > bytes_max_ / 4) {
    drop(zone, Key(zone.uses.back()));
  }
  zone.uses.push_front(key);
  zone.bytes += size_of(set);
  bytes_ += size_of(set);
  rows.insert_or_assign(std::move(key), Row{set, until, zone.uses.begin()});
}

/// Of whichever kind; a key has one row, for a zone of one kind never has the other's keys.
void KnownDenials::drop(Zone& zone, const Key& key) {
  for (std::map<Key, Row>* rows : {&zone.nsec, &zone.nsec3}) {
    const auto at = rows->find(key);
    if (at == rows->end()) continue;
    const std::size_t size = size_of(at->second.set);
    zone.bytes -= size;
    bytes_ -= size;
    const auto use = at->second.use;
    rows->erase(at);  // `key` may be the list's own
    zone.uses.erase(use);
    return;
  }
}

void KnownDenials::make_room() {
  while (bytes_ + 2 * zones_.size() * kRowOverhead > bytes_max_ && !uses_.empty()) {
    const auto last = zones_.find(uses_.back());
    Zone& zone = last->second;
    if (!zone.uses.empty()) {
      drop(zone, Key(zone.uses.back()));
    } else {
      uses_.pop_back();
      zones_.erase(last);
    }
  }
}

std::uint32_t KnownDenials::knows(const Name& name, const RRset& set, std::uint32_t now) const {
  const auto zone = zones_.find(name);
  if (zone == zones_.end()) return 0;
  const Row* row = nullptr;
  if (set.type == RRType::soa && zone->second.soa) {
    row = &*zone->second.soa;
  } else if (set.type == RRType::nsec) {
    const auto at = zone->second.nsec.find(name_key(set.owner));
    if (at != zone->second.nsec.end()) row = &at->second;
  } else if (set.type == RRType::nsec3) {
    const auto hash = from_base32hex(set.owner.first_label());
    const auto at = hash ? zone->second.nsec3.find(hash_key(*hash)) : zone->second.nsec3.end();
    if (at != zone->second.nsec3.end()) row = &at->second;
  }
  const bool is_same = row != nullptr && row->until > now && row->set.owner == set.owner &&
                       row->set.records == set.records && row->set.signatures == set.signatures;
  return is_same ? row->until - now : 0;
}

const RRset* KnownDenials::at_or_before(Zone& zone, std::map<Key, Row>& rows, const Key& key,
                                        std::uint32_t now, bool wraps) {
  if (rows.empty()) return nullptr;
  auto at = rows.upper_bound(key);
  if (at == rows.begin()) {
    if (!wraps) return nullptr;
    at = rows.end();
  }
  Row& row = std::prev(at)->second;
  if (row.until <= now) return nullptr;
  zone.uses.splice(zone.uses.begin(), zone.uses, row.use);
  row.set.ttl = row.until - now;
  return &row.set;
}

namespace {

void add_once(std::vector<RRset>& sets, const RRset* set) {
  if (set == nullptr) return;
  const auto is_same = [set](const RRset& one) { return one.owner == set->owner; };
  if (std::ranges::none_of(sets, is_same)) sets.push_back(*set);
}

}  // namespace

/// What is at or covers the name, and the wildcard that would stand in for it.
std::vector<RRset> KnownDenials::collect_nsec(Zone& zone, const Name& name, std::uint32_t now) {
  std::vector<RRset> sets;
  const RRset* const nearest = at_or_before(zone, zone.nsec, name_key(name), now, false);
  if (nearest == nullptr) return sets;
  const Name next = wire::Reader(*nearest->records.begin()).name();
  const std::size_t labels =
      std::max(common_labels(name, nearest->owner), common_labels(name, next));
  add_once(sets, nearest);
  if (nearest->owner == name || next.is_below(name)) return sets;
  if (const auto wildcard = wildcard_below(name.suffix(labels))) {
    add_once(sets, at_or_before(zone, zone.nsec, name_key(*wildcard), now, false));
  }
  return sets;
}

/// The closest encloser that has a record, what covers the name below it, and the wildcard.
std::vector<RRset> KnownDenials::collect_nsec3(const Name& apex, Zone& zone, const Name& name,
                                               std::uint32_t now, Work& work) {
  std::vector<RRset> sets;
  const auto nearest = [&](const Name& wanted) -> std::pair<const RRset*, bool> {
    if (!work.spend_hash()) return {nullptr, false};
    const Key key = hash_key(nsec3_hash(wanted, zone.salt, zone.iterations));
    const RRset* const set = at_or_before(zone, zone.nsec3, key, now, true);
    return {set, set != nullptr && zone.nsec3.contains(key)};
  };
  const RRset* below = nullptr;
  for (Name at = name;; at = at.parent()) {
    const auto [set, is_match] = nearest(at);
    if (set == nullptr && work.exhausted() != nullptr) return {};
    if (is_match) {
      add_once(sets, set);
      add_once(sets, below);
      const auto wildcard = at == name ? std::nullopt : wildcard_below(at);
      if (wildcard) add_once(sets, nearest(*wildcard).first);
      return sets;
    }
    below = set;
    if (at == apex) return {};
  }
}

std::pair<const Name, KnownDenials::Zone>* KnownDenials::zone_above(const Name& name) {
  if (zones_.empty()) return nullptr;
  for (Name at = name;; at = at.parent()) {
    const auto zone = zones_.find(at);
    if (zone != zones_.end()) return &*zone;
    if (at.is_root()) return nullptr;
  }
}

std::optional<KnownDenials::Synthesis> KnownDenials::synthesise(const Name& name, RRType type,
                                                                std::uint32_t now, Work& work) {
  // A DS is the parent's.
  auto* const found = zone_above(type == RRType::ds ? name.parent() : name);
  if (found == nullptr) return std::nullopt;
  Zone& zone = found->second;
  if (!zone.soa || zone.soa->until <= now) return std::nullopt;
  uses_.splice(uses_.begin(), uses_, zone.use);
  std::vector<RRset> sets = zone.nsec.empty() ? collect_nsec3(found->first, zone, name, now, work)
                                              : collect_nsec(zone, name, now);
  if (sets.empty()) return std::nullopt;
  const Denial denial(found->first, sets);
  Synthesis made;
  if (denial.no_name(name, work) == Proof::proved) {
    made.kind = Synthesis::Kind::nxdomain;
  } else if (denial.no_data(name, type, work) == Proof::proved ||
             (type == RRType::ds && denial.no_ds(name, work) == Proof::proved)) {
    made.kind = Synthesis::Kind::nodata;
  } else {
    return expanded(denial, std::move(sets), name, work);
  }
  RRset soa = zone.soa->set;
  soa.ttl = std::min(zone.soa->until - now, wire::soa_minimum(*soa.records.begin()).value_or(0));
  // The answer lives no longer than any part of its proof.
  for (const RRset& set : sets) soa.ttl = std::min(soa.ttl, set.ttl);
  made.authority.push_back(std::move(soa));
  std::ranges::move(sets, std::back_inserter(made.authority));
  return made;
}

/// A wildcard that is among the records stands in for the name, if nothing is closer.
std::optional<KnownDenials::Synthesis> KnownDenials::expanded(const Denial& denial,
                                                              std::vector<RRset> sets,
                                                              const Name& name, Work& work) {
  for (const RRset& set : sets) {
    const std::uint8_t star = '*';
    const bool is_wildcard = std::ranges::equal(set.owner.first_label(), Bytes(&star, 1));
    if (set.type != RRType::nsec || !is_wildcard || set.owner == name) continue;
    const std::size_t labels = set.owner.parent().label_count();
    if (!name.is_below(set.owner.parent())) continue;
    if (denial.no_closer_match(name, labels, work) != Proof::proved) continue;
    Synthesis made;
    made.kind = Synthesis::Kind::expand;
    made.wildcard = set.owner;
    made.authority = std::move(sets);
    return made;
  }
  return std::nullopt;
}

void KnownDenials::clear() noexcept {
  zones_.clear();
  uses_.clear();
  bytes_ = 0;
}

}  // namespace siskin::dnssec
