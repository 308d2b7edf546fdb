/// One client's TCP connection.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <memory>
#include <vector>

#include "net/frame_buffer.hpp"
#include "siskin/net/tcp_listener.hpp"

namespace siskin::net {

using TcpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class TcpConnection;

/// The listener, as its connections see it.
class TcpOwner {
 public:
  virtual ~TcpOwner() = default;
  /// Asks the handler; a reply that is there at once is `reply`.
  virtual runtime::QueryHandler::Done answer(std::span<const std::uint8_t> query,
                                             const runtime::ReplyTicket& ticket,
                                             std::span<const std::uint8_t>& reply) = 0;
  /// A whole query came or a reply left: this connection's idle time begins anew.
  virtual void on_active(TcpConnection& connection) = 0;
  /// The connection has closed and will not call again.
  virtual void on_closed(TcpConnection& connection) = 0;
};

/// Reads, answers and writes until one side has enough.  Never more than one read and one write are
/// pending.  Reading pauses while too much is unanswered or unsent; one timer holds whichever
/// deadline is next:
///
///   part of a query read   message_timeout after its first octet (further octets do not help)
///   replies being written  send_timeout after the write began
///   neither, all answered  idle_timeout after the last whole query or reply
///
/// Lifetime: pending operations keep it alive; after close() it touches its owner no more.
class TcpConnection : public std::enable_shared_from_this<TcpConnection>,
                      public boost::intrusive::list_base_hook<> {
 public:
  TcpConnection(TcpSocket socket, const TcpListener::Context& context,
                const TcpConnectionLimits& limits, TcpOwner& owner,
                const runtime::ReplyTicket& ticket);

  std::uint64_t number() const noexcept { return ticket_.connection; }
  bool has_queries_in_flight() const noexcept { return in_flight_ != 0; }

  void start();
  /// A query in flight has its reply, or (empty) will have none.
  void finish_query(std::span<const std::uint8_t> reply);
  /// Reads no more; closes when nothing is in flight.
  void stop_reading();
  void close();

 private:
  bool is_saturated() const noexcept;
  void read();
  void on_read(const boost::system::error_code& error, std::size_t count);
  void process();
  void answer(std::span<const std::uint8_t> query);
  void write();
  void on_written(const boost::system::error_code& error);
  /// After every change: write, read, wait or close, whatever is due.
  void settle();
  void resume_reading();
  void set_deadline();
  void note_activity();

  TcpSocket socket_;
  const runtime::Clock& clock_;
  const TcpConnectionLimits& limits_;
  TcpOwner& owner_;
  runtime::ReplyTicket ticket_;
  runtime::Timer timer_;

  FrameBuffer in_;
  std::vector<std::uint8_t> sending_;  ///< in the hands of a pending write
  std::vector<std::uint8_t> queued_;   ///< replies that came since, framed
  std::size_t in_flight_ = 0;
  Instant last_activity_{};
  Instant message_started_{};  ///< when the first octet of the unfinished query came
  Instant write_started_{};
  bool reading_ = false;      ///< a read is pending
  bool processing_ = false;   ///< queries of in_ are being handled: settle() comes afterwards
  bool stalled_ = false;      ///< in_ may hold whole queries that were not handled yet
  bool resuming_ = false;     ///< process() is posted
  bool read_closed_ = false;  ///< nothing more is read
  bool closed_ = false;
};

}  // namespace siskin::net
