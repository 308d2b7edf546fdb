/// Owners inside an entry: a set's owner that is not the key is stored as the labels it does not
/// share with the key, then where in the key's name it goes on.
///
///   stored owner = labels, then 0                        nothing worth sharing: the whole name
///                | labels, then 0xC0, offset             goes on at that label of the key's name
///
/// So the SOA of a negative answer, whose owner is an ancestor of the key, costs two octets of
/// owner, and glue below a delegation costs its first label and two octets.
#pragma once

#include <cstdint>
#include <optional>

#include "siskin/wire/name.hpp"

namespace siskin::cache {

inline constexpr std::uint8_t kOwnerPointer = 0xc0;

/// How a name is cut for storage: its first `own` octets, then the key from `offset` on; without an
/// offset, `own` is the whole name.
struct OwnerCut {
  std::size_t own = 0;
  std::optional<std::uint8_t> offset;
};

/// Linear in the sizes of the names.  `key`: lowered or not.
OwnerCut cut_owner(wire::Bytes owner, wire::Bytes key) noexcept;

/// Octets of the stored owner that begins at `at`, its end included.
std::size_t stored_owner_size(const std::uint8_t* at) noexcept;

/// Spelled out into `buffer`, or where it lies when nothing is shared; shared labels are taken
/// from `key`, in the letter case they have there.
wire::Bytes expand_owner(wire::Bytes stored, wire::Bytes key,
                         std::span<std::uint8_t, wire::kNameSizeMax> buffer) noexcept;

/// Size of the stored owner at the start of `bytes` when it is a sound one; trusts nothing but
/// `key`, the well-formed name of the entry.
std::optional<std::size_t> checked_owner_size(wire::Bytes bytes, wire::Bytes key) noexcept;

}  // namespace siskin::cache
