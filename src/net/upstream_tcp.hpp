/// Asking servers over TCP.
#pragma once

#include <map>

#include "net/tcp_channel.hpp"
#include "net/upstream_common.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/timer_queue.hpp"

namespace siskin::net {

/// Connections are shared by the queries to one server, and kept for a while (RFC 7766 §6.2.1,
/// RFC 9210 §4.3).  A query that a used connection cuts off is asked once more, on a new one of its
/// own: the server may have closed just then, or closes after each answer (fault B73).  Whoever is
/// seen to do the latter is asked one thing at a time.  A new connection that ends without an
/// answer is an answer (fault A65).
/// Threads:  one core.
/// Lifetime: what the constructor is given outlives every exchange.
class TcpUpstream : private TcpChannel::Owner {
 public:
  static constexpr std::size_t kChannelsMax = 4;         ///< to one server
  static constexpr std::size_t kHastyChannelsMax = 16;   ///< ... that closes after each answer
  static constexpr std::size_t kHastyServersMax = 1024;  ///< that are remembered

  TcpUpstream(const runtime::Clock& clock, runtime::TimerQueue& timers, SocketPoller& poller,
              std::size_t channels_max)
      : clock_(clock), timers_(timers), poller_(poller), channels_max_(channels_max) {}
  ~TcpUpstream() override;
  TcpUpstream(const TcpUpstream&) = delete;
  TcpUpstream& operator=(const TcpUpstream&) = delete;

  /// As Upstream::exchange().
  runtime::Task<UpstreamReply> exchange(Endpoint server, std::span<const std::uint8_t> query,
                                        runtime::ReplyFilter& filter, Instant deadline,
                                        runtime::Recall& recall);

 private:
  using Channel = std::shared_ptr<TcpChannel>;
  struct Server {
    std::vector<Channel> channels;
    bool is_hasty = false;  ///< closes after each answer
  };

  void ended(const TcpChannel& channel) override;
  runtime::Task<UpstreamReply> ask(Channel channel, TcpQuery& query, Instant deadline,
                                   runtime::Recall& recall);
  Result<Channel> channel_for(const Endpoint& server, std::uint16_t id,
                              const runtime::Executor& executor);
  Result<Channel> open(const Endpoint& server, const runtime::Executor& executor);
  void learn(Server& server, const TcpChannel& channel);
  void make_room();

  const runtime::Clock& clock_;
  runtime::TimerQueue& timers_;
  SocketPoller& poller_;
  const std::size_t channels_max_;
  std::map<Endpoint, Server> servers_;  ///< with a channel, or hasty
  std::size_t channels_ = 0;
  std::size_t hasty_ = 0;
};

}  // namespace siskin::net
