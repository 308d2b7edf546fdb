/// Domain names as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "siskin/base/result.hpp"

namespace siskin::wire {

inline constexpr std::size_t kNameSizeMax = 255;  ///< RFC 1035 §2.3.4, root label included
inline constexpr std::size_t kLabelSizeMax = 63;
inline constexpr std::size_t kLabelsMax = 127;  ///< without the root label

using Bytes = std::span<const std::uint8_t>;

/// ASCII letters only (RFC 4343).
constexpr std::uint8_t to_lower(std::uint8_t octet) noexcept {
  return octet >= 'A' && octet <= 'Z' ? static_cast<std::uint8_t>(octet + 32) : octet;
}

/// Length in octets of the uncompressed, well-formed name at the start of `bytes`; 0 when it is
/// not one (a compression pointer, too long, cut off).
std::size_t name_size(Bytes bytes) noexcept;

/// Whether two uncompressed names in wire form are equal, letter case ignored.
bool equal_names(Bytes a, Bytes b) noexcept;

/// A fully qualified domain name in uncompressed wire form; the letter case is kept, comparisons
/// ignore it.  Any octet may be in a label.  A plain value of 256 octets without a heap: fit for
/// the miss path; the cache stores only wire().
/// Invariant: wire() is a well-formed name of 1 to 255 octets that ends with the root label.
class Name {
 public:
  Name() noexcept = default;  ///< the root

  /// Presentation format with \DDD and \X escapes (RFC 1035 §5.1); a final dot is optional.
  static Result<Name> from_text(std::string_view text);
  /// `wire` must be exactly one uncompressed name.
  static Result<Name> from_wire(Bytes wire);
  /// REQUIRES: name_size(wire) == wire.size() > 0; checked in builds without NDEBUG.
  static Name from_valid_wire(Bytes wire) noexcept;

  Bytes wire() const noexcept { return {octets_.data(), size_}; }
  std::size_t size() const noexcept { return size_; }
  bool is_root() const noexcept { return size_ == 1; }
  /// Labels without the root's: "www.example." has 2.
  std::size_t label_count() const noexcept;
  /// The first (leftmost) label's octets; empty for the root.
  Bytes first_label() const noexcept;

  /// The name without its first label; the root's parent is the root.
  Name parent() const noexcept;
  /// The last `labels` labels (and the root's); all of it when it has no more.
  Name suffix(std::size_t labels) const noexcept;
  /// True for the name itself too; every name is at or below the root.
  bool is_at_or_below(const Name& ancestor) const noexcept;
  bool is_below(const Name& ancestor) const noexcept;

  /// DNAME substitution (RFC 6672 §2.3): the labels before `from` in front of `to`.  Nothing when
  /// this is not below `from`, or the result is over 255 octets (YXDOMAIN).
  std::optional<Name> substitute(const Name& from, const Name& to) const noexcept;
  /// A new first label; nothing when it is over 63 octets, empty, or the name grows over 255.
  std::optional<Name> with_label(Bytes label) const noexcept;

  Name lowered() const noexcept;
  /// For 0x20: flips letters where `bits` says so; bit i of the stream (bit i % 8, counted from
  /// the lowest, of octet i / 8) goes with the i-th letter.  Letters beyond the stream stay.
  void randomise_case(std::span<const std::uint8_t> bits) noexcept;

  /// Presentation format with the final dot; unprintable octets as \DDD.
  std::string to_text() const;

  friend bool operator==(const Name& a, const Name& b) noexcept {
    return equal_names(a.wire(), b.wire());
  }
  /// An order for maps (octets of the lowered wire form), not RFC 4034's canonical order.
  friend bool operator<(const Name& a, const Name& b) noexcept { return a.less(b); }

 private:
  bool less(const Name& other) const noexcept;

  std::uint8_t size_ = 1;
  std::array<std::uint8_t, kNameSizeMax> octets_{};
};

/// For the text of an Extended DNS Error, which has to stay small: at most 60 octets of the name,
/// and words in place of a longer one.
std::string brief_text(const Name& name);

}  // namespace siskin::wire
