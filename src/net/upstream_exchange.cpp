#include "siskin/net/upstream_exchange.hpp"

#include "net/socket_poller.hpp"
#include "net/upstream_tcp.hpp"
#include "net/upstream_udp.hpp"

namespace siskin::net {

namespace {

/// Of the sockets, one in so many may be a TCP connection: most questions go over UDP.
constexpr std::size_t kTcpShare = 4;

}  // namespace

struct UpstreamExchange::Impl {
  Impl(boost::asio::io_context& io, const runtime::Clock& clock, runtime::TimerQueue& timers,
       runtime::Random& random, const UpstreamExchangeOptions& options)
      : poller(std::make_shared<SocketPoller>(io, options.sockets_max)),
        udp_sockets(clock, timers, random, *poller,
                    {options.queries_per_socket, options.excluded_ports}),
        udp(udp_sockets),
        tcp(clock, timers, *poller, options.sockets_max / kTcpShare) {}

  std::shared_ptr<SocketPoller> poller;
  UdpSockets udp_sockets;
  UdpUpstream udp;
  TcpUpstream tcp;
};

UpstreamExchange::UpstreamExchange(boost::asio::io_context& io, const runtime::Clock& clock,
                                   runtime::TimerQueue& timers, runtime::Random& random,
                                   const UpstreamExchangeOptions& options)
    : impl_(std::make_unique<Impl>(io, clock, timers, random, options)) {}

UpstreamExchange::~UpstreamExchange() {
  shutdown();
}

runtime::Task<Result<std::vector<std::uint8_t>>> UpstreamExchange::exchange(
    const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
    runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) {
  return transport == runtime::Transport::udp
             ? impl_->udp.exchange(server, query, filter, deadline, recall)
             : impl_->tcp.exchange(server, query, filter, deadline, recall);
}

std::size_t UpstreamExchange::sockets_open() const noexcept {
  return impl_->poller->watches();
}

void UpstreamExchange::shutdown() {
  impl_->poller->shutdown();
  impl_->udp_sockets.clear();
}

}  // namespace siskin::net
