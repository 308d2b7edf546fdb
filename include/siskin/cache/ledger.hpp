/// What the cache's memory is spent on: exact, kept up to date by each store and each removal.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace siskin::cache {

/// What an entry is, for the account: positive ones by the type of their key, the rest by kind.
enum class LedgerRow : std::uint8_t {
  a,
  aaaa,
  cname,
  mx,
  ns,
  ptr,
  srv,
  svcb,  ///< and HTTPS
  txt,
  soa,
  ds,
  dnskey,
  other,  ///< positive, any other type
  nodata,
  nxdomain,
  delegation,
  failure,
  directory,  ///< of tailored answers: which prefix lengths there are
};

inline constexpr std::size_t kLedgerRows = 18;

/// "a", "nodata", "directory": as in metrics and logs.
std::string_view to_text(LedgerRow row) noexcept;

/// Octets are what the allocator hands out, its rounding included.
struct Ledger {
  struct Line {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;

    Line& operator+=(const Line& other) noexcept {
      entries += other.entries;
      bytes += other.bytes;
      return *this;
    }
    friend bool operator==(const Line&, const Line&) = default;
  };

  std::array<Line, kLedgerRows> general;   ///< answers that hold for everybody
  std::array<Line, kLedgerRows> tailored;  ///< answers for one client subnet, and their directories
  std::uint64_t index_bytes = 0;           ///< slots, tables of pages, shards, the cache itself

  Line& at(LedgerRow row, bool is_tailored) noexcept {
    return (is_tailored ? tailored : general)[static_cast<std::size_t>(row)];
  }
  const Line& at(LedgerRow row, bool is_tailored) const noexcept {
    return (is_tailored ? tailored : general)[static_cast<std::size_t>(row)];
  }
  Line total() const noexcept;  ///< all entries; octets with the index
  Line sum(LedgerRow row) const noexcept;
  Ledger& operator+=(const Ledger& other) noexcept;

  friend bool operator==(const Ledger&, const Ledger&) = default;
};

}  // namespace siskin::cache
