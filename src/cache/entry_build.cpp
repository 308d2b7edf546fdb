#include <algorithm>
#include <array>

#include "cache/entry.hpp"
#include "cache/owner.hpp"

namespace siskin::cache {
namespace {

/// Counts octets, and writes them too once it is given memory: the size and the bytes come from
/// the same code, so that they cannot differ.
class Sink {
 public:
  Sink() noexcept = default;
  explicit Sink(std::uint8_t* to) noexcept : to_(to) {}

  void u8(std::size_t value) noexcept {
    if (to_ != nullptr) to_[size_] = static_cast<std::uint8_t>(value);
    ++size_;
  }
  void u16(std::size_t value) noexcept {
    u8(value >> 8 & 255U);
    u8(value & 255U);
  }
  void bytes(wire::Bytes data) noexcept {
    if (to_ != nullptr && !data.empty()) std::memcpy(to_ + size_, data.data(), data.size());
    size_ += data.size();
  }
  void lowered(wire::Bytes name) noexcept {
    if (to_ != nullptr) std::ranges::transform(name, to_ + size_, wire::to_lower);
    size_ += name.size();
  }
  template <class T>
  void host(T value) noexcept {
    std::array<std::uint8_t, sizeof value> octets;
    std::memcpy(octets.data(), &value, sizeof value);
    bytes(octets);
  }
  void count(std::size_t value) noexcept {
    if (value >= 128) u8(128U | (value >> 8 & 127U));
    u8(value & 255U);
  }
  std::size_t size() const noexcept { return size_; }

 private:
  std::uint8_t* to_ = nullptr;
  std::size_t size_ = 0;
};

std::size_t set_count(const Value& value) noexcept {
  return value.answer.size() + value.authority.size() + value.additional.size();
}

bool is_plain(const Key& key, const Value& value) noexcept {
  if (set_count(value) != 1 || value.answer.size() != 1 || value.error) return false;
  const wire::RRset& set = value.answer.front();
  return set.type == key.type() && set.signatures.empty() && set.records.count() >= 1 &&
         set.records.count() <= 255 && wire::equal_names(set.owner.wire(), key.name());
}

void write_error(Sink& sink, const wire::ExtendedError& error) noexcept {
  sink.u16(static_cast<std::size_t>(error.code));
  sink.u16(error.text.size());
  for (const char c : error.text) sink.u8(static_cast<std::uint8_t>(c));
}

void write_set(Sink& sink, const Key& key, wire::Section section, const wire::RRset& set) noexcept {
  const bool own_type = set.type != key.type();
  const bool own_owner = !wire::equal_names(set.owner.wire(), key.name());
  const bool is_signed = !set.signatures.empty();
  sink.u8(static_cast<std::size_t>(section) | (own_type ? kLeadOwnType : 0U) |
          (own_owner ? kLeadOwnOwner : 0U) | (is_signed ? kLeadSigned : 0U));
  if (own_type) sink.u16(static_cast<std::size_t>(set.type));
  if (own_owner) {
    const OwnerCut cut = cut_owner(set.owner.wire(), key.name());
    sink.bytes(set.owner.wire().first(cut.own));
    if (cut.offset) sink.u16(std::size_t{kOwnerPointer} << 8 | *cut.offset);
  }
  sink.count(set.records.count());
  if (is_signed) sink.count(set.signatures.count());
  sink.bytes(set.records.bytes());
  sink.bytes(set.signatures.bytes());
}

void write(Sink& sink, const Key& key, const Value& value, std::uint32_t expiry) noexcept {
  const bool plain = is_plain(key, value);
  sink.host(expiry);
  sink.host(static_cast<std::uint16_t>(key.type()));
  sink.u8(static_cast<std::size_t>(value.kind) | (plain ? kHeadPlain : 0U) |
          (value.error ? kHeadError : 0U) | (key.subnet().empty() ? 0U : kHeadTailored) |
          static_cast<std::size_t>(value.security) << kHeadSecurityShift);
  sink.u8(plain ? value.answer.front().records.count() : set_count(value));
  sink.lowered(key.name());
  sink.bytes(key.subnet());
  if (plain) return sink.bytes(value.answer.front().records.bytes());
  if (value.error) write_error(sink, *value.error);
  for (const wire::RRset& set : value.answer) write_set(sink, key, wire::Section::answer, set);
  for (const wire::RRset& set : value.authority) {
    write_set(sink, key, wire::Section::authority, set);
  }
  for (const wire::RRset& set : value.additional) {
    write_set(sink, key, wire::Section::additional, set);
  }
}

}  // namespace

Memory build_entry(const Key& key, const Value& value, std::uint32_t expiry) {
  if (set_count(value) > kEntrySetsMax) return nullptr;
  Sink measured;
  write(measured, key, value, expiry);
  if (measured.size() > kEntrySizeMax) return nullptr;
  Memory memory = allocate(measured.size());
  Sink sink(memory.get());
  write(sink, key, value, expiry);
  return memory;
}

}  // namespace siskin::cache
