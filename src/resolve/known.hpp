/// What the cache knows of one name.
#pragma once

#include "resolve/audience.hpp"
#include "resolve/core.hpp"

namespace siskin::resolve {

struct Known {
  Reply reply;
  std::optional<wire::ExtendedError> failure;  ///< asking failed a short while ago
  bool is_stale = false;                       ///< what it says has expired
};

/// How old it may be.
struct Age {
  std::uint32_t seconds_left = 1;  ///< at least; positive and negative answers
  bool may_be_stale = false;       ///< expired, if nothing fresh is there; failures are passed over
};

/// The set, an alias, that there is none, or that asking failed.
std::optional<Known> known_of(const Core& core, const wire::Name& name, wire::RRType type,
                              const Audience& audience, const Age& age = {});

/// Whether an NXDOMAIN for `name` with that SOA (RFC 8020) is one for all names below: where the
/// root says it of a top-level name, and elsewhere if the operator believes it.  There are servers
/// that deny empty non-terminals (fault B3).
bool denies_all_below(const Core& core, const std::vector<wire::RRset>& denial,
                      const wire::Name& name);

}  // namespace siskin::resolve
