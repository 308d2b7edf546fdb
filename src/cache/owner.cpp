#include "cache/owner.hpp"

#include <algorithm>
#include <bitset>

namespace siskin::cache {
namespace {

/// Bit i: a label (or the root's) starts at offset i.
using LabelStarts = std::bitset<wire::kNameSizeMax>;

LabelStarts label_starts(wire::Bytes name) noexcept {
  LabelStarts starts;
  for (std::size_t at = 0; at < name.size(); at += 1U + name[at]) starts.set(at);
  return starts;
}

std::size_t common_tail(wire::Bytes a, wire::Bytes b) noexcept {
  std::size_t same = 0;
  const std::size_t most = std::min(a.size(), b.size());
  while (same < most &&
         wire::to_lower(a[a.size() - 1 - same]) == wire::to_lower(b[b.size() - 1 - same])) {
    ++same;
  }
  return same;
}

bool is_pointer(wire::Bytes stored, std::size_t at) noexcept {
  return stored[at] == kOwnerPointer;
}

}  // namespace

OwnerCut cut_owner(wire::Bytes owner, wire::Bytes key) noexcept {
  const std::size_t tail = common_tail(owner, key);
  const LabelStarts starts = label_starts(key);
  // A pointer takes two octets, so a tail of the root label alone is not worth it; nor is any tail
  // that is not whole labels of both names.
  for (std::size_t at = 0; at + 2 < owner.size(); at += 1U + owner[at]) {
    const std::size_t rest = owner.size() - at;
    if (rest <= tail && starts.test(key.size() - rest)) {
      return {at, static_cast<std::uint8_t>(key.size() - rest)};
    }
  }
  return {owner.size(), std::nullopt};
}

std::size_t stored_owner_size(const std::uint8_t* at) noexcept {
  std::size_t size = 0;
  while (at[size] != 0 && at[size] != kOwnerPointer) size += 1U + at[size];
  return at[size] == 0 ? size + 1 : size + 2;
}

wire::Bytes expand_owner(wire::Bytes stored, wire::Bytes key,
                         std::span<std::uint8_t, wire::kNameSizeMax> buffer) noexcept {
  std::size_t own = 0;
  while (stored[own] != 0 && !is_pointer(stored, own)) own += 1U + stored[own];
  if (stored[own] == 0) return stored;
  const wire::Bytes shared = key.subspan(stored[own + 1]);
  std::ranges::copy(stored.first(own), buffer.begin());
  std::ranges::copy(shared, buffer.begin() + static_cast<std::ptrdiff_t>(own));
  return buffer.first(own + shared.size());
}

std::optional<std::size_t> checked_owner_size(wire::Bytes bytes, wire::Bytes key) noexcept {
  std::size_t own = 0;
  while (own < bytes.size() && bytes[own] != 0 && bytes[own] <= wire::kLabelSizeMax) {
    own += 1U + bytes[own];
  }
  if (own >= bytes.size()) return std::nullopt;
  if (bytes[own] == 0) {
    return own < wire::kNameSizeMax ? std::optional(own + 1) : std::nullopt;
  }
  if (!is_pointer(bytes, own) || own + 1 >= bytes.size()) return std::nullopt;
  const std::size_t offset = bytes[own + 1];
  const bool sound = offset < key.size() && label_starts(key).test(offset) &&
                     own + key.size() - offset <= wire::kNameSizeMax;
  return sound ? std::optional(own + 2) : std::nullopt;
}

}  // namespace siskin::cache
