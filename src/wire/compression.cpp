/// The compression half of MessageWriter.
///
/// The table holds label sequences of the message, each by the offset of its first label.  Equality
/// is decided one label at a time, from the root down: a sequence is (label, offset of the rest),
/// and the rest is known by its one canonical offset, the one found or entered for it before.  So
/// comparing two sequences means comparing one label and one offset, never walking a name.
///
/// Invariants: every entry is below kOffsetEnd and before the end of the message; a sequence is
/// entered only when its rest is (or is the root), so when a label is not found, nothing longer is
/// either; each entry is newer than those probed before it, so forgetting the newest keeps the
/// probe chains of the others whole.

#include <algorithm>
#include <cstring>

#include "siskin/wire/writer.hpp"

namespace siskin::wire {
namespace {

constexpr std::uint16_t kRoot = 0;  ///< the canonical "offset" of the root
constexpr std::uint8_t kPointerMask = 0xc0;

}  // namespace

/// Where each label of a name begins, the root's label included.
class MessageWriter::LabelStarts {
 public:
  explicit LabelStarts(Bytes name) noexcept : name_(name) {
    for (std::size_t at = 0; name[at] != 0; at += name[at] + 1U) {
      starts_[count_++] = static_cast<std::uint8_t>(at);
    }
    starts_[count_] = static_cast<std::uint8_t>(name.size() - 1);
  }
  /// Without the root's.
  std::size_t count() const noexcept { return count_; }
  std::size_t start(std::size_t i) const noexcept { return starts_[i]; }
  Bytes label(std::size_t i) const noexcept {
    return name_.subspan(start(i), name_[start(i)] + 1U);
  }

 private:
  Bytes name_;
  std::size_t count_ = 0;
  std::array<std::uint8_t, kLabelsMax + 1> starts_;  // the first count_ + 1 are set
};

void MessageWriter::write_pointer(std::uint16_t offset) noexcept {
  out_.u16(static_cast<std::uint16_t>(0xc000 | offset));
}

bool MessageWriter::is_question(Bytes name) const noexcept {
  return question_size_ == name.size() && name.size() > 1 &&
         equal_names(name, out_.written().subspan(kHeaderSize, question_size_));
}

std::uint16_t MessageWriter::write_name(Bytes name) noexcept {
  if (name.size() == 1) {
    out_.bytes(name);
    return kRoot;
  }
  if (is_question(name)) {
    write_pointer(kHeaderSize);
    return kHeaderSize;
  }
  if (!table_in_use_) enter_question();

  const LabelStarts labels(name);
  std::size_t fresh = labels.count();  // labels in front of what the message has already
  std::uint16_t rest = kRoot;
  for (; fresh > 0; --fresh) {
    const std::uint16_t found = find(labels.label(fresh - 1), rest);
    if (found == 0) break;
    rest = found;
  }
  const std::size_t start = out_.position();
  if (rest == kRoot) {
    out_.bytes(name);
  } else {
    out_.bytes(name.first(labels.start(fresh)));
    write_pointer(rest);
  }
  if (out_.failed()) return kRoot;
  if (fresh == 0) return rest;
  enter_labels(labels, fresh, rest, start);
  return start < kOffsetEnd ? static_cast<std::uint16_t>(start) : kRoot;
}

/// Enters the first `count` labels of a name written at `start`, whose rest is known as `rest`.
void MessageWriter::enter_labels(const LabelStarts& labels, std::size_t count, std::uint16_t rest,
                                 std::size_t start) noexcept {
  for (; count > 0; --count) {
    const std::size_t offset = start + labels.start(count - 1);
    if (!enter(labels.label(count - 1), rest, offset)) return;
    rest = static_cast<std::uint16_t>(offset);
  }
}

/// Starts the table with the question's name, which stands uncompressed behind the header.
void MessageWriter::enter_question() noexcept {
  offsets_.fill(0);
  table_in_use_ = true;
  if (question_size_ == 0) return;
  const LabelStarts labels(out_.written().subspan(kHeaderSize, question_size_));
  enter_labels(labels, labels.count(), kRoot, kHeaderSize);
}

/// Octets that differ in the bit of letter case alone count as equal here; is_at() is exact.
/// Not keyed: whoever makes labels collide only loses his own message's compression.
std::size_t MessageWriter::slot_of(Bytes label, std::uint16_t rest) noexcept {
  constexpr std::uint64_t kCaseBits = 0x2020202020202020ULL;
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;
  work_ += label.size();
  std::uint64_t hash = rest;
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ (word | kCaseBits)) * kMultiplier;
    hash ^= hash >> 32;
  };
  std::uint64_t word = 0;
  for (; label.size() >= sizeof(word); label = label.subspan(sizeof(word))) {
    std::memcpy(&word, label.data(), sizeof(word));
    add(word);
  }
  word = 0;
  for (const std::uint8_t octet : label) word = word << 8 | octet;
  add(word);
  return hash % kSlots;
}

std::uint16_t MessageWriter::find(Bytes label, std::uint16_t rest) noexcept {
  const std::size_t slot = slot_of(label, rest);
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    const std::uint16_t offset = offsets_[(slot + probe) % kSlots];
    if (offset == 0) return 0;
    if (is_at(offset, label, rest)) return offset;
  }
  return 0;
}

/// Whether the message holds `label` at `offset`, with the sequence known as `rest` behind it.
bool MessageWriter::is_at(std::uint16_t offset, Bytes label, std::uint16_t rest) noexcept {
  const Bytes message = out_.written();
  const std::size_t next = offset + label.size();
  work_ += label.size();
  // The sequence there is whole, so where it seems to pass the end, its label is a shorter one.
  if (next >= message.size() || !equal_names(label, message.subspan(offset, label.size()))) {
    return false;
  }
  if (message[next] == 0) return rest == kRoot;
  if ((message[next] & kPointerMask) == kPointerMask) {
    return (Reader(message, next).u16() & ~0xc000) == rest;
  }
  return next == rest;
}

/// False when there is no room or the offset is out of a pointer's reach.
bool MessageWriter::enter(Bytes label, std::uint16_t rest, std::size_t offset) noexcept {
  if (offset >= kOffsetEnd) return false;
  const std::size_t slot = slot_of(label, rest);
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    std::uint16_t& held = offsets_[(slot + probe) % kSlots];
    if (held != 0) continue;
    held = static_cast<std::uint16_t>(offset);
    return true;
  }
  return false;
}

/// Drops what lies in a part of the message that is taken back.
void MessageWriter::forget_from(std::size_t position) noexcept {
  for (std::uint16_t& offset : offsets_) {
    if (offset >= position) offset = 0;
  }
}

}  // namespace siskin::wire
