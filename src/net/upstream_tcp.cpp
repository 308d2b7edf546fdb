#include "net/upstream_tcp.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace siskin::net {

using runtime::Executor;
using runtime::Recall;
using runtime::ReplyFilter;
using runtime::Task;

TcpUpstream::~TcpUpstream() {
  for (const auto& [endpoint, server] : servers_) {
    for (const Channel& channel : server.channels) channel->disown();
  }
}

Task<UpstreamReply> TcpUpstream::exchange(Endpoint server, std::span<const std::uint8_t> query,
                                          ReplyFilter& filter, Instant deadline, Recall& recall) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  auto channel = channel_for(server, message_id(query), executor);
  for (bool is_second = false;; is_second = true) {
    if (!channel) co_return channel.error();
    TcpQuery asked(query, filter);
    UpstreamReply reply = co_await ask(*channel, asked, deadline, recall);
    const bool may_retry = asked.is_cut_off && (*channel)->answers() > 0 && !is_second;
    if (!may_retry || recall.is_given()) co_return reply;
    channel = open(server, executor);
  }
}

Task<UpstreamReply> TcpUpstream::ask(Channel channel, TcpQuery& query, Instant deadline,
                                     Recall& recall) {
  const std::size_t heard = channel->heard();
  runtime::Timer timer(timers_, [&query] { query.end(Error{Errc::timeout, {}}); });
  timer.arm(deadline);
  const Recall::Listener listener(recall, [&query] { query.end(Error{Errc::closed, {}}); });
  channel->ask(query);
  UpstreamReply reply = co_await query.wait();
  const bool is_timeout = !reply && reply.error().code == Errc::timeout;
  channel->left(is_timeout && channel->heard() == heard);
  co_return reply;
}

Result<TcpUpstream::Channel> TcpUpstream::channel_for(const Endpoint& endpoint, std::uint16_t id,
                                                      const Executor& executor) {
  const auto at = servers_.find(endpoint);
  if (at == servers_.end()) return open(endpoint, executor);
  const std::size_t in_flight_max = at->second.is_hasty ? 1 : TcpChannel::kInFlightMax;
  for (const Channel& channel : at->second.channels) {
    if (channel->may_take(id, in_flight_max)) return channel;
  }
  return open(endpoint, executor);
}

Result<TcpUpstream::Channel> TcpUpstream::open(const Endpoint& endpoint, const Executor& executor) {
  const auto known = servers_.find(endpoint);
  if (known != servers_.end()) {
    const std::size_t most = known->second.is_hasty ? kHastyChannelsMax : kChannelsMax;
    if (known->second.channels.size() >= most) {
      return Error{Errc::limit, "too many connections to one server are open"};
    }
  }
  make_room();
  if (channels_ >= channels_max_) return Error{Errc::limit, "too many connections are open"};
  auto socket = connect_upstream(poller_, endpoint);
  if (!socket) return socket.error();
  TcpChannel::Owner& owner = *this;
  auto channel = std::make_shared<TcpChannel>(owner, endpoint, clock_, timers_);
  servers_[endpoint].channels.push_back(channel);
  ++channels_;
  if (auto begun = channel->begin(executor, poller_, std::move(*socket)); !begun) {
    ended(*channel);
    return begun.error();
  }
  return channel;
}

/// A channel without a query is worth less than a new one (fault A99).
void TcpUpstream::make_room() {
  if (channels_ < channels_max_ && !poller_.is_full()) return;
  for (const auto& [endpoint, server] : servers_) {
    const auto at = std::ranges::find_if(server.channels, &TcpChannel::is_idle,
                                         [](const Channel& c) -> TcpChannel& { return *c; });
    if (at == server.channels.end()) continue;
    const auto idle = (*at)->shared_from_this();  // its end leads to ended(), which lets it go
    return idle->close();
  }
}

void TcpUpstream::ended(const TcpChannel& channel) {
  const auto at = servers_.find(channel.server());
  Server& server = at->second;
  channels_ -=
      std::erase_if(server.channels, [&channel](const Channel& c) { return c.get() == &channel; });
  learn(server, channel);
  if (server.channels.empty() && !server.is_hasty) servers_.erase(at);
}

/// Who answered once and left others without: does so always.  Who answered twice does not.
void TcpUpstream::learn(Server& server, const TcpChannel& channel) {
  const bool is_hasty = channel.answers() == 1 && channel.in_flight() > 0;
  if (is_hasty && !server.is_hasty && hasty_ < kHastyServersMax) {
    server.is_hasty = true;
    ++hasty_;
  } else if (server.is_hasty && channel.answers() > 1) {
    server.is_hasty = false;
    --hasty_;
  }
}

}  // namespace siskin::net
