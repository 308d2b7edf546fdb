#include "net/tcp_connection.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "siskin/wire/header.hpp"

namespace siskin::net {

using boost::system::error_code;
using runtime::QueryHandler;

namespace {

constexpr std::size_t kBufferKept = 1 << 16;  // a larger write buffer is given back when empty

}  // namespace

TcpConnection::TcpConnection(TcpSocket socket, const TcpListener::Context& context,
                             const TcpConnectionLimits& limits, TcpOwner& owner,
                             const runtime::ReplyTicket& ticket)
    : socket_(std::move(socket)),
      clock_(context.clock),
      limits_(limits),
      owner_(owner),
      ticket_(ticket),
      timer_(context.timers, [this] { close(); }) {}

void TcpConnection::start() {
  note_activity();
  settle();
}

void TcpConnection::finish_query(std::span<const std::uint8_t> reply) {
  if (closed_) return;
  --in_flight_;
  if (!reply.empty()) append_frame(queued_, reply);
  settle();
}

void TcpConnection::stop_reading() {
  read_closed_ = true;
  stalled_ = false;
  in_.clear();
  settle();
}

void TcpConnection::close() {
  if (closed_) return;
  closed_ = true;
  timer_.disarm();
  error_code ignored;
  socket_.close(ignored);
  owner_.on_closed(*this);
}

bool TcpConnection::is_saturated() const noexcept {
  return in_flight_ >= limits_.in_flight_max ||
         sending_.size() + queued_.size() >= limits_.unsent_bytes_max;
}

void TcpConnection::read() {
  const auto room = in_.room();
  reading_ = true;
  socket_.async_read_some(boost::asio::buffer(room.data(), room.size()),
                          [self = shared_from_this()](const error_code& error, std::size_t count) {
                            self->reading_ = false;
                            self->on_read(error, count);
                          });
}

void TcpConnection::on_read(const error_code& error, std::size_t count) {
  if (closed_ || read_closed_) return;
  if (error == boost::asio::error::eof) return stop_reading();
  if (error) return close();
  if (in_.empty()) message_started_ = clock_.now();
  in_.added(count);
  process();
}

void TcpConnection::process() {
  processing_ = true;
  stalled_ = true;
  while (!closed_ && !read_closed_ && !is_saturated()) {
    const auto query = in_.next();
    if (!query) {
      stalled_ = false;
      break;
    }
    if (query->size() < wire::kHeaderSize) {
      close();
      break;
    }
    answer(*query);
    message_started_ = clock_.now();  // of the next one, should a part of it be here already
  }
  processing_ = false;
  settle();
}

void TcpConnection::answer(std::span<const std::uint8_t> query) {
  note_activity();
  ++in_flight_;
  std::span<const std::uint8_t> reply;
  const auto done = owner_.answer(query, ticket_, reply);
  if (done == QueryHandler::Done::pending || closed_) return;
  --in_flight_;
  if (done == QueryHandler::Done::replied) append_frame(queued_, reply);
}

void TcpConnection::write() {
  if (!sending_.empty() || queued_.empty()) return;
  sending_.swap(queued_);
  write_started_ = clock_.now();
  boost::asio::async_write(socket_, boost::asio::buffer(sending_),
                           [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->on_written(error);
                           });
}

void TcpConnection::on_written(const error_code& error) {
  if (closed_) return;
  if (error) return close();
  sending_.clear();
  if (sending_.capacity() > kBufferKept) sending_.shrink_to_fit();
  note_activity();
  settle();
}

void TcpConnection::settle() {
  if (closed_ || processing_) return;
  write();
  if (read_closed_ && in_flight_ == 0 && sending_.empty()) return close();
  resume_reading();
  set_deadline();
}

void TcpConnection::resume_reading() {
  if (reading_ || resuming_ || read_closed_ || is_saturated()) return;
  if (!stalled_) return read();
  // Posted, because the caller may be inside the handler, answering one of our queries.
  resuming_ = true;
  boost::asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->resuming_ = false;
    if (self->closed_) return;
    self->message_started_ = self->clock_.now();
    self->process();
  });
}

void TcpConnection::set_deadline() {
  Instant deadline = Instant::max();
  if (!sending_.empty()) deadline = write_started_ + limits_.send_timeout;
  if (reading_ && !in_.empty()) {
    deadline = std::min(deadline, message_started_ + limits_.message_timeout);
  }
  if (in_flight_ == 0 && sending_.empty() && in_.empty()) {
    deadline = last_activity_ + limits_.idle_timeout;
  }
  if (deadline == Instant::max()) {
    timer_.disarm();
  } else if (!timer_.is_armed() || timer_.deadline() != deadline) {
    timer_.arm(deadline);
  }
}

void TcpConnection::note_activity() {
  last_activity_ = clock_.now();
  owner_.on_active(*this);
}

}  // namespace siskin::net
