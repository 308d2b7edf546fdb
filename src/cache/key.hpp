/// A question as the cache looks for it.
#pragma once

#include <cstdint>
#include <optional>

#include "cache/lowered_words.hpp"
#include "cache/subnet.hpp"
#include "siskin/base/check.hpp"
#include "siskin/base/siphash.hpp"
#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::cache {

/// Name and type, and for a tailored answer the client subnet, with their hash.
class Key {
 public:
  /// `name`: one uncompressed name of at most 255 octets, any letter case; it must outlive the key.
  Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept
      : Key(begin_hash(hash_key, name, type, 0).finish(), name, type) {}
  /// Hashed before.
  Key(std::uint64_t hash, wire::Bytes name, wire::RRType type) noexcept
      : name_(name), hash_(hash), own_hash_(hash), type_(type) {
    SISKIN_DCHECK(wire::name_size(name) == name.size());
  }

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
  /// The first word tells all sizes, so that no message begins another one.
  static SipHash13 begin_hash(HashKey hash_key, wire::Bytes name, wire::RRType type,
                              std::size_t subnet_size) noexcept {
    SISKIN_CHECK(!name.empty() && name.size() <= wire::kNameSizeMax);
    SipHash13 hash(hash_key);
    hash.add(static_cast<std::uint64_t>(type) | name.size() << 16 | subnet_size << 32);
    const LoweredWords words(name);
    for (std::size_t i = 0; i < words.whole(); ++i) hash.add(words[i]);
    if (words.left() != 0) hash.add(words.last());
    return hash;
  }

  wire::Bytes name_;
  std::uint64_t hash_;
  std::uint64_t own_hash_;  ///< of name and type
  wire::RRType type_;
  std::optional<SubnetField> subnet_;
};

}  // namespace siskin::cache
