/// Putting an outcome together from replies, link by link.
#pragma once

#include "resolve/core.hpp"

namespace siskin::resolve {

/// Takes the reply's aliases over; false with outcome.error set when they go in circles or are more
/// than the budget has.
bool append_aliases(const Core& core, Budget& budget, const Reply& reply, Outcome& outcome);

/// Takes over what the chain ends with: the set, or that there is none.
void append_end(const Core& core, Reply& reply, Outcome& outcome);

/// How specific a positive reply is to the asker's network, in bits.
std::uint8_t scope_of(const Reply& reply);

/// `sets` with that TTL.
std::vector<wire::RRset> aged(std::vector<wire::RRset> sets, std::uint32_t ttl);

}  // namespace siskin::resolve
