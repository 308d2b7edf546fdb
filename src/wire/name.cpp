#include "siskin/wire/name.hpp"

#include <algorithm>
#include <cstring>

#include "siskin/base/check.hpp"

namespace siskin::wire {
namespace {

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

constexpr bool is_letter(std::uint8_t octet) noexcept {
  const std::uint8_t lower = to_lower(octet);
  return lower >= 'a' && lower <= 'z';
}

constexpr std::size_t kWord = sizeof(std::uint64_t);

constexpr std::uint64_t eight_times(std::uint8_t octet) noexcept {
  return 0x0101010101010101ULL * octet;
}

/// Eight octets from `at` on, letters lowered, all at once: adding to the low seven bits of each
/// octet carries into its top bit where the octet is at least 'A', or more than 'Z'.
std::uint64_t lowered_word(Bytes octets, std::size_t at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, octets.subspan(at, kWord).data(), kWord);
  const std::uint64_t low_bits = word & eight_times(0x7f);
  const std::uint64_t from_a = low_bits + eight_times(0x80 - 'A');
  const std::uint64_t beyond_z = low_bits + eight_times(0x7f - 'Z');
  const std::uint64_t is_upper = from_a & ~beyond_z & ~word & eight_times(0x80);
  return word | is_upper >> 2;
}

/// One octet of presentation format with its escape undone.
struct TextOctet {
  std::uint8_t value = 0;
  bool ends_label = false;  ///< a dot that was not escaped
};

/// Takes the next octet off `text`, which is not empty; nothing when an escape is wrong.
std::optional<TextOctet> take_octet(std::string_view& text) noexcept {
  const char c = text.front();
  text.remove_prefix(1);
  if (c != '\\') return TextOctet{static_cast<std::uint8_t>(c), c == '.'};
  if (text.empty()) return std::nullopt;
  if (!is_digit(text[0])) {
    const auto literal = static_cast<std::uint8_t>(text[0]);
    text.remove_prefix(1);
    return TextOctet{literal, false};
  }
  if (text.size() < 3 || !is_digit(text[1]) || !is_digit(text[2])) return std::nullopt;
  const int value = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
  if (value > 255) return std::nullopt;
  text.remove_prefix(3);
  return TextOctet{static_cast<std::uint8_t>(value), false};
}

/// Wire form in the making.  octets[label] is the length octet of the open label, which is
/// filled in when the label ends; octets[label + 1 .. size) is what the label holds so far.
class LabelBuilder {
 public:
  std::size_t label_size() const noexcept { return size_ - label_ - 1; }
  bool is_full() const noexcept { return size_ == kNameSizeMax; }
  void add(std::uint8_t octet) noexcept { octets_[size_++] = octet; }
  void end_label() noexcept {
    octets_[label_] = static_cast<std::uint8_t>(label_size());
    label_ = size_++;
  }
  /// The open label is empty: it becomes the root's.
  Bytes finished() const noexcept { return {octets_.data(), size_}; }

 private:
  std::array<std::uint8_t, kNameSizeMax + 1> octets_{};
  std::size_t label_ = 0;
  std::size_t size_ = 1;
};

Error bad_name(Errc code, std::string_view text, std::string_view why) {
  return {code, "domain name \"" + std::string(text) + "\": " + std::string(why)};
}

/// Characters that mean something else in presentation format.
constexpr bool needs_escape(std::uint8_t octet) noexcept {
  return std::string_view(".\\\"();@$").find(static_cast<char>(octet)) != std::string_view::npos;
}

void append_octet(std::string& text, std::uint8_t octet) {
  if (octet > 0x20 && octet < 0x7f) {
    if (needs_escape(octet)) text += '\\';
    text += static_cast<char>(octet);
    return;
  }
  text += '\\';
  text += static_cast<char>('0' + octet / 100);
  text += static_cast<char>('0' + octet / 10 % 10);
  text += static_cast<char>('0' + octet % 10);
}

}  // namespace

std::size_t name_size(Bytes bytes) noexcept {
  const std::size_t end = std::min(bytes.size(), kNameSizeMax);
  for (std::size_t at = 0; at < end; at += bytes[at] + 1U) {
    if (bytes[at] == 0) return at + 1;
    if (bytes[at] > kLabelSizeMax) return 0;
  }
  return 0;
}

bool equal_names(Bytes a, Bytes b) noexcept {
  // Length octets are at most 63, below every letter: lowering leaves them alone.
  if (a.size() != b.size()) return false;
  if (a.size() < kWord) {
    return std::ranges::equal(a, b, {}, to_lower, to_lower);
  }
  for (std::size_t at = 0; at + kWord < a.size(); at += kWord) {
    if (lowered_word(a, at) != lowered_word(b, at)) return false;
  }
  // The last word may overlap the one before.
  return lowered_word(a, a.size() - kWord) == lowered_word(b, b.size() - kWord);
}

Result<Name> Name::from_text(std::string_view text) {
  if (text.empty()) return bad_name(Errc::malformed, text, "empty; the root is \".\"");
  if (text == ".") return Name();
  LabelBuilder built;
  for (std::string_view rest = text; !rest.empty();) {
    const auto octet = take_octet(rest);
    if (!octet) return bad_name(Errc::malformed, text, "wrong escape; \\DDD or \\X expected");
    if (octet->ends_label && built.label_size() == 0) {
      return bad_name(Errc::malformed, text, "empty label");
    }
    if (!octet->ends_label && built.label_size() == kLabelSizeMax) {
      return bad_name(Errc::too_long, text, "label longer than 63 octets");
    }
    if (built.is_full()) return bad_name(Errc::too_long, text, "longer than 255 octets");
    if (octet->ends_label) {
      built.end_label();
    } else {
      built.add(octet->value);
    }
  }
  if (built.label_size() != 0) {
    if (built.is_full()) return bad_name(Errc::too_long, text, "longer than 255 octets");
    built.end_label();
  }
  return from_valid_wire(built.finished());
}

Result<Name> Name::from_wire(Bytes wire) {
  if (wire.empty() || name_size(wire) != wire.size()) {
    return Error{Errc::malformed, "not one uncompressed domain name"};
  }
  return from_valid_wire(wire);
}

Name Name::from_valid_wire(Bytes wire) noexcept {
  SISKIN_DCHECK(!wire.empty() && name_size(wire) == wire.size());
  Name name;
  std::ranges::copy(wire, name.octets_.begin());
  name.size_ = static_cast<std::uint8_t>(wire.size());
  return name;
}

std::size_t Name::label_count() const noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; octets_[at] != 0; at += octets_[at] + 1U) ++count;
  return count;
}

Bytes Name::first_label() const noexcept {
  return wire().subspan(is_root() ? 0 : 1, octets_[0]);
}

Name Name::parent() const noexcept {
  return is_root() ? *this : from_valid_wire(wire().subspan(octets_[0] + 1U));
}

Name Name::suffix(std::size_t labels) const noexcept {
  const std::size_t count = label_count();
  std::size_t at = 0;
  for (std::size_t dropped = 0; dropped + labels < count; ++dropped) at += octets_[at] + 1U;
  return from_valid_wire(wire().subspan(at));
}

bool Name::is_at_or_below(const Name& ancestor) const noexcept {
  std::size_t at = 0;
  while (size_ - at > ancestor.size_) at += octets_[at] + 1U;
  return equal_names(wire().subspan(at), ancestor.wire());
}

bool Name::is_below(const Name& ancestor) const noexcept {
  return size_ > ancestor.size_ && is_at_or_below(ancestor);
}

std::optional<Name> Name::substitute(const Name& from, const Name& to) const noexcept {
  if (!is_below(from)) return std::nullopt;
  const std::size_t kept = size_ - std::size_t{from.size_};
  if (kept + to.size_ > kNameSizeMax) return std::nullopt;
  Name result = *this;
  std::ranges::copy(to.wire(), std::span(result.octets_).subspan(kept).begin());
  result.size_ = static_cast<std::uint8_t>(kept + to.size_);
  return result;
}

std::optional<Name> Name::with_label(Bytes label) const noexcept {
  const std::size_t size = 1 + label.size() + size_;
  if (label.empty() || label.size() > kLabelSizeMax || size > kNameSizeMax) return std::nullopt;
  Name result;
  result.octets_[0] = static_cast<std::uint8_t>(label.size());
  std::ranges::copy(label, std::span(result.octets_).subspan(1).begin());
  std::ranges::copy(wire(), std::span(result.octets_).subspan(1 + label.size()).begin());
  result.size_ = static_cast<std::uint8_t>(size);
  return result;
}

Name Name::lowered() const noexcept {
  Name result;
  std::ranges::transform(wire(), result.octets_.begin(), to_lower);
  result.size_ = size_;
  return result;
}

void Name::randomise_case(std::span<const std::uint8_t> bits) noexcept {
  std::size_t letter = 0;
  for (std::uint8_t& octet : std::span(octets_).first(size_)) {
    if (!is_letter(octet)) continue;
    if (letter / 8 == bits.size()) return;
    if ((bits[letter / 8] >> (letter % 8)) & 1) octet ^= 0x20;
    ++letter;
  }
}

std::string Name::to_text() const {
  if (is_root()) return ".";
  std::string text;
  text.reserve(size_);
  for (std::size_t at = 0; octets_[at] != 0; at += octets_[at] + 1U) {
    for (const std::uint8_t octet : wire().subspan(at + 1, octets_[at])) append_octet(text, octet);
    text += '.';
  }
  return text;
}

bool Name::less(const Name& other) const noexcept {
  return std::ranges::lexicographical_compare(wire(), other.wire(), {}, to_lower, to_lower);
}

std::string brief_text(const Name& name) {
  constexpr std::size_t kOctetsMax = 60;
  std::string text = name.to_text();
  return text.size() <= kOctetsMax ? text : "a long name";
}

}  // namespace siskin::wire
