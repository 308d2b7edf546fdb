#include "siskin/wire/cursor.hpp"

#include <algorithm>

#include "siskin/wire/header.hpp"

namespace siskin::wire {
namespace {

constexpr std::uint8_t kLabelTypeMask = 0xc0;
constexpr std::uint8_t kPointer = 0xc0;

/// A name never needs more: between two sensible pointers there is at least one label.
constexpr std::size_t kPointersMax = kLabelsMax;

/// Follows one name through a message, collecting its octets.
/// Invariant: part_ <= at_; every part read so far began at or after the present one.
class NameWalk {
 public:
  NameWalk(Bytes message, std::size_t at) noexcept : message_(message), at_(at), part_(at) {}

  /// False when the name is malformed.
  bool run() noexcept {
    for (;;) {
      if (at_ >= message_.size()) return false;
      const std::uint8_t octet = message_[at_];
      if ((octet & kLabelTypeMask) == kPointer) {
        if (!jump()) return false;
      } else if (octet > kLabelSizeMax || !take_label(octet)) {
        return false;  // label types 01 and 10 are dead (RFC 6891 §5)
      } else if (octet == 0) {
        return true;
      }
    }
  }

  Bytes name() const noexcept { return {octets_.data(), size_}; }
  /// Where the message goes on after the name.
  std::size_t end() const noexcept { return pointers_ == 0 ? at_ : end_; }

 private:
  bool jump() noexcept {
    if (message_.size() - at_ < 2 || pointers_ == kPointersMax) return false;
    const std::size_t target = (message_[at_] & 0x3fU) << 8 | message_[at_ + 1];
    // No name lies in the header, so a pointer into it is a lie as well.
    if (target < kHeaderSize || target >= part_) return false;
    if (pointers_++ == 0) end_ = at_ + 2;
    at_ = part_ = target;
    return true;
  }

  bool take_label(std::size_t length) noexcept {
    const std::size_t size = length + 1;
    if (message_.size() - at_ < size || octets_.size() - size_ < size) return false;
    std::ranges::copy(message_.subspan(at_, size), std::span(octets_).subspan(size_).begin());
    at_ += size;
    size_ += size;
    return true;
  }

  Bytes message_;
  std::size_t at_;
  std::size_t part_;
  std::size_t end_ = 0;
  std::size_t pointers_ = 0;
  std::size_t size_ = 0;
  std::array<std::uint8_t, kNameSizeMax> octets_;  // the first size_ are set
};

}  // namespace

Reader::Reader(Bytes message, std::size_t at) noexcept
    : message_(message), at_(std::min(at, message.size())), failed_(at > message.size()) {}

void Reader::fail() noexcept {
  failed_ = true;
  at_ = message_.size();
}

Name Reader::name() noexcept {
  if (failed_) return {};
  NameWalk walk(message_, at_);
  if (!walk.run()) {
    fail();
    return {};
  }
  at_ = walk.end();
  return Name::from_valid_wire(walk.name());
}

void Reader::skip_name() noexcept {
  const std::size_t start = at_;
  while (!failed_) {
    const std::uint8_t octet = u8();
    if ((octet & kLabelTypeMask) == kPointer) return skip(1);
    if (octet > kLabelSizeMax || at_ - start + octet > kNameSizeMax) return fail();
    if (octet == 0) return;
    skip(octet);
  }
}

Writer::Writer(std::span<std::uint8_t> buffer, std::size_t at) noexcept
    : buffer_(buffer), at_(std::min(at, buffer.size())), failed_(at > buffer.size()) {}

void Writer::rewind(std::size_t position) noexcept {
  at_ = std::min(position, at_);
  failed_ = false;
}

}  // namespace siskin::wire
