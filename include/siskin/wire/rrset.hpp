/// Resource records in memory on the miss path: what resolve hands to cache and serve.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "siskin/wire/name.hpp"
#include "siskin/wire/types.hpp"

namespace siskin::wire {

/// A view of records in RecordList's layout that are known to be sound; it owns nothing.
struct RecordRun {
  const std::uint8_t* at = nullptr;
  std::size_t count = 0;
};

/// RDATA back to back, each behind its two-byte length (big-endian), names inside uncompressed.
/// The same layout as inside a cache entry, so it is stored and rendered by copying.
class RecordList {
 public:
  class Iterator {
   public:
    using value_type = Bytes;
    using difference_type = std::ptrdiff_t;
    Iterator() noexcept = default;
    explicit Iterator(const std::uint8_t* at) noexcept : at_(at) {}
    Bytes operator*() const noexcept { return {at_ + 2, size()}; }
    Iterator& operator++() noexcept {
      at_ += 2 + size();
      return *this;
    }
    Iterator operator++(int) noexcept {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

   private:
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_[0] << 8 | at_[1]); }
    const std::uint8_t* at_ = nullptr;
  };

  /// `rdata` has at most 65535 octets.
  void add(Bytes rdata);
  /// Adds unless an octet-wise equal one is there already (RFC 2181 §5).  Linear; for small sets.
  void add_unique(Bytes rdata);
  bool contains(Bytes rdata) const noexcept;
  std::size_t count() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  Bytes bytes() const noexcept { return bytes_; }
  RecordRun run() const noexcept { return {bytes_.data(), count_}; }
  Iterator begin() const noexcept { return Iterator(bytes_.data()); }
  Iterator end() const noexcept { return Iterator(bytes_.data() + bytes_.size()); }
  friend bool operator==(const RecordList&, const RecordList&) = default;

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t count_ = 0;
};

/// The records of one owner and type, class IN, with their signatures (RFC 2181 §5, RFC 4034 §3).
struct RRset {
  Name owner;
  RRType type = RRType::none;
  std::uint32_t ttl = 0;  ///< seconds; one for the set, and for its signatures
  RecordList records;
  RecordList signatures;  ///< RDATA of the RRSIGs that cover the set

  friend bool operator==(const RRset&, const RRset&) = default;
};

}  // namespace siskin::wire
