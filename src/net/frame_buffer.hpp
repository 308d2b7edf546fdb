/// Cuts a TCP byte stream into DNS messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace siskin::net {

inline constexpr std::size_t kMessageMax = 65535;

/// Two octets of length stand before each message (RFC 1035 §4.2.2).  Grows with what has arrived,
/// not with what a length promises, so that a silent peer holds 512 octets and no more.
///
///   bytes_: [ taken | whole messages, then a part of one | free ]
///           0     begin_                               end_   size
class FrameBuffer {
 public:
  /// Where to put what comes next; never empty as long as next() was called until it had nothing.
  std::span<std::uint8_t> room();
  void added(std::size_t count) noexcept { end_ += count; }
  /// The next whole message, valid until room() or clear().
  std::optional<std::span<const std::uint8_t>> next() noexcept;
  /// No octet waits for next().
  bool empty() const noexcept { return begin_ == end_; }
  void clear() noexcept { begin_ = end_ = 0; }

 private:
  void compact();

  std::vector<std::uint8_t> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Appends `message` with its length in front; `message` is at most kMessageMax long.
void append_frame(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> message);

}  // namespace siskin::net
