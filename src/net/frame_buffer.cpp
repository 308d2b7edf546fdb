#include "net/frame_buffer.hpp"

#include <algorithm>

#include "siskin/base/check.hpp"

namespace siskin::net {
namespace {

constexpr std::size_t kLengthSize = 2;
constexpr std::size_t kSizeMin = 512;
constexpr std::size_t kSizeMax = kLengthSize + kMessageMax;
constexpr std::size_t kSizeKept = 4096;  // an empty buffer above it is given back

}  // namespace

std::span<std::uint8_t> FrameBuffer::room() {
  compact();
  if (end_ == bytes_.size()) bytes_.resize(std::clamp(bytes_.size() * 2, kSizeMin, kSizeMax));
  return std::span(bytes_).subspan(end_);
}

void FrameBuffer::compact() {
  if (empty() && bytes_.size() > kSizeKept) bytes_ = {};
  if (begin_ == 0) return;
  std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
            bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
  end_ -= begin_;
  begin_ = 0;
}

std::optional<std::span<const std::uint8_t>> FrameBuffer::next() noexcept {
  const auto waiting = std::span<const std::uint8_t>(bytes_).subspan(begin_, end_ - begin_);
  if (waiting.size() < kLengthSize) return std::nullopt;
  const auto length = static_cast<std::size_t>(waiting[0] << 8 | waiting[1]);
  if (waiting.size() - kLengthSize < length) return std::nullopt;
  begin_ += kLengthSize + length;
  return waiting.subspan(kLengthSize, length);
}

void append_frame(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> message) {
  SISKIN_CHECK(message.size() <= kMessageMax);
  out.reserve(out.size() + kLengthSize + message.size());
  out.push_back(static_cast<std::uint8_t>(message.size() >> 8));
  out.push_back(static_cast<std::uint8_t>(message.size()));
  out.insert(out.end(), message.begin(), message.end());
}

}  // namespace siskin::net
