#include "cache/key.hpp"

#include <algorithm>

#include "siskin/base/check.hpp"

namespace siskin::cache {

Key::Key(HashKey hash_key, wire::Bytes name, wire::RRType type) noexcept
    : size_(name.size()), type_(type) {
  SISKIN_CHECK(size_ >= 1 && size_ <= wire::kNameSizeMax);
  SISKIN_DCHECK(wire::name_size(name) == size_);
  // Lengths of labels are below 'A', so lowering all octets touches letters only.
  for (std::size_t i = 0; i < size_; ++i) octets_[i] = wire::to_lower(name[i]);
  const auto number = static_cast<std::uint16_t>(type);
  octets_[size_] = static_cast<std::uint8_t>(number >> 8);
  octets_[size_ + 1] = static_cast<std::uint8_t>(number);
  own_hash_ = siphash13(hash_key, {octets_.data(), size_ + 2});
  hash_ = own_hash_;
}

void Key::narrow(HashKey hash_key, unsigned shared_bits, const SubnetField& subnet) noexcept {
  const wire::Bytes field = subnet.bytes();
  std::ranges::copy(field, octets_.data() + size_ + 2);
  subnet_size_ = static_cast<std::uint8_t>(field.size());
  const std::uint64_t own = siphash13(hash_key, {octets_.data(), size_ + 2 + field.size()});
  const std::uint64_t rest = ~std::uint64_t{0} >> shared_bits;
  hash_ = (own_hash_ & ~rest) | (own & rest);
}

}  // namespace siskin::cache
