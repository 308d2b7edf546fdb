/// Fetching a zone from a server: the seam between resolve and the network (or a test).
#pragma once

#include <cstdint>
#include <span>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/base/time.hpp"
#include "siskin/runtime/recall.hpp"
#include "siskin/runtime/task.hpp"

namespace siskin::runtime {

/// Takes the messages of one transfer as they come.
class TransferSink {
 public:
  virtual ~TransferSink() = default;
  /// False: no more is wanted, because all is there or because this was too bad.
  virtual bool take(std::span<const std::uint8_t> message) = 0;
};

class Transfer {
 public:
  virtual ~Transfer() = default;

  /// Sends `query` over a TCP connection of its own and gives `sink` what comes back, until it
  /// wants no more.
  /// Errors: timeout (at `deadline`), unreachable, closed (also when recalled), limit, io.
  /// Lifetime: `query`, `sink` and `recall` are the awaiting caller's and outlive the transfer.
  virtual Task<Result<void>> transfer(const Endpoint& server, std::span<const std::uint8_t> query,
                                      TransferSink& sink, Instant deadline, Recall& recall) = 0;
};

}  // namespace siskin::runtime
