#include "cache/key.hpp"

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
  hash_ = siphash13(hash_key, {octets_.data(), size_ + 2});
}

}  // namespace siskin::cache
