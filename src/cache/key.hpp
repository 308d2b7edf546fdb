/// A question as the cache looks for it.
#pragma once

#include <array>
#include <cstdint>

#include "siskin/base/siphash.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::cache {

/// Name and type: the name lowered once into a buffer on the stack, then hashed with the type.
class Key {
 public:
  /// `name`: one uncompressed name of at most 255 octets, any letter case.
  Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept;

  wire::Bytes name() const noexcept { return {octets_.data(), size_}; }  ///< lowered
  wire::RRType type() const noexcept { return type_; }
  std::uint64_t hash() const noexcept { return hash_; }

 private:
  std::size_t size_;
  std::uint64_t hash_;
  wire::RRType type_;
  std::array<std::uint8_t, wire::kNameSizeMax + 2> octets_;  ///< the name, then the type
};

}  // namespace siskin::cache
