#include "cache/variants.hpp"

#include <algorithm>
#include <limits>

namespace siskin::cache {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Directory::Row Directory::operator[](std::size_t index) const noexcept {
  const std::uint8_t* const at = rows_ + index * kRowSize;
  Row row{at[0], 0};
  for (std::size_t i = 1; i < kRowSize; ++i) row.variants = row.variants << 8 | at[i];
  return row;
}

void Directory::set(std::size_t index, Row row) const noexcept {
  std::uint8_t* const at = rows_ + index * kRowSize;
  at[0] = row.code;
  for (std::size_t i = 1; i < kRowSize; ++i) {
    at[i] = static_cast<std::uint8_t>(row.variants >> 8 * (kRowSize - 1 - i));
  }
}

std::size_t Directory::find(std::uint8_t code) const noexcept {
  std::size_t index = 0;
  while (index < size() && rows_[index * kRowSize] > code) ++index;
  return index;
}

bool Directory::has(std::uint8_t code) const noexcept {
  const std::size_t index = find(code);
  return index < size() && rows_[index * kRowSize] == code;
}

std::size_t Directory::variants() const noexcept {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += (*this)[i].variants;
  return sum;
}

void Directory::add(std::uint8_t code) noexcept {
  const std::size_t index = find(code);
  const Row row = (*this)[index];
  set(index, {row.code, row.variants + 1});
}

void Directory::take(std::uint8_t code) noexcept {
  if (!has(code)) return;
  const std::size_t index = find(code);
  const Row row = (*this)[index];
  if (row.variants > 1) return set(index, {row.code, row.variants - 1});
  std::uint8_t* const at = rows_ + index * kRowSize;
  std::copy(at + kRowSize, rows_ + size() * kRowSize, at);
  --at_[7];
}

std::size_t directory_size(const Key& key, const Directory* old) noexcept {
  const std::size_t rows = 1 + (old != nullptr ? old->size() : 0);
  return kEntryHeaderSize + key.name().size() + key.subnet().size() + rows * Directory::kRowSize;
}

Memory build_directory(const Key& key, const Directory* old, std::uint8_t code) {
  Memory memory = allocate(directory_size(key, old));
  std::uint8_t* const at = memory.get();
  const auto type = static_cast<std::uint16_t>(key.type());
  std::memcpy(at, &kNever, sizeof kNever);
  std::memcpy(at + 4, &type, sizeof type);
  at[6] = static_cast<std::uint8_t>(Kind::positive) | kHeadTailored;
  at[7] = 0;
  std::uint8_t* to = std::ranges::transform(key.name(), at + kEntryHeaderSize, wire::to_lower).out;
  to = std::ranges::copy(key.subnet(), to).out;

  const std::size_t rows = old != nullptr ? old->size() : 0;
  const std::size_t index = old != nullptr ? old->find(code) : 0;
  const Directory fresh(Entry(at), key.name().size());
  at[7] = static_cast<std::uint8_t>(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) fresh.set(i < index ? i : i + 1, (*old)[i]);
  fresh.set(index, {code, 1});
  return memory;
}

Network widened(const Network& subnet, std::size_t variants, std::size_t variants_max) noexcept {
  constexpr unsigned kWideV4 = 16;
  constexpr unsigned kWideV6 = 32;
  constexpr unsigned kWidest = 8;
  if (variants < variants_max || subnet.prefix_length() == 0) return subnet;
  const bool is_far_over = variants >= variants_max + variants_max / 4;
  const unsigned wide = subnet.address().is_v4() ? kWideV4 : kWideV6;
  const unsigned length = is_far_over ? kWidest : wide;
  return Network::of(subnet.address(), std::min(length, subnet.prefix_length()));
}

}  // namespace siskin::cache
