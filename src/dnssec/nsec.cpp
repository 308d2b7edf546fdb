#include "dnssec/nsec.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRType;

/// The deepest existing name above one that is covered: as deep as either end of the span tells.
Name closest_encloser(const Nsec& nsec, const Name& name) {
  return name.suffix(std::max(common_labels(name, nsec.owner), common_labels(name, nsec.next)));
}

}  // namespace

void NsecProofs::add(const Name& owner, Bytes rdata) {
  wire::Reader reader(rdata);
  Nsec nsec;
  nsec.owner = owner;
  nsec.next = reader.name();
  const Bytes types = reader.bytes(reader.remaining());
  if (reader.failed() || !owner.is_at_or_below(zone_) || !nsec.next.is_at_or_below(zone_)) return;
  nsec.types.assign(types.begin(), types.end());
  records_.push_back(std::move(nsec));
}

const Nsec* NsecProofs::match(const Name& name) const {
  const auto at = std::ranges::find(records_, name, &Nsec::owner);
  return at == records_.end() ? nullptr : &*at;
}

const Nsec* NsecProofs::cover(const Name& name) const {
  const auto at =
      std::ranges::find_if(records_, [&](const Nsec& nsec) { return covers(nsec, name); });
  return at == records_.end() ? nullptr : &*at;
}

/// Between owner and next, or behind the last owner, whose next is the apex.  Not below a cut or a
/// DNAME: there the zone's own order ends (RFC 6840 §4.1, fault A33).
bool NsecProofs::covers(const Nsec& nsec, const Name& name) const {
  if (!name.is_below(zone_) || compare_canonical(nsec.owner, name) >= 0) return false;
  if (nsec.next != zone_ && compare_canonical(name, nsec.next) >= 0) return false;
  return !name.is_below(nsec.owner) || !(nsec.is_at_cut() || nsec.has(RRType::dname));
}

Proof NsecProofs::no_name(const Name& name) const {
  const Nsec* const nsec = cover(name);
  if (nsec == nullptr || nsec->next.is_below(name)) return Proof::missing;  // below it is something
  const auto wildcard = wildcard_below(closest_encloser(*nsec, name));
  if (!wildcard) return Proof::proved;  // no room for it: then there is none
  const Nsec* const none = cover(*wildcard);
  const bool is_denied = none != nullptr && !none->next.is_below(*wildcard);
  return is_denied ? Proof::proved : Proof::missing;
}

Proof NsecProofs::no_data(const Name& name, RRType type) const {
  if (const Nsec* const nsec = match(name)) {
    return nsec->denies_at(name, type, zone_) ? Proof::proved : Proof::missing;
  }
  const Nsec* const nsec = cover(name);
  if (nsec == nullptr) return Proof::missing;
  if (nsec->next.is_below(name)) return Proof::proved;  // an empty non-terminal
  const auto wildcard = wildcard_below(closest_encloser(*nsec, name));
  const Nsec* const source = wildcard ? match(*wildcard) : nullptr;
  return source != nullptr && source->denies_expanded(type) ? Proof::proved : Proof::missing;
}

Proof NsecProofs::no_ds(const Name& name) const {
  const Nsec* const nsec = match(name);
  return nsec != nullptr && nsec->is_unsigned_cut() ? Proof::proved : Proof::missing;
}

Proof NsecProofs::no_closer_match(const Name& name, std::size_t labels) const {
  const Nsec* const nsec = name.label_count() <= labels ? nullptr : cover(name);
  if (nsec == nullptr || nsec->next.is_below(name)) return Proof::missing;
  // Something nearer than the wildcard's parent would have had to be asked first.
  return closest_encloser(*nsec, name).label_count() <= labels ? Proof::proved : Proof::missing;
}

}  // namespace siskin::dnssec
