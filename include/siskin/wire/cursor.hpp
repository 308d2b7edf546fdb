/// Cursors over bytes with a sticky error: after the first failure every call is a no-op that
/// returns zero or an empty span, and the caller looks once, at the end.
#pragma once

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
  std::size_t at_ = 0;
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
  /// Overwrites two octets written earlier.
  void u16_at(std::size_t position, std::uint16_t value) noexcept;

  std::size_t position() const noexcept { return at_; }
  std::size_t remaining() const noexcept { return buffer_.size() - at_; }
  Bytes written() const noexcept { return {buffer_.data(), at_}; }
  bool failed() const noexcept { return failed_; }
  /// Back to an earlier position, error cleared.
  void rewind(std::size_t position) noexcept;

 private:
  std::span<std::uint8_t> buffer_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace siskin::wire
