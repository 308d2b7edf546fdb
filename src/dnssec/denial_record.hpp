/// What NSEC and NSEC3 records have in common.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "siskin/dnssec/denial.hpp"

namespace siskin::dnssec {

/// The types at the name that a record speaks of.
struct TypesThere {
  std::vector<std::uint8_t> types;  ///< a bitmap

  bool has(wire::RRType type) const noexcept { return has_type(types, type); }
  /// Of the parent's side of a zone cut: says nothing of what is at and below it but its DS.
  bool is_at_cut() const noexcept { return has(wire::RRType::ns) && !has(wire::RRType::soa); }
  /// Neither the type nor an alias.
  bool denies(wire::RRType type) const noexcept { return !has(type) && !has(wire::RRType::cname); }
  /// The same of the name itself in `zone`.  At a cut the parent's side speaks of the DS alone, and
  /// at the apex the zone speaks of all but that.
  bool denies_at(const wire::Name& name, wire::RRType type, const wire::Name& zone) const noexcept {
    const bool is_own_ds = name == zone && !name.is_root();
    const bool may_speak = type == wire::RRType::ds ? !is_own_ds : !is_at_cut();
    return may_speak && denies(type);
  }
  /// The same of what a wildcard of that name makes.
  bool denies_expanded(wire::RRType type) const noexcept { return !is_at_cut() && denies(type); }
  bool is_unsigned_cut() const noexcept { return is_at_cut() && denies(wire::RRType::ds); }
};

/// "*" below `encloser`; nothing when that is too long for a name.
inline std::optional<wire::Name> wildcard_below(const wire::Name& encloser) noexcept {
  constexpr std::uint8_t kStar = '*';
  return encloser.with_label({&kStar, 1});
}

/// How many of their last labels are the same.
inline std::size_t common_labels(const wire::Name& a, const wire::Name& b) noexcept {
  std::size_t common = 0;
  const std::size_t most = std::min(a.label_count(), b.label_count());
  while (common < most && a.suffix(common + 1) == b.suffix(common + 1)) ++common;
  return common;
}

}  // namespace siskin::dnssec
