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

constexpr std::size_t kNodes = 160;  ///< of maps and lists, with what the allocator rounds up
constexpr std::size_t kSetSizeMax = 4096;
constexpr std::size_t kDepthMax = 40;           ///< labels below the apex that are hashed
constexpr std::uint32_t kHashedBeforeMax = 16;  ///< in this query
constexpr std::uint32_t kTtlUnknown = 900;      ///< where the SOA is not

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

std::size_t octets_of(const RRset& set) {
  return set.records.bytes().size() + set.signatures.bytes().size();
}

/// "\\000.name" behind "name": it speaks of that name alone, whose answer the cache has.
bool spans_nothing(const RRset& nsec) {
  const Name next = wire::Reader(*nsec.records.begin()).name();
  const std::uint8_t zero = 0;
  return next.is_below(nsec.owner) && next.parent() == nsec.owner &&
         std::ranges::equal(next.first_label(), Bytes(&zero, 1));
}

struct Parameters {
  bool is_opt_out = false;
  unsigned iterations = 0;
  Bytes salt;
  Bytes types;
};

/// Nothing where it is not to be computed.
std::optional<Parameters> parameters_of(const RRset& set) {
  wire::Reader reader(*set.records.begin());
  const unsigned algorithm = reader.u8();
  const unsigned flags = reader.u8();
  Parameters parameters;
  parameters.is_opt_out = flags == 1;
  parameters.iterations = reader.u16();
  parameters.salt = reader.bytes(reader.u8());
  reader.skip(reader.u8());
  parameters.types = reader.bytes(reader.remaining());
  const bool is_usable = !reader.failed() && algorithm == 1 && flags <= 1 &&
                         parameters.iterations <= Denial::kIterationsMax;
  return is_usable ? std::optional(parameters) : std::nullopt;
}

/// Below a cut or a DNAME the zone has nothing to say.
bool ends_zone(const RRset& nsec3) {
  const auto parameters = parameters_of(nsec3);
  if (!parameters) return true;
  const auto has = [&](RRType type) { return has_type(parameters->types, type); };
  return has(RRType::dname) || (has(RRType::ns) && !has(RRType::soa));
}

std::optional<std::string> key_of(const RRset& set) {
  if (set.type == RRType::nsec) return name_key(set.owner);
  const auto hash = from_base32hex(set.owner.first_label());
  return hash ? std::optional(hash_key(*hash)) : std::nullopt;
}

void add_once(std::vector<RRset>& sets, const RRset* set) {
  if (set == nullptr) return;
  const auto is_same = [set](const RRset& one) { return one.owner == set->owner; };
  if (std::ranges::none_of(sets, is_same)) sets.push_back(*set);
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
  if (!zone.soa) return kTtlUnknown;
  const RRset& soa = zone.soa->set;
  return std::min(soa.ttl, wire::soa_minimum(*soa.records.begin()).value_or(kTtlUnknown));
}

std::uint32_t KnownDenials::end_of(const Zone& zone, const Row& row) {
  return std::min(row.until, row.added + negative_ttl(zone));
}

void KnownDenials::add(const Name& name, const RRset& set, std::uint32_t now) {
  if (set.ttl == 0 || set.records.count() != 1 || octets_of(set) > kSetSizeMax) return;
  if (set.type == RRType::soa) {
    if (set.owner == name) put_soa(zone_for(name), set, now);
  } else if (set.type == RRType::nsec) {
    if (spans_nothing(set)) return;
    Zone& zone = zone_for(name);
    if (zone.has_nsec3) drop_rows(zone);
    zone.has_nsec3 = false;
    put(zone, name_key(set.owner), set, now);
  } else if (set.type == RRType::nsec3) {
    const auto key = key_of(set);
    if (!key || !(set.owner.parent() == name) || !parameters_of(set)) return;
    Zone& zone = zone_for(name);
    prepare_nsec3(zone, set);
    put(zone, *key, set, now);
  }
  make_room();
}

void KnownDenials::put_soa(Zone& zone, const RRset& set, std::uint32_t now) {
  const std::size_t before = zone.soa ? octets_of(zone.soa->set) : 0;
  zone.soa = Row{set, now, now + set.ttl, {}};
  zone.bytes += octets_of(set) - before;
  bytes_ += octets_of(set) - before;
}

/// Rows of other parameters, and NSEC, go.
void KnownDenials::prepare_nsec3(Zone& zone, const RRset& set) {
  const auto parameters = parameters_of(set);
  const bool is_same = zone.has_nsec3 && zone.iterations == parameters->iterations &&
                       std::ranges::equal(zone.salt, parameters->salt);
  zone.is_opt_out = parameters->is_opt_out;
  if (is_same) return;
  drop_rows(zone);
  zone.has_nsec3 = true;
  zone.iterations = parameters->iterations;
  zone.salt.assign(parameters->salt.begin(), parameters->salt.end());
}

std::size_t KnownDenials::charge_of(const Key& key, const RRset& set) {
  return sizeof(Row) + 2 * (sizeof(Key) + key.size()) + kNodes + octets_of(set);
}

void KnownDenials::put(Zone& zone, const Key& key, const RRset& set, std::uint32_t now) {
  drop(zone, key);
  const std::size_t charge = charge_of(key, set);
  while (!zone.uses.empty() && zone.bytes + charge > bytes_max_ / 8) {
    drop(zone, Key(zone.uses.back()));
  }
  zone.uses.push_front(key);
  zone.bytes += charge;
  bytes_ += charge;
  zone.rows.insert_or_assign(key, Row{set, now, now + set.ttl, zone.uses.begin()});
}

void KnownDenials::drop(Zone& zone, const Key& key) {
  const auto at = zone.rows.find(key);
  if (at == zone.rows.end()) return;
  const std::size_t charge = charge_of(key, at->second.set);
  zone.bytes -= charge;
  bytes_ -= charge;
  zone.uses.erase(at->second.use);
  zone.rows.erase(at);
}

void KnownDenials::drop_rows(Zone& zone) {
  while (!zone.uses.empty()) drop(zone, Key(zone.uses.back()));
}

void KnownDenials::make_room() {
  while (bytes() > bytes_max_ && !uses_.empty()) {
    const auto last = zones_.find(uses_.back());
    Zone& zone = last->second;
    if (!zone.uses.empty()) {
      drop(zone, Key(zone.uses.back()));
    } else {
      bytes_ -= zone.bytes;
      uses_.pop_back();
      zones_.erase(last);
    }
  }
}

std::size_t KnownDenials::bytes() const noexcept {
  return bytes_ + zones_.size() * (sizeof(Zone) + 2 * sizeof(Name) + 2 * kNodes);
}

const KnownDenials::Row* KnownDenials::find(const Zone& zone, const RRset& set) {
  if (set.type == RRType::soa) return zone.soa ? &*zone.soa : nullptr;
  const bool is_kind = set.type == (zone.has_nsec3 ? RRType::nsec3 : RRType::nsec);
  const auto key = is_kind ? key_of(set) : std::nullopt;
  const auto at = key ? zone.rows.find(*key) : zone.rows.end();
  return at == zone.rows.end() ? nullptr : &at->second;
}

std::uint32_t KnownDenials::knows(const Name& name, const RRset& set, std::uint32_t now) const {
  const auto zone = zones_.find(name);
  const Row* const row = zone == zones_.end() ? nullptr : find(zone->second, set);
  const bool is_same = row != nullptr && row->until > now && row->set.owner == set.owner &&
                       row->set.records == set.records && row->set.signatures == set.signatures;
  return is_same ? row->until - now : 0;
}

/// The last one of all is before the first of NSEC3.
const RRset* KnownDenials::at_or_before(Zone& zone, const Key& key, std::uint32_t now) {
  auto at = zone.rows.upper_bound(key);
  if (at == zone.rows.begin() && !zone.has_nsec3) return nullptr;
  if (at == zone.rows.begin()) at = zone.rows.end();
  if (zone.rows.empty()) return nullptr;
  Row& row = std::prev(at)->second;
  const std::uint32_t end = end_of(zone, row);
  if (end <= now) return nullptr;
  zone.uses.splice(zone.uses.begin(), zone.uses, row.use);
  row.set.ttl = end - now;
  return &row.set;
}

/// What is at or covers the name, and the wildcard that would stand in for it.
KnownDenials::Gathered KnownDenials::gather_nsec(Zone& zone, const Name& name, std::uint32_t now) {
  Gathered gathered;
  gathered.name = name;
  const RRset* const nearest = at_or_before(zone, name_key(name), now);
  if (nearest == nullptr) return gathered;
  const Name next = wire::Reader(*nearest->records.begin()).name();
  const std::size_t labels =
      std::max(common_labels(name, nearest->owner), common_labels(name, next));
  add_once(gathered.sets, nearest);
  if (nearest->owner == name || next.is_below(name)) return gathered;
  gathered.wildcard = wildcard_below(name.suffix(labels));
  if (gathered.wildcard) {
    add_once(gathered.sets, at_or_before(zone, name_key(*gathered.wildcard), now));
  }
  return gathered;
}

/// From the name up: the closest encloser that has a record, what covers the name below it, and the
/// wildcard.  Spans with opt-out prove nothing, so there only the name itself is of interest.
KnownDenials::Gathered KnownDenials::gather_nsec3(const Name& apex, Zone& zone, const Name& name,
                                                  std::uint32_t now, Work& work) {
  Gathered gathered;
  const std::size_t depth = name.label_count() - apex.label_count();
  if (depth > kDepthMax || work.hashes() > kHashedBeforeMax) return gathered;
  const auto nearest = [&](const Name& wanted) -> std::pair<const RRset*, bool> {
    if (!work.spend_hash()) return {nullptr, false};
    const Key key = hash_key(nsec3_hash(wanted, zone.salt, zone.iterations));
    const RRset* const set = at_or_before(zone, key, now);
    return {set, set != nullptr && zone.rows.contains(key)};
  };
  const RRset* below = nullptr;
  const std::size_t last = zone.is_opt_out ? name.label_count() : apex.label_count();
  for (std::size_t labels = name.label_count();; --labels) {
    const Name at = name.suffix(labels);
    const auto [set, is_match] = nearest(at);
    if (is_match) {
      const bool is_name = labels == name.label_count();
      if (!is_name && (below == nullptr || ends_zone(*set))) return {};
      gathered.name = is_name ? name : name.suffix(labels + 1);
      add_once(gathered.sets, set);
      if (is_name) return gathered;
      gathered.cover = gathered.sets.front().owner == below->owner ? 0 : 1;
      add_once(gathered.sets, below);
      gathered.wildcard = wildcard_below(at);
      if (gathered.wildcard) add_once(gathered.sets, nearest(*gathered.wildcard).first);
      return gathered;
    }
    below = set;
    if (labels == last) return {};
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
  auto& [apex, zone] = *found;
  uses_.splice(uses_.begin(), uses_, zone.use);
  Gathered gathered =
      zone.has_nsec3 ? gather_nsec3(apex, zone, name, now, work) : gather_nsec(zone, name, now);
  if (gathered.sets.empty()) return std::nullopt;
  const Denial denial(apex, gathered.sets);
  Synthesis made;
  if (denial.no_name(gathered.name, work) == Proof::proved) {
    made.kind = Synthesis::Kind::nxdomain;
  } else if (denial.no_data(gathered.name, type, work) == Proof::proved ||
             (type == RRType::ds && denial.no_ds(gathered.name, work) == Proof::proved)) {
    made.kind = Synthesis::Kind::nodata;
  } else {
    return type == RRType::ds ? std::nullopt : expanded(apex, gathered, work);
  }
  // Without the SOA nobody could be told for how long that holds.
  if (!zone.soa || zone.soa->until <= now) return std::nullopt;
  RRset soa = zone.soa->set;
  soa.ttl = std::min(zone.soa->until - now, wire::soa_minimum(*soa.records.begin()).value_or(0));
  // The answer lives no longer than any part of its proof.
  for (const RRset& set : gathered.sets) soa.ttl = std::min(soa.ttl, set.ttl);
  made.authority.push_back(std::move(soa));
  std::ranges::move(gathered.sets, std::back_inserter(made.authority));
  return made;
}

/// Whether there is such a wildcard, the caller knows (RFC 8198 §5.3).
std::optional<KnownDenials::Synthesis> KnownDenials::expanded(const Name& apex,
                                                              const Gathered& gathered,
                                                              Work& work) {
  if (!gathered.wildcard) return std::nullopt;
  Synthesis made;
  made.kind = Synthesis::Kind::expand;
  made.wildcard = *gathered.wildcard;
  made.authority = {gathered.sets[gathered.cover]};
  const std::size_t labels = made.wildcard.parent().label_count();
  const Denial denial(apex, made.authority);
  const Proof proof = denial.no_closer_match(gathered.name, labels, work);
  return proof == Proof::proved ? std::optional(std::move(made)) : std::nullopt;
}

void KnownDenials::clear() noexcept {
  zones_.clear();
  uses_.clear();
  bytes_ = 0;
}

}  // namespace siskin::dnssec
