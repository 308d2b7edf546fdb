/// Which row of the ledger an entry belongs to.
#pragma once

#include "cache/entry.hpp"
#include "siskin/cache/ledger.hpp"

namespace siskin::cache {

LedgerRow ledger_row(Entry entry) noexcept;

}  // namespace siskin::cache
