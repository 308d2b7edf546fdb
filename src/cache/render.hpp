/// From an entry straight into a reply.
#pragma once

#include "cache/entry.hpp"
#include "siskin/cache/cache.hpp"

namespace siskin::cache {

/// As Cache::render says, for a live entry.  `name` is its key in any letter case; the caller holds
/// the shard's lock, so this neither waits nor allocates (but for the text of a failure).
Rendered render_entry(Entry entry, wire::Bytes name, std::uint32_t now,
                      const Cache::RenderOptions& options, wire::MessageWriter& out);

}  // namespace siskin::cache
