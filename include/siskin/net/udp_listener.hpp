/// Queries over UDP, in batches.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>

#include "siskin/base/ip.hpp"
#include "siskin/base/result.hpp"
#include "siskin/runtime/query_handler.hpp"

namespace siskin::net {

struct UdpListenerOptions {
  Endpoint endpoint;                  ///< port 0: the kernel chooses (local_endpoint() tells)
  int socket_buffer_bytes = 4 << 20;  ///< asked of the kernel for each direction; it may give less
  std::size_t unsent_max = 1024;      ///< replies kept while the socket takes none; more are lost
};

struct UdpListenerCounters {
  std::uint64_t received = 0;
  std::uint64_t sent = 0;       ///< handed to the kernel
  std::uint64_t oversized = 0;  ///< datagrams beyond 4096 octets, dropped unread
  std::uint64_t lost = 0;       ///< replies that the kernel refused or that found no room
};

/// One socket of one core, shared with the other cores' by SO_REUSEPORT.  Reads up to 64 datagrams
/// a system call, gives each to the handler and sends the replies with one more; late replies are
/// gathered and leave once a turn of the loop.  On a wildcard address a reply leaves from the
/// address that was asked.  No allocation for a query that is answered at once.
/// Threads:  one core.
/// Lifetime: `handler` outlives it; it outlives every ticket it gave to the handler.
class UdpListener {
 public:
  /// Error: the socket cannot be bound; the text says why and what to do.
  static Result<std::unique_ptr<UdpListener>> open(boost::asio::io_context& io,
                                                   const UdpListenerOptions& options,
                                                   runtime::QueryHandler& handler);
  ~UdpListener();
  UdpListener(const UdpListener&) = delete;
  UdpListener& operator=(const UdpListener&) = delete;

  const Endpoint& local_endpoint() const noexcept;
  const UdpListenerCounters& counters() const noexcept;

  /// Reads no more queries; replies to those in work still leave.
  void stop_receiving();
  /// Closes the socket; replies that come later are quietly forgotten.
  void stop();

 private:
  class Impl;
  explicit UdpListener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace siskin::net
