/// Who may ask.
#pragma once

#include <cstdint>
#include <vector>

#include "siskin/base/ip.hpp"

namespace siskin::policy {

/// The networks of [access] allow; an IPv4-mapped IPv6 address counts as its IPv4 address, in a
/// client as in a network.  Nobody is allowed by an empty list.
/// Immutable after construction, so any thread may ask.  Cost: one comparison a network.
class AccessList {
 public:
  explicit AccessList(const std::vector<Network>& allowed);
  bool allows(const IpAddress& client) const noexcept;

 private:
  /// address & mask == prefix, on words in host order.
  template <class Word>
  struct Range {
    Word prefix;
    Word mask;
    bool holds(const Word& address) const noexcept { return (address & mask) == prefix; }
  };

  /// The 128 bits of an IPv6 address.
  struct Words {
    std::uint64_t high;
    std::uint64_t low;
    friend Words operator&(const Words& a, const Words& b) noexcept {
      return {a.high & b.high, a.low & b.low};
    }
    friend bool operator==(const Words&, const Words&) noexcept = default;
  };

  static std::uint32_t v4_bits(const IpAddress& address) noexcept;
  static Words v6_bits(const IpAddress& address) noexcept;

  std::vector<Range<std::uint32_t>> v4_;
  std::vector<Range<Words>> v6_;
};

}  // namespace siskin::policy
