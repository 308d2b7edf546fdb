#include "siskin/net/tcp_listener.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/intrusive/list.hpp>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "net/events.hpp"
#include "net/socket.hpp"
#include "net/tcp_connection.hpp"
#include "siskin/base/check.hpp"

namespace siskin::net {

using boost::system::error_code;
using runtime::QueryHandler;
using runtime::ReplyTicket;
using runtime::Transport;
namespace ip = boost::asio::ip;

namespace {

using Acceptor =
    boost::asio::basic_socket_acceptor<ip::tcp, boost::asio::io_context::executor_type>;

// After a failed accept, most likely for want of descriptors (fault A99).
constexpr Duration kAcceptPause = std::chrono::milliseconds(100);
constexpr Duration kLogPause = std::chrono::seconds(10);

ip::tcp protocol_of(const IpAddress& address) {
  return address.is_v4() ? ip::tcp::v4() : ip::tcp::v6();
}

Endpoint from_asio(const ip::tcp::endpoint& endpoint) {
  SocketAddress address{};
  std::memcpy(&address, endpoint.data(), std::min(endpoint.size(), sizeof(address)));
  return read_address(address);
}

}  // namespace

class TcpListener::Impl final : public runtime::ReplySink,
                                public TcpOwner,
                                public std::enable_shared_from_this<Impl> {
 public:
  Impl(const Context& context, const TcpListenerOptions& options, Fd fd)
      : options_(options),
        context_(context),
        local_(net::local_endpoint(fd.get())),
        acceptor_(context.io, protocol_of(local_.address), fd.get()),
        incoming_(context.io),
        retry_(context.timers, [this] { accept(); }),
        reply_(kMessageMax) {
    fd.release();  // acceptor_ owns it from here
  }

  const Endpoint& local() const noexcept { return local_; }
  std::size_t connections() const noexcept { return connections_.size(); }

  void accept() {
    acceptor_.async_accept(incoming_, [self = shared_from_this()](const error_code& error) {
      self->on_accept(error);
    });
  }

  void stop_receiving() {
    close_acceptor();
    for_each_connection([](TcpConnection& connection) { connection.stop_reading(); });
  }

  void stop() {
    close_acceptor();
    for_each_connection([](TcpConnection& connection) { connection.close(); });
  }

  void send(const ReplyTicket& ticket, std::span<const std::uint8_t> reply) override {
    finish(ticket, reply);
  }

  void abandon(const ReplyTicket& ticket) override { finish(ticket, {}); }

  QueryHandler::Done answer(std::span<const std::uint8_t> query, const ReplyTicket& ticket,
                            std::span<const std::uint8_t>& reply) override {
    const auto outcome = context_.handler.handle(query, Transport::tcp, ticket, *this, reply_);
    reply = std::span(reply_).first(outcome.reply_size);
    return outcome.done;
  }

  void on_active(TcpConnection& connection) override {
    if (connection.is_linked()) by_idle_time_.erase(by_idle_time_.iterator_to(connection));
    by_idle_time_.push_back(connection);
  }

  void on_closed(TcpConnection& connection) override {
    by_idle_time_.erase(by_idle_time_.iterator_to(connection));
    connections_.erase(connection.number());
  }

 private:
  void close_acceptor() {
    stopped_ = true;
    retry_.disarm();
    error_code ignored;
    acceptor_.close(ignored);
  }

  void on_accept(const error_code& error) {
    if (stopped_) return;
    if (error) return pause_accepting(error);
    adopt(std::move(incoming_));
    accept();
  }

  void pause_accepting(const error_code& error) {
    const Instant now = context_.clock.now();
    if (now >= log_again_) {
      log_again_ = now + kLogPause;
      events::accept_failed(local_, error.message());
    }
    retry_.arm(now + kAcceptPause);
  }

  void adopt(TcpSocket socket) {
    error_code error;
    const auto remote = socket.remote_endpoint(error);
    if (error) return;  // gone already
    const auto local = socket.local_endpoint(error);
    if (error) return;
    socket.set_option(ip::tcp::no_delay(true), error);
    if (connections_.size() >= options_.connections_max) close_longest_idle();
    const ReplyTicket ticket{from_asio(remote), from_asio(local).address, 0, ++last_number_};
    const auto connection = std::make_shared<TcpConnection>(std::move(socket), context_,
                                                            options_.limits, *this, ticket);
    connections_.emplace(ticket.connection, connection);
    connection->start();
  }

  /// Those that wait for us are spared as long as others wait for their client.
  void close_longest_idle() {
    for (TcpConnection& connection : by_idle_time_) {
      if (!connection.has_queries_in_flight()) return connection.close();
    }
    by_idle_time_.front().close();
  }

  void finish(const ReplyTicket& ticket, std::span<const std::uint8_t> reply) {
    const auto found = connections_.find(ticket.connection);
    if (found == connections_.end()) return;
    const auto connection = found->second;  // it may leave the table meanwhile
    connection->finish_query(reply);
  }

  /// `visit` may close connections.
  template <class Visit>
  void for_each_connection(Visit visit) {
    std::vector<std::shared_ptr<TcpConnection>> all;
    all.reserve(connections_.size());
    for (const auto& [number, connection] : connections_) all.push_back(connection);
    for (const auto& connection : all) visit(*connection);
  }

  const TcpListenerOptions options_;
  const Context context_;
  Endpoint local_;
  Acceptor acceptor_;
  TcpSocket incoming_;
  runtime::Timer retry_;
  std::vector<std::uint8_t> reply_;  ///< where the handler writes; copied before the next query
  std::unordered_map<std::uint64_t, std::shared_ptr<TcpConnection>> connections_;
  boost::intrusive::list<TcpConnection> by_idle_time_;  ///< all of connections_, longest first
  std::uint64_t last_number_ = 0;
  Instant log_again_{};
  bool stopped_ = false;
};

Result<std::unique_ptr<TcpListener>> TcpListener::open(const Context& context,
                                                       const TcpListenerOptions& options) {
  SISKIN_CHECK(options.connections_max > 0);
  auto fd = open_shared(options.endpoint, Transport::tcp);
  if (!fd) return fd.error();
  if (listen(fd->get(), options.backlog) != 0) {
    return listen_error(errno, options.endpoint, Transport::tcp);
  }
  auto impl = std::make_shared<Impl>(context, options, std::move(*fd));
  impl->accept();
  return std::unique_ptr<TcpListener>(new TcpListener(std::move(impl)));
}

TcpListener::TcpListener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

TcpListener::~TcpListener() {
  stop();
}

const Endpoint& TcpListener::local_endpoint() const noexcept {
  return impl_->local();
}

std::size_t TcpListener::connections() const noexcept {
  return impl_->connections();
}

void TcpListener::stop_receiving() {
  impl_->stop_receiving();
}

void TcpListener::stop() {
  impl_->stop();
}

}  // namespace siskin::net
