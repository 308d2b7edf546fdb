/// What NSEC and NSEC3 records prove (RFC 4035 §5.4, 5155 §8, 6840 §4, 9276).
#pragma once

#include <memory>
#include <vector>

#include "siskin/dnssec/work.hpp"
#include "siskin/wire/rrset.hpp"

namespace siskin::dnssec {

enum class Proof : std::uint8_t {
  missing,   ///< the records do not prove it
  proved,    ///< it is so
  opt_out,   ///< NSEC3 with opt-out: it may be so, or there is a delegation that is not signed
  insecure,  ///< NSEC3 that is not to be computed (iterations above 50): as if it were not signed
};

/// The denial records of one reply.  Only what a zone's own keys have signed may get in here, and
/// only with signatures of as many labels as the owner (not expanded from a wildcard; fault A35).
/// What does not belong into the zone is left out here: owners and next names from elsewhere (fault
/// A31), NSEC3 of other parameters than the first one's or with unknown flags.
/// Lifetime: copies what it is given.
/// Threads:  none of its own.
class Denial {
 public:
  static constexpr unsigned kIterationsMax = 50;  ///< RFC 9276 §3.2

  /// `sets`: of any types; others than NSEC and NSEC3 are passed over.
  Denial(const wire::Name& zone, const std::vector<wire::RRset>& sets);
  ~Denial();
  Denial(Denial&&) noexcept;
  Denial& operator=(Denial&&) noexcept;

  bool is_empty() const noexcept;

  /// No such name, and no wildcard that would stand in for it (NXDOMAIN).
  Proof no_name(const wire::Name& name, Work& work) const;
  /// The name is there or a wildcard stands in for it, and has neither the type nor a CNAME.
  Proof no_data(const wire::Name& name, wire::RRType type, Work& work) const;
  /// A delegation that is not signed: the name has NS but neither DS nor SOA, or opt-out covers it.
  Proof no_ds(const wire::Name& name, Work& work) const;
  /// There is nothing between the wildcard and the name that it was expanded to: the answer's
  /// signature has `labels` labels.
  Proof no_closer_match(const wire::Name& name, std::size_t labels, Work& work) const;

 private:
  bool is_final(Proof proof) const noexcept;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// RFC 4034 §6.1; below 0: `a` comes first.
int compare_canonical(const wire::Name& a, const wire::Name& b) noexcept;

/// Whether a type bitmap (well-formed) has `type`.
bool has_type(wire::Bytes bitmap, wire::RRType type) noexcept;

}  // namespace siskin::dnssec
