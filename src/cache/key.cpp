#include "cache/key.hpp"

#include <algorithm>

namespace siskin::cache {
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
