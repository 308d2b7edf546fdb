/// One TCP connection to a server, with several queries on their way.
#pragma once

#include <boost/intrusive/list.hpp>
#include <memory>
#include <optional>

#include "net/frame_buffer.hpp"
#include "net/upstream_common.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// One query on its way.  Lives in the frame of who waits for it; its end takes it off its channel.
class TcpQuery : public boost::intrusive::list_base_hook<
                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  TcpQuery(std::span<const std::uint8_t> message, runtime::ReplyFilter& filter)
      : message_(message), filter_(filter) {}

  std::span<const std::uint8_t> message() const noexcept { return message_; }
  runtime::ReplyFilter& filter() noexcept { return filter_; }
  /// Resumes the waiter before it returns.
  void end(UpstreamReply reply) {
    unlink();
    done_.complete(std::move(reply));
  }
  runtime::Task<UpstreamReply> wait() { return done_.wait(); }

  /// It ended because its connection did.
  bool is_cut_off = false;

 private:
  std::span<const std::uint8_t> message_;
  runtime::ReplyFilter& filter_;
  runtime::OneShot<UpstreamReply> done_;
};

/// The two octets by which a message and its reply find each other; of less than two: 0.
std::uint16_t message_id(std::span<const std::uint8_t> message) noexcept;

/// Answers may come in any order (RFC 7766 §6.2.1.1), so all queries on one channel have different
/// IDs.  A channel without a query is kept for kIdle if it has ever answered, and closed otherwise.
/// The server's closing is noticed at once, in use or not (fault B73).
/// Threads:  one core.
/// Lifetime: shared by its owner, its own coroutine, and the queries on it.  What begin() is given
///           outlives it, but for the owner: that calls disown() when it goes first.
class TcpChannel : public std::enable_shared_from_this<TcpChannel> {
 public:
  /// RFC 7766 §6.2.3: a few seconds; most servers wait longer before they close.
  static constexpr Duration kIdle = std::chrono::seconds(5);
  static constexpr std::size_t kInFlightMax = 64;

  class Owner {
   public:
    virtual ~Owner() = default;
    /// It takes no more queries; those on it are told after this.
    virtual void ended(const TcpChannel& channel) = 0;
  };

  TcpChannel(Owner& owner, const Endpoint& server, const runtime::Clock& clock,
             runtime::TimerQueue& timers);

  /// Watches `socket`, which is connected or about to be.  Errors: as SocketWatch::start().
  Result<void> begin(const runtime::Executor& executor, SocketPoller& poller, Fd socket);
  void disown() noexcept { owner_ = nullptr; }

  const Endpoint& server() const noexcept { return server_; }
  std::size_t in_flight() const noexcept { return queries_.size(); }
  /// Messages that were answers.
  std::size_t answers() const noexcept { return answers_; }
  bool is_idle() const noexcept { return is_open() && queries_.empty(); }
  bool may_take(std::uint16_t id, std::size_t in_flight_max) const noexcept;

  /// REQUIRES: may_take() its ID, or that nobody has asked yet.
  void ask(TcpQuery& query);
  /// Whoever asked is through.  `is_silent`: in vain, and nothing else came meanwhile.
  void left(bool is_silent);
  /// Messages of any kind.
  std::size_t heard() const noexcept { return heard_; }
  void close();

 private:
  static runtime::Task<void> run(std::shared_ptr<TcpChannel> channel);
  bool is_open() const noexcept { return watch_.has_value() && !error_; }
  TcpQuery* find(std::uint16_t id) noexcept;
  void send();
  void receive();
  void take(std::span<const std::uint8_t> message);
  void fail(Error error);
  void end();

  Owner* owner_;
  const Endpoint server_;
  const runtime::Clock& clock_;
  runtime::TimerQueue& timers_;
  std::optional<SocketWatch> watch_;
  std::optional<Error> error_;  ///< of the connection; nothing is sent or read after it
  boost::intrusive::list<TcpQuery, boost::intrusive::constant_time_size<false>> queries_;
  std::vector<std::uint8_t> unsent_;
  FrameBuffer in_;
  std::size_t answers_ = 0;
  std::size_t heard_ = 0;
  int ignored_ = 0;            ///< in a row
  bool is_condemned_ = false;  ///< takes no more queries
  runtime::Timer idle_;
};

}  // namespace siskin::net
