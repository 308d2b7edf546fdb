/// Cursors over bytes with a sticky error: after the first failure every call is a no-op that
/// returns zero or an empty span, and the caller looks once, at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "siskin/wire/name.hpp"

namespace siskin::wire {

/// Reads a message or a part of it.  The bytes must outlive the reader and all spans it returns.
class Reader {
 public:
  explicit Reader(Bytes message, std::size_t at = 0) noexcept;

  std::uint8_t u8() noexcept;
  std::uint16_t u16() noexcept;
  std::uint32_t u32() noexcept;
  Bytes bytes(std::size_t count) noexcept;
  void skip(std::size_t count) noexcept;
  /// A name with compression (RFC 1035 §4.1.4).  Each pointer must go strictly back, before the
  /// start of the part that holds it, so that work is bounded by the name's 127 labels.
  Name name() noexcept;
  /// Moves past a name, compressed or not, without following its pointer.
  void skip_name() noexcept;

  std::size_t position() const noexcept { return at_; }
  std::size_t remaining() const noexcept { return message_.size() - at_; }
  bool failed() const noexcept { return failed_; }
  void fail() noexcept;

 private:
  Bytes message_;
  std::size_t at_ = 0;  // at the end once failed_, so that only empty reads succeed
  bool failed_ = false;
};

/// Writes big-endian values; fails when the buffer is full.
class Writer {
 public:
  explicit Writer(std::span<std::uint8_t> buffer, std::size_t at = 0) noexcept;

  void u8(std::uint8_t value) noexcept;
  void u16(std::uint16_t value) noexcept;
  void u32(std::uint32_t value) noexcept;
  void bytes(Bytes data) noexcept;
  /// The next `count` octets, for the caller to fill; null on failure.
  std::uint8_t* claim(std::size_t count) noexcept;
  /// Overwrites two octets written earlier.
  void u16_at(std::size_t position, std::uint16_t value) noexcept;

  std::size_t position() const noexcept { return at_; }
  std::size_t remaining() const noexcept { return buffer_.size() - at_; }
  Bytes written() const noexcept { return {buffer_.data(), at_}; }
  bool failed() const noexcept { return failed_; }
  /// Back to an earlier position, error cleared.
  void rewind(std::size_t position) noexcept;

 private:
  /// The next `count` octets; empty on failure.
  std::span<std::uint8_t> take(std::size_t count) noexcept;

  std::span<std::uint8_t> buffer_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// The small steps are inline: a reply on the hit path takes some forty of them.

inline Bytes Reader::bytes(std::size_t count) noexcept {
  if (remaining() < count) {
    fail();
    return {};
  }
  const Bytes taken = message_.subspan(at_, count);
  at_ += count;
  return taken;
}

inline void Reader::skip(std::size_t count) noexcept {
  bytes(count);
}

inline std::uint8_t Reader::u8() noexcept {
  const Bytes octets = bytes(1);
  return octets.empty() ? std::uint8_t{0} : octets[0];
}

inline std::uint16_t Reader::u16() noexcept {
  const Bytes octets = bytes(2);
  if (octets.empty()) return 0;
  return static_cast<std::uint16_t>(octets[0] << 8 | octets[1]);
}

inline std::uint32_t Reader::u32() noexcept {
  const Bytes octets = bytes(4);
  if (octets.empty()) return 0;
  return std::uint32_t{octets[0]} << 24 | std::uint32_t{octets[1]} << 16 |
         std::uint32_t{octets[2]} << 8 | octets[3];
}

inline std::span<std::uint8_t> Writer::take(std::size_t count) noexcept {
  if (failed_ || remaining() < count) {
    failed_ = true;
    return {};
  }
  const auto taken = buffer_.subspan(at_, count);
  at_ += count;
  return taken;
}

inline std::uint8_t* Writer::claim(std::size_t count) noexcept {
  if (failed_ || remaining() < count) {
    failed_ = true;
    return nullptr;
  }
  std::uint8_t* const claimed = buffer_.data() + at_;
  at_ += count;
  return claimed;
}

inline void Writer::bytes(Bytes data) noexcept {
  if (const auto place = take(data.size()); !place.empty()) {
    std::ranges::copy(data, place.begin());
  }
}

inline void Writer::u8(std::uint8_t value) noexcept {
  if (const auto place = take(1); !place.empty()) place[0] = value;
}

inline void Writer::u16(std::uint16_t value) noexcept {
  if (const auto place = take(2); !place.empty()) {
    place[0] = static_cast<std::uint8_t>(value >> 8);
    place[1] = static_cast<std::uint8_t>(value);
  }
}

inline void Writer::u32(std::uint32_t value) noexcept {
  if (const auto place = take(4); !place.empty()) {
    place[0] = static_cast<std::uint8_t>(value >> 24);
    place[1] = static_cast<std::uint8_t>(value >> 16);
    place[2] = static_cast<std::uint8_t>(value >> 8);
    place[3] = static_cast<std::uint8_t>(value);
  }
}

inline void Writer::u16_at(std::size_t position, std::uint16_t value) noexcept {
  if (failed_) return;
  if (position > at_ || at_ - position < 2) {
    failed_ = true;
    return;
  }
  buffer_[position] = static_cast<std::uint8_t>(value >> 8);
  buffer_[position + 1] = static_cast<std::uint8_t>(value);
}

}  // namespace siskin::wire
