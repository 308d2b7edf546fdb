#include "net/tcp_channel.hpp"

#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <cerrno>
#include <exception>

namespace siskin::net {

using runtime::ReplyVerdict;
using runtime::Task;

std::uint16_t message_id(std::span<const std::uint8_t> message) noexcept {
  return message.size() < 2 ? std::uint16_t{0}
                            : static_cast<std::uint16_t>(message[0] << 8 | message[1]);
}

TcpChannel::TcpChannel(Owner& owner, const Endpoint& server, const runtime::Clock& clock,
                       runtime::TimerQueue& timers)
    : owner_(&owner), server_(server), clock_(clock), timers_(timers), idle_(timers, [this] {
        close();
      }) {}

Result<void> TcpChannel::begin(const runtime::Executor& executor, SocketPoller& poller, Fd socket) {
  // Else a query behind another would wait for the first one's acknowledgement.
  set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  watch_.emplace(timers_, std::move(socket));
  auto started = watch_->start(poller, Interest::reading_and_writing, clock_.now());
  if (!started) {
    watch_.reset();
    return started;
  }
  watch_->rest();  // each query has a deadline of its own
  boost::asio::co_spawn(executor, run(shared_from_this()), runtime::crash_on_exception);
  return {};
}

/// Ends with the connection.
Task<void> TcpChannel::run(std::shared_ptr<TcpChannel> channel) {
  for (;;) {
    // A connection that is not there yet says EAGAIN, one that failed says why.
    channel->send();
    channel->receive();
    if (channel->error_) break;
    const Wake wake = co_await channel->watch_->wait();
    if (wake == Wake::ready) continue;
    channel->fail(error_of(wake));
    break;
  }
  channel->end();
}

bool TcpChannel::may_take(std::uint16_t id, std::size_t in_flight_max) const noexcept {
  const auto has_id = [id](const TcpQuery& q) { return message_id(q.message()) == id; };
  return is_open() && !is_condemned_ && in_flight() < in_flight_max &&
         std::ranges::none_of(queries_, has_id);
}

TcpQuery* TcpChannel::find(std::uint16_t id) noexcept {
  const auto has_id = [id](const TcpQuery& q) { return message_id(q.message()) == id; };
  const auto at = std::ranges::find_if(queries_, has_id);
  return at == queries_.end() ? nullptr : &*at;
}

void TcpChannel::ask(TcpQuery& query) {
  if (!is_open()) return query.end(*error_);
  idle_.disarm();
  queries_.push_back(query);
  append_frame(unsent_, query.message());
  send();
  if (error_) watch_->close();
}

/// A server that says nothing at all to a query may be gone without a word: who asks next had
/// better have a new connection.
void TcpChannel::left(bool is_silent) {
  if (is_silent) is_condemned_ = true;
  if (!is_idle()) return;
  if (is_condemned_ || answers_ == 0) return close();
  idle_.arm(clock_.now() + kIdle);
}

void TcpChannel::send() {
  std::size_t sent = 0;
  while (!error_ && sent < unsent_.size()) {
    const ssize_t more =
        ::send(watch_->fd(), unsent_.data() + sent, unsent_.size() - sent, MSG_NOSIGNAL);
    if (more >= 0) {
      sent += static_cast<std::size_t>(more);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      fail(socket_error(errno));
    }
  }
  unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(sent));
}

/// Reads until an error or EAGAIN.
void TcpChannel::receive() {
  while (!error_) {
    const auto room = in_.room();
    const ssize_t got = recv(watch_->fd(), room.data(), room.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) return fail(socket_error(errno));
    if (got == 0) return fail({Errc::closed, "the server closed without an answer"});
    in_.added(static_cast<std::size_t>(got));
    while (const auto message = error_ ? std::nullopt : in_.next()) take(*message);
  }
}

/// What nobody waits for is late, or nonsense.  A stream of it ends the connection.
void TcpChannel::take(std::span<const std::uint8_t> message) {
  ++heard_;
  TcpQuery* query = message.size() < 2 ? nullptr : find(message_id(message));
  const auto verdict = query == nullptr ? ReplyVerdict::ignore : query->filter().judge(message);
  switch (verdict) {
    case ReplyVerdict::take:
      ++answers_;
      ignored_ = 0;
      return query->end(std::vector<std::uint8_t>(message.begin(), message.end()));
    case ReplyVerdict::give_up:
      fail({Errc::closed, "the server talks nonsense"});
      return query->end(Error{Errc::spoof_suspected, {}});
    case ReplyVerdict::ignore:
      if (++ignored_ >= kIgnoredMax) fail({Errc::limit, "too many unusable messages"});
      return;
  }
}

/// The first error is the one that counts.
void TcpChannel::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

void TcpChannel::close() {
  fail({Errc::closed, {}});
  if (watch_) watch_->close();
}

/// The descriptor goes first, so that those who are told may open another.
void TcpChannel::end() {
  idle_.disarm();
  watch_.reset();
  if (owner_ != nullptr) owner_->ended(*this);
  while (!queries_.empty()) {
    TcpQuery& query = queries_.front();
    query.is_cut_off = true;
    query.end(*error_);
  }
}

}  // namespace siskin::net
