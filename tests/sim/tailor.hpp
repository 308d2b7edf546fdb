/// Servers that answer by client subnet (RFC 7871).
#pragma once

#include "sim/message.hpp"

namespace siskin::sim {

/// A server that knows the option and repeats it in every reply, with scope 0 where it was told of
/// nobody or denies something.  Whoever it is told of gets to an address question, where the zone
/// has an address, the first host of their own network cut to `scope` instead.
Hook tailors(unsigned scope);

/// It repeats the option with another network in it.
Hook confuses_subnets();

}  // namespace siskin::sim
