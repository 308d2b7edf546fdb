/// What the tests of wire build their messages from.
#pragma once

#include <initializer_list>
#include <random>
#include <string_view>

#include "siskin/wire/rrset.hpp"
#include "support/hex.hpp"

namespace siskin::wire::test {

using siskin::test::from_hex;
using siskin::test::Octets;
using siskin::test::octets_of;
using siskin::test::operator+;
using siskin::test::to_hex;

inline Name name(std::string_view text) {
  return Name::from_text(text).value();
}

inline RecordList records(std::initializer_list<std::string_view> rdata_in_hex) {
  RecordList list;
  for (const auto rdata : rdata_in_hex) list.add(from_hex(rdata));
  return list;
}

/// Reproducible draws.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  /// 0 to bound - 1.
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::uint8_t octet() { return static_cast<std::uint8_t>(engine_()); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(engine_()); }

  Octets octets(std::size_t count) {
    Octets drawn(count);
    for (auto& each : drawn) each = octet();
    return drawn;
  }

  template <class Range>
  const auto& of(const Range& range) {
    return *std::next(std::begin(range), static_cast<std::ptrdiff_t>(below(std::size(range))));
  }

  /// Any octets, or few and short labels so that names meet.
  Name any_name(std::size_t labels_max) {
    Name drawn;
    for (std::size_t left = below(labels_max + 1); left > 0; --left) {
      const auto label = one_in(4) ? octets(1 + below(kLabelSizeMax)) : familiar_label();
      drawn = drawn.with_label(label).value_or(drawn);
    }
    return drawn;
  }

  Octets familiar_label() {
    constexpr std::string_view kLetters = "abABwxWX";
    Octets label(1 + below(2));
    for (auto& each : label) each = static_cast<std::uint8_t>(kLetters[below(kLetters.size())]);
    return label;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace siskin::wire::test
