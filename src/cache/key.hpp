/// A question as the cache looks for it.
#pragma once

#include <cstdint>
#include <optional>

#include "cache/subnet.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::cache {

/// Name and type, and for a tailored answer the client subnet, with their hash.
class Key {
 public:
  /// `name`: one uncompressed name of at most 255 octets, any letter case; it must outlive the key.
  Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept;
  /// Hashed before.
  Key(std::uint64_t hash, wire::Bytes name, wire::RRType type) noexcept
      : name_(name), hash_(hash), own_hash_(hash), type_(type) {}

  /// The same question for one subnet only, or its directory.  The upper `shared_bits` of the hash
  /// stay those of name and type, so that all variants of a question lie in one shard.
  void narrow(HashKey hash_key, unsigned shared_bits, const SubnetField& subnet) noexcept;
  /// Back to the question that holds for everybody.
  void widen() noexcept {
    hash_ = own_hash_;
    subnet_.reset();
  }

  wire::Bytes name() const noexcept { return name_; }  ///< any letter case
  wire::RRType type() const noexcept { return type_; }
  std::uint64_t hash() const noexcept { return hash_; }
  /// Empty: for everybody.
  wire::Bytes subnet() const noexcept { return subnet_ ? subnet_->bytes() : wire::Bytes(); }

 private:
  wire::Bytes name_;
  std::uint64_t hash_;
  std::uint64_t own_hash_;  ///< of name and type
  wire::RRType type_;
  std::optional<SubnetField> subnet_;
};

}  // namespace siskin::cache
