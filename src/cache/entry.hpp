/// A cache entry: one allocation of exactly the octets below, no pointer and no padding in it.
///
///   offset  octets
///   0       4       expiry: second of the monotonic line at which the entry is dead (host order)
///   4       2       type of the key (host order)
///   6       1       head: bits 0-2 kind, bit 3 `plain`, bit 4 `has_error`, bit 5 `tailored`,
///                   bits 6-7 security
///   7       1       plain: number of records, 1..255; otherwise: number of sets, 0..255
///   8       k       name of the key, wire form, lowered; ends itself with the root label
///   8+k     s       if tailored: the client subnet (subnet.hpp); otherwise s = 0
///   8+k+s   ...     plain:     the records
///                   otherwise: [error] set set set ...
///                   or, of a directory, rows of five octets (variants.hpp)
///
///   error           u16 INFO-CODE, u16 size of the text, the text
///   set     1       lead: bits 0-1 section, bit 2 own type, bit 3 own owner, bit 4 signed
///           2       if own type: the set's type, where it is not the key's
///           n       if own owner: the owner, where it is not the key (owner.hpp)
///           1|2     number of records: one octet below 128, else two with the top bit set
///           1|2     if signed: number of RRSIGs, written alike
///           ...     the records, then the RRSIGs
///   record          u16 length, RDATA: exactly RecordList's layout, so that a set is stored and
///                   rendered by copying
///
/// Numbers of more than one octet behind the name are big-endian.  Plain is what most entries are:
/// one set of the key's own name and type in the answer, without signatures; it costs 8 octets
/// beyond the name, the lengths and the RDATA.
///
/// Inequalities (checked_size() walks an entry and verifies them):
///   9 ≤ 8+k ≤ 263;  size ≤ 65535;  each part ends at or before the size, the last exactly there
///   section(set i) ≤ section(set i+1) ≤ 2;  1 ≤ records(plain);  kind ≤ failure
///   plain ⇒ no error;  own type ⇒ it differs from the key's;  signed ⇒ 1 ≤ number of RRSIGs
///   tailored ⇒ kind = positive, and s is what the subnet's code says
///   an owner's pointer leads to the start of a label of the key;  spelled out it has ≤ 255 octets
///
/// What is not there, and why: no size (the parts add up to it, and the allocator knows its class),
/// no hash (the slot keeps the bits that growth needs), no original TTL (nothing reads it), no
/// section offsets (two bits of each set's lead name the section, and nothing jumps to a section),
/// no list links (recency lives in the slot).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "cache/key.hpp"
#include "cache/memory.hpp"
#include "siskin/cache/cache.hpp"

namespace siskin::cache {

inline constexpr std::size_t kEntrySizeMax = 65535;
inline constexpr std::size_t kEntryHeaderSize = 8;
inline constexpr std::size_t kEntrySetsMax = 255;

/// Bits of the head.
inline constexpr std::uint8_t kHeadKind = 7;
inline constexpr std::uint8_t kHeadPlain = 8;
inline constexpr std::uint8_t kHeadError = 16;
inline constexpr std::uint8_t kHeadTailored = 32;
inline constexpr unsigned kHeadSecurityShift = 6;

/// Bits of a set's lead.
inline constexpr std::uint8_t kLeadSection = 3;
inline constexpr std::uint8_t kLeadOwnType = 4;
inline constexpr std::uint8_t kLeadOwnOwner = 8;
inline constexpr std::uint8_t kLeadSigned = 16;

/// It does not tell what the name holds now.
constexpr bool is_no_news(Kind kind, Security security) noexcept {
  return kind == Kind::failure || security == Security::bogus;
}

/// A set inside an entry; all spans point into it.
struct StoredSet {
  wire::Section section = wire::Section::answer;
  wire::RRType type = wire::RRType::none;
  wire::Bytes owner;  ///< as stored (owner.hpp); empty: the key
  wire::RecordRun records;
  wire::RecordRun signatures;
};

/// Reads an entry that build_entry() made.  Points at the allocation and owns nothing.
class Entry {
 public:
  explicit Entry(const std::uint8_t* at) noexcept : at_(at) {}

  std::uint32_t expiry() const noexcept { return load<std::uint32_t>(0); }
  wire::RRType type() const noexcept { return wire::RRType{load<std::uint16_t>(4)}; }
  Kind kind() const noexcept { return static_cast<Kind>(at_[6] & kHeadKind); }
  bool is_plain() const noexcept { return (at_[6] & kHeadPlain) != 0; }
  bool has_error() const noexcept { return (at_[6] & kHeadError) != 0; }
  bool is_tailored() const noexcept { return (at_[6] & kHeadTailored) != 0; }
  Security security() const noexcept { return static_cast<Security>(at_[6] >> kHeadSecurityShift); }
  std::size_t count() const noexcept { return at_[7]; }
  const std::uint8_t* name() const noexcept { return at_ + kEntryHeaderSize; }
  const std::uint8_t* at() const noexcept { return at_; }
  /// The name is walked to its end.
  wire::Bytes whole_name() const noexcept;
  /// What follows the name and the subnet.  `name_size`: octets of the key's name, which whoever
  /// found the entry knows.
  const std::uint8_t* body(std::size_t name_size) const noexcept {
    const std::uint8_t* const end = name() + name_size;
    return is_tailored() ? end + subnet_size(*end) : end;
  }
  bool is_directory(std::size_t name_size) const noexcept {
    return is_tailored() && name()[name_size] == kSubnetDirectory;
  }
  /// Prefix length of its subnet; 0: it holds for everybody, or for those who opted out.
  std::uint8_t scope(std::size_t name_size) const noexcept {
    return is_tailored() ? static_cast<std::uint8_t>(prefix_length_of(name()[name_size]))
                         : std::uint8_t{0};
  }

  bool is_alive(std::uint32_t now) const noexcept { return expiry() > now; }
  /// Compares eight octets at a time up to the first difference: no key is the beginning of another
  /// one, so this never reads on behind the shorter one but to the end of its last eight octets,
  /// which belong to the allocation (memory.hpp).
  bool has_key(const Key& key) const noexcept;

 private:
  template <class T>
  T load(std::size_t offset) const noexcept {
    T value;
    std::memcpy(&value, at_ + offset, sizeof value);
    return value;
  }

  const std::uint8_t* at_;
};

/// Walks the sets of an entry in order.
class SetReader {
 public:
  /// `name_size`: octets of the key's name.
  SetReader(Entry entry, std::size_t name_size) noexcept;

  /// False after the last one.
  bool next(StoredSet& set) noexcept;

 private:
  std::size_t count() noexcept;
  wire::RecordRun records(std::size_t count) noexcept;

  Entry entry_;
  const std::uint8_t* at_;
  std::size_t left_;
};

/// One exact allocation that holds `value`; nothing when it has no place in an entry (more than
/// 65535 octets in all, or more than 255 sets).
Memory build_entry(const Key& key, const Value& value, std::uint32_t expiry);

/// The error of an entry, if it has one.
std::optional<wire::ExtendedError> error_of(Entry entry, std::size_t name_size);

/// An entry taken apart; `key_name` is its key in any letter case, `ttl` what is left.
Value take_apart(Entry entry, const wire::Name& key_name, std::uint32_t ttl);

/// The exact size of the entry at the start of `bytes` when all inequalities hold; trusts nothing.
std::optional<std::size_t> checked_size(wire::Bytes bytes) noexcept;

}  // namespace siskin::cache
