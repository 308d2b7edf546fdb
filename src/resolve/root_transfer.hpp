/// Reading the root zone out of the messages of a transfer (RFC 5936).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "resolve/root_zone.hpp"
#include "siskin/runtime/transfer.hpp"

namespace siskin::resolve {

/// What a transfer may bring; the root has 2.3 MB and 25,000 records.
struct TransferLimits {
  std::size_t octets = std::size_t{64} << 20U;
  std::size_t records = 500'000;
};

/// Asks for all of the root zone.
std::vector<std::uint8_t> encode_transfer(std::uint16_t id);

/// Takes messages until the SOA comes for the second time, or until one is bad.
/// Every message has to pass what any reply has to pass (frame.hpp), and moreover: our ID, NOERROR,
/// no TC, our question if there is one, answer records of class IN alone, RDATA that is well-formed
/// for its type; the first record of all is the root's SOA, and the last one is the same again.
class RootTransfer final : public runtime::TransferSink {
 public:
  explicit RootTransfer(std::uint16_t id, TransferLimits limits = {})
      : id_(id), limits_(limits), records_{wire::Name()} {}

  bool take(std::span<const std::uint8_t> message) override;

  /// The last SOA has come.
  bool is_complete() const noexcept { return is_complete_; }
  /// The zone, with its ZONEMD checked.  Errors: malformed with the reason, closed when messages
  /// are missing, limit.
  Result<RootZone> finish() &&;

 private:
  struct Record;
  Result<void> read(wire::Bytes message);
  Result<void> check_header(wire::Bytes message) const;
  Result<void> add(const Record& record);
  Result<void> add_soa(const Record& record);

  std::uint16_t id_;
  TransferLimits limits_;
  dnssec::CanonicalZoneBuilder records_;
  std::vector<std::uint8_t> soa_;  ///< RDATA; empty: nothing has come yet
  std::size_t octets_ = 0;
  bool is_complete_ = false;
  std::optional<Error> error_;
};

}  // namespace siskin::resolve
