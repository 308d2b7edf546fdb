#include "siskin/cache/ledger.hpp"

#include "cache/ledger_row.hpp"

namespace siskin::cache {
namespace {

LedgerRow row_of(wire::RRType type) noexcept {
  using wire::RRType;
  switch (type) {
    case RRType::a: return LedgerRow::a;
    case RRType::aaaa: return LedgerRow::aaaa;
    case RRType::cname: return LedgerRow::cname;
    case RRType::mx: return LedgerRow::mx;
    case RRType::ns: return LedgerRow::ns;
    case RRType::ptr: return LedgerRow::ptr;
    case RRType::srv: return LedgerRow::srv;
    case RRType::svcb:
    case RRType::https: return LedgerRow::svcb;
    case RRType::txt: return LedgerRow::txt;
    case RRType::soa: return LedgerRow::soa;
    case RRType::ds: return LedgerRow::ds;
    case RRType::dnskey: return LedgerRow::dnskey;
    default: return LedgerRow::other;
  }
}

}  // namespace

std::string_view to_text(LedgerRow row) noexcept {
  constexpr std::array<std::string_view, kLedgerRows> kNames{
      "a",   "aaaa", "cname",  "mx",    "ns",     "ptr",      "srv",        "svcb",    "txt",
      "soa", "ds",   "dnskey", "other", "nodata", "nxdomain", "delegation", "failure", "directory"};
  return kNames[static_cast<std::size_t>(row)];
}

LedgerRow ledger_row(Entry entry) noexcept {
  switch (entry.kind()) {
    case Kind::positive: break;
    case Kind::nodata: return LedgerRow::nodata;
    case Kind::nxdomain: return LedgerRow::nxdomain;
    case Kind::delegation: return LedgerRow::delegation;
    case Kind::failure: return LedgerRow::failure;
  }
  const bool is_directory = entry.is_tailored() && entry.is_directory(entry.whole_name().size());
  return is_directory ? LedgerRow::directory : row_of(entry.type());
}

Ledger::Line Ledger::sum(LedgerRow row) const noexcept {
  const auto at = static_cast<std::size_t>(row);
  Line sum = general[at];
  return sum += tailored[at];
}

Ledger& Ledger::operator+=(const Ledger& other) noexcept {
  for (std::size_t i = 0; i < kLedgerRows; ++i) {
    general[i] += other.general[i];
    tailored[i] += other.tailored[i];
  }
  index_bytes += other.index_bytes;
  return *this;
}

Ledger::Line Ledger::total() const noexcept {
  Line total{0, index_bytes};
  for (std::size_t i = 0; i < kLedgerRows; ++i) {
    total += sum(static_cast<LedgerRow>(i));
  }
  return total;
}

}  // namespace siskin::cache
