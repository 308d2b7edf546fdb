#include "sim/denial.hpp"

#include <algorithm>

#include "dnssec/nsec3.hpp"
#include "siskin/dnssec/denial.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::sim {

using dnssec::Nsec3Hash;
using wire::Name;
using wire::RRset;
using wire::RRType;

namespace {

Nsec3Hash hash_of_owner(const RRset& set) {
  return dnssec::from_base32hex(set.owner.first_label()).value();
}

Nsec3Hash hash_of(const RRset& any, const Name& name) {
  wire::Reader reader(*any.records.begin());
  reader.skip(2);
  const unsigned iterations = reader.u16();
  const wire::Bytes salt = reader.bytes(reader.u8());
  return dnssec::nsec3_hash(name, salt, iterations);
}

Name wildcard_of(const Name& name) {
  const std::uint8_t star = '*';
  return name.with_label({&star, 1}).value();
}

}  // namespace

Denial::Denial(const Zone& zone)
    : zone_(zone), nsec_(zone.sets_of(RRType::nsec)), nsec3_(zone.sets_of(RRType::nsec3)) {
  std::ranges::sort(nsec_, [](const RRset* a, const RRset* b) {
    return dnssec::compare_canonical(a->owner, b->owner) < 0;
  });
  std::ranges::sort(nsec3_, {}, [](const RRset* set) { return hash_of_owner(*set); });
}

const RRset* Denial::match(const Name& name) const {
  if (nsec3_.empty()) return zone_.find(name, RRType::nsec);
  const auto at = std::ranges::find(nsec3_, hash_of(*nsec3_.front(), name),
                                    [](const RRset* set) { return hash_of_owner(*set); });
  return at == nsec3_.end() ? nullptr : *at;
}

/// The last one before it; the last of all where it comes before the first.
const RRset* Denial::cover(const Name& name) const {
  if (match(name) != nullptr) return nullptr;
  if (!nsec3_.empty()) {
    const Nsec3Hash hash = hash_of(*nsec3_.front(), name);
    const auto after =
        std::ranges::find_if(nsec3_, [&](const RRset* set) { return hash_of_owner(*set) > hash; });
    return after == nsec3_.begin() ? nsec3_.back() : *std::prev(after);
  }
  const auto after = std::ranges::find_if(
      nsec_, [&](const RRset* set) { return dnssec::compare_canonical(set->owner, name) > 0; });
  return after == nsec_.begin() ? nullptr : *std::prev(after);
}

Name Denial::encloser(const Name& name) const {
  Name at = name;
  while (!zone_.exists(at)) at = at.parent();
  return at;
}

Name Denial::next_closer(const Name& name) const {
  return name.suffix(encloser(name).label_count() + 1);
}

void Denial::add(const RRset* set, Reply& reply) const {
  if (set == nullptr) return;
  const auto is_same = [set](const RRset& told) {
    return told.type == set->type && told.owner == set->owner;
  };
  if (std::ranges::none_of(reply.authority, is_same)) reply.authority.push_back(*set);
}

void Denial::no_name(const Name& name, Reply& reply) const {
  if (nsec3_.empty()) {
    add(cover(name), reply);
  } else {
    add(match(encloser(name)), reply);
    add(cover(next_closer(name)), reply);
  }
  add(cover(wildcard_of(encloser(name))), reply);
}

void Denial::no_data(const Name& name, Reply& reply) const {
  if (zone_.exists(name)) {
    const RRset* const own = match(name);
    return add(own != nullptr ? own : cover(name), reply);  // an empty non-terminal has no NSEC
  }
  if (!nsec3_.empty()) add(match(encloser(name)), reply);
  expanded(name, reply);
  add(match(wildcard_of(encloser(name))), reply);
}

void Denial::expanded(const Name& name, Reply& reply) const {
  add(cover(nsec3_.empty() ? name : next_closer(name)), reply);
}

void Denial::no_ds(const Name& cut, Reply& reply) const {
  if (const RRset* const own = match(cut)) return add(own, reply);
  // Opt-out: the closest encloser that has an NSEC3, and what covers the name below it.
  Name closest = cut.parent();
  Name next = cut;
  while (match(closest) == nullptr && closest != zone_.origin()) {
    next = closest;
    closest = closest.parent();
  }
  add(match(closest), reply);
  add(cover(next), reply);
}

}  // namespace siskin::sim
