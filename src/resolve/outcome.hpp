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

/// Whether all of it was validated and may be told to clients that do not check themselves.
bool is_good(const Reply& reply) noexcept;
bool is_secure(const Reply& reply) noexcept;  ///< all of it
/// What makes it bogus, if anything does.
const Checked* bogus_part(const Reply& reply) noexcept;
/// What is to be told along with what is not bogus.
const wire::ExtendedError* remark_on(const Reply& reply) noexcept;

/// `sets` with that TTL.
std::vector<wire::RRset> aged(std::vector<wire::RRset> sets, std::uint32_t ttl);

}  // namespace siskin::resolve
