/// What a zone says of the keys of a zone below: pure decisions about replies to DS questions.
#pragma once

#include "resolve/core.hpp"

namespace siskin::resolve {

/// The deepest zone that is known on the way to some name, and how far it can be trusted.
struct Standing {
  wire::Name zone;
  SharedTrust trust;

  bool is_secure() const noexcept { return trust->is_secure(); }
};

/// What is at a name.
struct CutFinding {
  enum class Kind : std::uint8_t {
    keys,     ///< a signed zone: see `ds`
    no_keys,  ///< a zone without keys: nothing below it is to be signed
    no_cut,   ///< no zone begins there
    between,  ///< another zone lies between: see `zone`
    untold,   ///< the reply does not prove anything: see `why`
  };
  Kind kind = Kind::untold;
  wire::RRset ds;
  wire::Name zone;
  std::uint32_t ttl = 0;                   ///< seconds for which that holds
  std::optional<wire::ExtendedError> why;  ///< untold, and no_keys where there is more to say of it
  bool is_unsure = false;                  ///< untold, because there was no reply
};

/// `reply`: to (`name`, DS), of which nothing need have been checked; it is marked with what was
/// found, and records that are not signed well are taken out of a denial.  `above`: secure, and
/// above `name`.
CutFinding find_cut(Core& core, dnssec::Work& work, const Standing& above, const wire::Name& name,
                    Reply& reply);

/// The zone whose keys have signed the set, going by its signatures: the deepest of those that
/// could be it (RFC 4035 §5.3.1).  A DS is signed from above.
std::optional<wire::Name> signer_of(const wire::RRset& set);

/// What keep_signed() has left of a denial.
struct Denied {
  bool is_sound = true;     ///< the SOA is signed, and something is left
  dnssec::Finding finding;  ///< of what was not signed, the last
  std::uint32_t ttl = 0;    ///< the least of all that are left
};
/// Takes out of `denial` the NSEC and NSEC3 that are not signed by the zone, or only as a wildcard
/// (fault A35), lowers TTLs to what signatures allow, and lets `core.denials` know of what is left.
Denied keep_signed(Core& core, dnssec::Work& work, const Standing& zone,
                   std::vector<wire::RRset>& denial);

}  // namespace siskin::resolve
