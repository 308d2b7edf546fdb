#include "cache/entry.hpp"
#include "cache/owner.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::cache {
namespace {

/// Reads as SetReader does, but each step within bounds and each inequality looked at.
class Checker {
 public:
  explicit Checker(wire::Bytes bytes) noexcept : bytes_(bytes), in_(bytes) {}

  std::optional<std::size_t> size() noexcept {
    if (bytes_.size() <= kEntryHeaderSize) return std::nullopt;
    const Entry entry(bytes_.data());
    in_.skip(kEntryHeaderSize);
    key_ = in_.bytes(wire::name_size(bytes_.subspan(kEntryHeaderSize)));
    require(!key_.empty() && entry.kind() <= Kind::failure && is_lowered(key_));
    if (entry.is_tailored() && subnet(entry) == kSubnetDirectory) {
      require(entry.count() >= 1 && !entry.is_plain() && !entry.has_error());
      directory(entry.count());
    } else if (entry.is_plain()) {
      require(entry.count() >= 1 && !entry.has_error());
      records(entry.count());
    } else {
      if (entry.has_error()) error();
      for (std::size_t i = 0; i < entry.count() && !in_.failed(); ++i) set(entry.type());
    }
    require(in_.position() <= kEntrySizeMax);
    return in_.failed() ? std::nullopt : std::optional(in_.position());
  }

 private:
  void require(bool holds) noexcept {
    if (!holds) in_.fail();
  }

  static bool is_lowered(wire::Bytes name) noexcept {
    for (const std::uint8_t octet : name) {
      if (octet != wire::to_lower(octet)) return false;
    }
    return true;
  }

  std::uint8_t subnet(Entry entry) noexcept {
    const std::uint8_t code = in_.u8();
    require(is_subnet_code(code) && entry.kind() == Kind::positive);
    if (in_.failed()) return 0;
    const wire::Bytes octets = in_.bytes(subnet_size(code) - 1);
    const unsigned used = prefix_length_of(code) % 8;
    if (used != 0 && code != kSubnetDirectory && !octets.empty()) {
      require((octets.back() & 0xffU >> used) == 0);
    }
    return code;
  }

  void directory(std::size_t rows) noexcept {
    unsigned above = kSubnetDirectory;
    for (; rows > 0 && !in_.failed(); --rows) {
      const std::uint8_t code = in_.u8();
      require(is_subnet_code(code) && code < above && in_.u32() >= 1);
      above = code;
    }
  }

  void error() noexcept {
    in_.skip(2);
    in_.skip(in_.u16());
  }

  void set(wire::RRType key_type) noexcept {
    const std::uint8_t lead = in_.u8();
    const std::uint8_t section = lead & kLeadSection;
    require(section >= section_ && section <= 2);
    require((lead & ~(kLeadSection | kLeadOwnType | kLeadOwnOwner | kLeadSigned)) == 0);
    section_ = section;
    if ((lead & kLeadOwnType) != 0) require(wire::RRType{in_.u16()} != key_type);
    if ((lead & kLeadOwnOwner) != 0 && !in_.failed()) owner();
    const std::size_t record_count = count();
    const std::size_t signature_count = (lead & kLeadSigned) != 0 ? count() : 0;
    require((lead & kLeadSigned) == 0 || signature_count >= 1);
    records(record_count);
    records(signature_count);
  }

  void owner() noexcept {
    const auto size = checked_owner_size(bytes_.subspan(in_.position()), key_);
    require(size.has_value());
    in_.skip(size.value_or(0));
  }

  std::size_t count() noexcept {
    const std::size_t first = in_.u8();
    if (first < 128) return first;
    const std::size_t value = (first & 127U) << 8 | in_.u8();
    require(value >= 128);
    return value;
  }

  void records(std::size_t count) noexcept {
    for (; count > 0 && !in_.failed(); --count) in_.skip(in_.u16());
  }

  wire::Bytes bytes_;
  wire::Bytes key_;
  wire::Reader in_;
  std::uint8_t section_ = 0;
};

}  // namespace

std::optional<std::size_t> checked_size(wire::Bytes bytes) noexcept {
  return Checker(bytes).size();
}

}  // namespace siskin::cache
