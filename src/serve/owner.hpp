/// Which core resolves a question.
#pragma once

#include "siskin/base/siphash.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::serve {

/// The same for any letter case of `name`.  Keyed, lest one core be given all the work.
unsigned owner_of(wire::Bytes name, wire::RRType type, HashKey key, unsigned cores) noexcept;

}  // namespace siskin::serve
