/// Building a message: header, question, whole RRsets with name compression, OPT last.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rrset.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::wire {

/// Writes one message into a caller's buffer.  No heap.
/// Order of use: begin, question, add_* in section order, finish.
/// Compression (RFC 1035 §4.1.4): suffixes of names written earlier are found through a small
/// fixed table; a name costs at most its labels in probes, so a message costs linear time whatever
/// it holds; a full table only costs compression.
/// A set that does not fit leaves the message as it was before it, and truncated() turns true;
/// after that nothing more is added to answer and authority.
class MessageWriter {
 public:
  /// `limit` ≤ buffer.size(): what the client can take.  `reserved`: octets kept free for OPT.
  MessageWriter(std::span<std::uint8_t> buffer, std::size_t limit, std::size_t reserved) noexcept;

  /// `flags` without QR's help: written as given.  TC and counts are set by finish().
  void begin(std::uint16_t id, std::uint16_t flags) noexcept;
  /// `name` uncompressed; its letter case is kept.
  void question(Bytes name, RRType type, RRClass klass) noexcept;

  /// All records of one owner and type, or none.  `records`: as RecordList::bytes(), well-formed.
  /// `first`: index of the record to begin with (rotation), taken modulo the count.
  bool add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl, Bytes records,
                 std::size_t first = 0) noexcept;
  bool add(Section section, const RRset& set, bool with_signatures, std::size_t first = 0) noexcept;

  /// Size of the OPT record that finish() will write for `error`.
  static std::size_t opt_size(const ExtendedError* error) noexcept;

  struct Opt {
    std::uint16_t udp_size = kUdpSizeDefault;
    bool dnssec_ok = false;
    const ExtendedError* error = nullptr;  ///< dropped when it does not fit
  };

  /// Writes OPT when given, RCODE, TC and the counts; returns the message.
  Bytes finish(Rcode rcode, const Opt* opt) noexcept;

  bool truncated() const noexcept { return truncated_; }
  std::size_t count(Section section) const noexcept {
    return counts_[static_cast<std::size_t>(section)];
  }

 private:
  /// Offsets of label sequences already in the message, by a hash of their lowered octets.
  static constexpr std::size_t kSlots = 256;

  void name(Bytes name, bool compress) noexcept;
  void rdata(RRType type, Bytes rdata) noexcept;
  bool suffix_is_at(std::size_t offset, Bytes suffix) const noexcept;

  std::span<std::uint8_t> buffer_;
  Writer out_;
  std::size_t limit_;
  std::size_t reserved_;
  bool truncated_ = false;
  std::array<std::uint16_t, 3> counts_{};
  std::array<std::uint16_t, kSlots> offsets_{};  ///< 0: free (the header is there)
};

}  // namespace siskin::wire
