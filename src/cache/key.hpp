/// A question as the cache looks for it.
#pragma once

#include <array>
#include <cstdint>

#include "cache/subnet.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::cache {

/// Name and type, and for a tailored answer the client subnet: the name lowered once into a buffer
/// on the stack, then hashed with the rest.
class Key {
 public:
  /// `name`: one uncompressed name of at most 255 octets, any letter case.
  Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept;

  /// The same question for one subnet only, or its directory.  The upper `shared_bits` of the hash
  /// stay those of name and type, so that all variants of a question lie in one shard.
  void narrow(HashKey hash_key, unsigned shared_bits, const SubnetField& subnet) noexcept;
  /// Back to the question that holds for everybody.
  void widen() noexcept {
    hash_ = own_hash_;
    subnet_size_ = 0;
  }

  wire::Bytes name() const noexcept { return {octets_.data(), size_}; }  ///< lowered
  wire::RRType type() const noexcept { return type_; }
  std::uint64_t hash() const noexcept { return hash_; }
  /// Empty: for everybody.
  wire::Bytes subnet() const noexcept { return {octets_.data() + size_ + 2, subnet_size_}; }

 private:
  std::size_t size_;
  std::uint64_t hash_;
  std::uint64_t own_hash_;  ///< of name and type
  wire::RRType type_;
  std::uint8_t subnet_size_ = 0;
  /// The name, the type, the subnet; has_key() reads on to the end of eight octets.
  std::array<std::uint8_t, wire::kNameSizeMax + 2 + SubnetField::kSizeMax + 6> octets_;
};

}  // namespace siskin::cache
