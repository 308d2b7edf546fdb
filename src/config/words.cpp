#include "config/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace siskin::config {
namespace {

constexpr std::size_t kShownOctets = 60;
constexpr std::size_t kWordOctets = 64;  // bounds the work of nearest()

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_bare(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_continuation(char octet) noexcept {
  return (static_cast<unsigned char>(octet) & 0xC0U) == 0x80U;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t octets = 1;
};

/// The first character of a UTF-8 text that is not empty; U+FFFD for an octet out of place.
Character first_character(std::string_view text) noexcept {
  constexpr std::uint32_t replacement = 0xfffd;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t octets = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || text.size() < octets) return {replacement, 1};
  std::uint32_t code = first & (0x7fU >> octets);
  for (const char c : text.substr(1, octets - 1)) {
    if (!is_continuation(c)) return {replacement, 1};
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return {code, octets};
}

std::string lower(std::string_view text) {
  std::string out(text.substr(0, kWordOctets));
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// Optimal string alignment distance; rows by length of `a`'s prefix, only three are kept.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

bool has_control_character(std::string_view text) noexcept {
  return std::ranges::any_of(text, is_control);
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code == '"' || c.code == '\\') out += '\\';
    if (c.code >= 0x20 && c.code < 0x7f) {
      out += static_cast<char>(c.code);
    } else {
      out += c.code > 0xffff ? fmt::format("\\U{:08X}", c.code) : fmt::format("\\u{:04X}", c.code);
    }
    text.remove_prefix(c.octets);
  }
  return out + '"';
}

std::string shown(std::string_view text) {
  if (text.size() <= kShownOctets) return quote(text);
  std::size_t end = kShownOctets;
  while (end > 0 && is_continuation(text[end])) --end;
  return quote(std::string(text.substr(0, end)) + "...");
}

std::string shown_key(std::string_view key) {
  const bool bare = !key.empty() && key.size() <= kShownOctets && std::ranges::all_of(key, is_bare);
  return bare ? std::string(key) : shown(key);
}

std::string printable(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, is_control, '?');
  return out;
}

std::string either(std::span<const std::string> choices) {
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) out += i + 1 == choices.size() ? " or " : ", ";
    out += choices[i];
  }
  return out;
}

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  const std::string wanted = lower(word);
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string found;
  for (const std::string& choice : choices) {
    const std::size_t distance = edits(wanted, lower(choice));
    if (distance >= best || distance >= choice.size()) continue;
    best = distance;
    found = choice;
  }
  return found;
}

}  // namespace siskin::config
