/// Building a message: header, question, whole RRsets with name compression, OPT last.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "siskin/wire/client_subnet.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/edns.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"
#include "siskin/wire/rrset.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::wire {

/// Writes one message into a caller's buffer.  No heap.
/// Order of use: begin, question, add_* in section order, finish.
/// Compression (RFC 1035 §4.1.4): owners, and names in RDATA of RFC 1035 types (RFC 3597 §4), are
/// matched label by label from the right against a small fixed table of label sequences written
/// earlier.  A label costs one hash and a few comparisons of one label, so a message costs time
/// linear in its octets whatever it holds; a full table only costs compression.
/// A set that does not fit leaves the message as it was before it, and truncated() turns true;
/// after that nothing more is added to answer and authority.  In the additional section such a set
/// is left out and nothing else happens (RFC 2181 §9).
class MessageWriter {
 public:
  /// `limit` ≤ buffer.size(): what the client can take.  `reserved`: octets kept free for OPT.
  MessageWriter(std::span<std::uint8_t> buffer, std::size_t limit, std::size_t reserved) noexcept;

  /// `flags` without QR's help: written as given.  TC and counts are set by finish().
  void begin(std::uint16_t id, std::uint16_t flags) noexcept;
  /// Sets AD in the flags given to begin() (RFC 4035 §3.2.3).
  void set_authenticated() noexcept;
  /// `name` uncompressed; its letter case is kept.  At most once.  Records get the question's
  /// class (IN for ANY, and when there is no question).
  void question(Bytes name, RRType type, RRClass klass) noexcept;

  /// All records of one owner and type, or none.  `records`: as RecordList::bytes(), well-formed.
  /// `first`: index of the record to begin with (rotation), taken modulo the count.
  bool add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl, Bytes records,
                 std::size_t first = 0) noexcept;
  bool add_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl, RecordRun records,
                 std::size_t first = 0) noexcept;
  /// The records and, if wanted, their RRSIGs: all or none.  `first` turns the records only.
  bool add(Section section, const RRset& set, bool with_signatures, std::size_t first = 0) noexcept;

  /// Size of the OPT record that finish() will write for these; either may be null.
  static std::size_t opt_size(const ExtendedError* error,
                              const ClientSubnet* subnet = nullptr) noexcept;

  struct Opt {
    std::uint16_t udp_size = kUdpSizeDefault;
    bool dnssec_ok = false;
    const ExtendedError* error = nullptr;  ///< its text, then all of it, dropped if it does not fit
    const ClientSubnet* subnet = nullptr;  ///< dropped if it does not fit
  };

  /// Writes OPT when given, RCODE, TC and the counts; returns the message.
  /// An RCODE over 15 without an OPT to carry its upper bits becomes SERVFAIL.
  Bytes finish(Rcode rcode, const Opt* opt) noexcept;

  bool truncated() const noexcept { return truncated_; }
  std::size_t count(Section section) const noexcept {
    return counts_[static_cast<std::size_t>(section)];
  }

  /// Octets hashed or compared for compression so far: the measure of its work.
  std::size_t TEST_compression_work() const noexcept { return work_; }

 private:
  static constexpr std::size_t kSlots = 256;  ///< a power of two
  static constexpr std::size_t kProbes = 4;
  static constexpr std::size_t kOffsetEnd = 0x4000;  ///< what 14 bits of a pointer cannot say

  struct Mark {
    std::size_t position;
    std::uint16_t count;
  };

  Mark mark(Section section) const noexcept;
  /// Keeps what was written since `mark`, or takes it all back.
  bool settle(Section section, const Mark& mark) noexcept;
  bool is_closed(Section section) const noexcept;

  struct RecordHead;
  void write_rrset(Section section, Bytes owner, RRType type, std::uint32_t ttl, RecordRun records,
                   std::size_t first) noexcept;
  void copy_record(std::uint16_t owner, const RecordHead& head,
                   const std::uint8_t* record) noexcept;
  void write_names(const CompressibleLayout& layout, Bytes rdata) noexcept;
  bool is_question(Bytes name) const noexcept;
  /// Returns where the name can be pointed at from now on; 0 when it cannot.
  std::uint16_t write_name(Bytes name) noexcept;
  void write_pointer(std::uint16_t offset) noexcept;
  bool write_opt(Rcode rcode, const Opt& opt) noexcept;
  void write_error(const ExtendedError& error) noexcept;

  class LabelStarts;
  void enter_question() noexcept;
  void enter_labels(const LabelStarts& labels, std::size_t count, std::uint16_t rest,
                    std::size_t start) noexcept;
  std::uint16_t find(Bytes label, std::uint16_t rest) noexcept;
  bool enter(Bytes label, std::uint16_t rest, std::size_t offset) noexcept;
  void forget_from(std::size_t position) noexcept;
  std::size_t slot_of(Bytes label, std::uint16_t rest) noexcept;
  bool is_at(std::uint16_t offset, Bytes label, std::uint16_t rest) noexcept;

  std::span<std::uint8_t> buffer_;  // as far as the limit
  Writer out_;                      // ends before the reserved octets
  std::uint16_t klass_ = 1;
  std::uint16_t question_size_ = 0;  // octets of its name; 0: no question
  bool truncated_ = false;
  std::array<std::uint16_t, 3> counts_{};
  std::size_t work_ = 0;
  // Offsets of label sequences in the message, by a hash of the first label and of the offset of
  // the rest; 0: free (the header is there).  Not set before the first name that needs it: a reply
  // whose records all belong to the question never touches the table.
  bool table_in_use_ = false;
  std::array<std::uint16_t, kSlots> offsets_;
};

}  // namespace siskin::wire
