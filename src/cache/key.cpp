#include "cache/key.hpp"

#include <algorithm>

#include "cache/lowered_words.hpp"
#include "siskin/base/check.hpp"

namespace siskin::cache {
namespace {

/// The first word tells all sizes, so that no message begins another one.
SipHash13 begin_hash(HashKey hash_key, wire::Bytes name, wire::RRType type,
                     std::size_t subnet_size) noexcept {
  SipHash13 hash(hash_key);
  hash.add(static_cast<std::uint64_t>(type) | name.size() << 16 | subnet_size << 32);
  const LoweredWords words(name);
  for (std::size_t i = 0; i < words.whole(); ++i) hash.add(words[i]);
  if (words.left() != 0) hash.add(words.last());
  return hash;
}

}  // namespace

Key::Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept
    : name_(name), type_(type) {
  SISKIN_CHECK(!name.empty() && name.size() <= wire::kNameSizeMax);
  SISKIN_DCHECK(wire::name_size(name) == name.size());
  own_hash_ = begin_hash(hash_key, name, type, 0).finish();
  hash_ = own_hash_;
}

void Key::narrow(HashKey hash_key, unsigned shared_bits, const SubnetField& subnet) noexcept {
  const wire::Bytes field = subnet.bytes();
  SipHash13 hash = begin_hash(hash_key, name_, type_, field.size());
  for (std::size_t at = 0; at < field.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, field.data() + at, std::min<std::size_t>(8, field.size() - at));
    hash.add(word);
  }
  const std::uint64_t rest = ~std::uint64_t{0} >> shared_bits;
  hash_ = (own_hash_ & ~rest) | (hash.finish() & rest);
  subnet_ = subnet;
}

}  // namespace siskin::cache
