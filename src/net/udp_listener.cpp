#include "siskin/net/udp_listener.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include "net/udp_messages.hpp"

namespace siskin::net {

using runtime::QueryHandler;
using runtime::ReplyTicket;
using runtime::Transport;

namespace {

using Descriptor =
    boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

// Full batches read before other work of the loop has its turn.
constexpr int kRoundsMax = 8;

void enlarge_buffers(int fd, int octets) {
  // The forcing forms pass the system's limit and need CAP_NET_ADMIN.
  if (!set_option(fd, SOL_SOCKET, SO_RCVBUFFORCE, octets)) {
    set_option(fd, SOL_SOCKET, SO_RCVBUF, octets);
  }
  if (!set_option(fd, SOL_SOCKET, SO_SNDBUFFORCE, octets)) {
    set_option(fd, SOL_SOCKET, SO_SNDBUF, octets);
  }
}

}  // namespace

class UdpListener::Impl final : public runtime::ReplySink,
                                public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, const UdpListenerOptions& options, QueryHandler& handler, Fd fd)
      : local_(net::local_endpoint(fd.get())),
        handler_(handler),
        socket_(io, fd.get()),
        batch_(local_.address.is_unspecified()),
        outbox_(options.unsent_max, local_.address.is_unspecified()) {
    fd.release();  // socket_ owns it from here
  }

  const Endpoint& local() const noexcept { return local_; }
  const UdpListenerCounters& counters() const noexcept { return counters_; }

  void wait_readable() {
    socket_.async_wait(Descriptor::wait_read,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                         if (!error) self->on_readable();
                       });
  }

  void send(const ReplyTicket& ticket, std::span<const std::uint8_t> reply) override {
    if (!socket_.is_open()) return;
    if (!outbox_.push(ticket, reply)) ++counters_.lost;
    if (outbox_.size() == kBatchMax && !blocked_) return flush_outbox();
    schedule_flush();
  }

  void abandon(const ReplyTicket& /*ticket*/) override {}

  void stop_receiving() { receiving_ = false; }

  void stop() {
    receiving_ = false;
    boost::system::error_code ignored;
    socket_.close(ignored);
    outbox_.clear();
  }

 private:
  void on_readable() {
    for (int round = 0; round < kRoundsMax && receiving_; ++round) {
      if (!drain()) break;
    }
    if (receiving_) wait_readable();
  }

  /// One batch; true when there may be more.
  bool drain() {
    const std::size_t count = batch_.receive(socket_.native_handle());
    counters_.received += count;
    expect(count > 1 ? count : 0);  // one alone has nothing to share its wait with
    for (std::size_t i = 0; i < count; ++i) answer(i);
    if (!socket_.is_open()) return false;
    note_sent(batch_.flush(socket_.native_handle(), outbox_));
    if (!outbox_.empty()) schedule_flush();
    return count == kBatchMax;
  }

  void expect(std::size_t count) noexcept {
    std::array<std::span<const std::uint8_t>, kBatchMax> queries;
    for (std::size_t i = 0; i < count; ++i) queries[i] = batch_.message(i);
    handler_.expect(std::span(queries).first(count));
  }

  void answer(std::size_t i) {
    if (batch_.is_oversized(i)) {
      ++counters_.oversized;
      return;
    }
    const ReplyTicket ticket = batch_.ticket(i, local_.address);
    const auto outcome =
        handler_.handle(batch_.message(i), Transport::udp, ticket, *this, batch_.reply_room(i));
    if (outcome.done == QueryHandler::Done::replied) batch_.add_reply(i, outcome.reply_size);
  }

  /// Late replies of one turn of the loop leave together, after the handlers that made them.
  void schedule_flush() {
    if (flush_scheduled_ || blocked_) return;
    flush_scheduled_ = true;
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->flush_scheduled_ = false;
      self->flush_outbox();
    });
  }

  void flush_outbox() {
    if (!socket_.is_open() || outbox_.empty()) return;
    note_sent(outbox_.flush(socket_.native_handle()));
    if (!outbox_.empty()) wait_writable();
  }

  void wait_writable() {
    if (blocked_) return;
    blocked_ = true;
    socket_.async_wait(Descriptor::wait_write,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                         self->blocked_ = false;
                         if (!error) self->flush_outbox();
                       });
  }

  void note_sent(const SendCount& count) {
    counters_.sent += count.sent;
    counters_.lost += count.lost;
  }

  Endpoint local_;
  QueryHandler& handler_;
  Descriptor socket_;
  UdpBatch batch_;
  UdpOutbox outbox_;
  UdpListenerCounters counters_;
  bool receiving_ = true;
  bool flush_scheduled_ = false;
  bool blocked_ = false;  ///< the socket's buffer is full; a wait for room is pending
};

Result<std::unique_ptr<UdpListener>> UdpListener::open(boost::asio::io_context& io,
                                                       const UdpListenerOptions& options,
                                                       QueryHandler& handler) {
  auto fd = open_shared(options.endpoint, Transport::udp);
  if (!fd) return fd.error();
  enlarge_buffers(fd->get(), options.socket_buffer_bytes);
  const IpAddress& address = options.endpoint.address;
  ignore_path_mtu(fd->get(), address.family());
  if (address.is_unspecified()) request_packet_info(fd->get(), address.family());
  auto impl = std::make_shared<Impl>(io, options, handler, std::move(*fd));
  impl->wait_readable();
  return std::unique_ptr<UdpListener>(new UdpListener(std::move(impl)));
}

UdpListener::UdpListener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

UdpListener::~UdpListener() {
  stop();
}

const Endpoint& UdpListener::local_endpoint() const noexcept {
  return impl_->local();
}

const UdpListenerCounters& UdpListener::counters() const noexcept {
  return impl_->counters();
}

void UdpListener::stop_receiving() {
  impl_->stop_receiving();
}

void UdpListener::stop() {
  impl_->stop();
}

}  // namespace siskin::net
