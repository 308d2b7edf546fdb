/// Fetching zones over the real network.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "siskin/runtime/timer_queue.hpp"
#include "siskin/runtime/transfer.hpp"

namespace siskin::net {

/// Threads:  one core.
/// Lifetime: timers outlive it.  A transfer ends, at the latest, in shutdown(), which resumes its
///           waiter; whoever owns the waiters calls it while they can still run.
class TcpTransfer final : public runtime::Transfer {
 public:
  static constexpr std::size_t kTransfersMax = 4;  ///< at a time; one more is Errc::limit

  /// Throws std::system_error when the kernel has no descriptor left.
  TcpTransfer(boost::asio::io_context& io, runtime::TimerQueue& timers);
  ~TcpTransfer() override;

  runtime::Task<Result<void>> transfer(const Endpoint& server, std::span<const std::uint8_t> query,
                                       runtime::TransferSink& sink, Instant deadline,
                                       runtime::Recall& recall) override;

  /// Ends every transfer, those of the future included, with Errc::closed.
  void shutdown();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::net
