/// Octets in tests: written as hexadecimal text, and shown as such when they differ.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace siskin::test {

using Octets = std::vector<std::uint8_t>;

inline int hex_digit(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
  if (value == std::string_view::npos) throw std::invalid_argument("not a hexadecimal digit");
  return static_cast<int>(value);
}

/// "00ff 'www' 0a": pairs of digits; text in quotes stands for itself; blanks do not count.
inline Octets from_hex(std::string_view text) {
  Octets octets;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '\n') continue;
    if (text[i] == '\'') {
      for (++i; text.at(i) != '\''; ++i) octets.push_back(static_cast<std::uint8_t>(text[i]));
      continue;
    }
    const int high = hex_digit(text[i]);
    octets.push_back(static_cast<std::uint8_t>(high * 16 + hex_digit(text.at(++i))));
  }
  return octets;
}

inline std::string to_hex(std::span<const std::uint8_t> octets) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t octet : octets) {
    text += kDigits[octet >> 4];
    text += kDigits[octet & 15];
  }
  return text;
}

inline Octets octets_of(std::string_view text) {
  return {text.begin(), text.end()};
}

inline Octets operator+(Octets a, const Octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace siskin::test
