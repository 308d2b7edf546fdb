/// The keeper of a copy of the root zone, with all that it works with.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "siskin/net/tcp_transfer.hpp"
#include "siskin/net/timer_driver.hpp"
#include "siskin/net/upstream_exchange.hpp"
#include "siskin/resolve/root_keeper.hpp"
#include "siskin/runtime/random.hpp"

namespace siskin::app {

/// Lives on the main thread's loop, which has nothing else to do: reading 25,000 records would keep
/// the clients of a worker waiting.
/// Lifetime: io and clock outlive it.
class LocalRoot {
 public:
  using Zone = std::shared_ptr<const resolve::RootZone>;

  LocalRoot(boost::asio::io_context& io, const runtime::Clock& clock,
            const net::UpstreamExchangeOptions& upstream, std::vector<Endpoint> servers,
            std::function<void(Zone)> publish);

  void start() { keeper_.start(io_.get_executor()); }
  /// Nothing is published any more, and nothing keeps the loop.
  void stop();

 private:
  boost::asio::io_context& io_;
  runtime::SystemRandom random_;
  runtime::TimerQueue timers_;
  net::TimerDriver driver_;
  net::UpstreamExchange upstream_;
  net::TcpTransfer transfer_;
  resolve::RootKeeper keeper_;
};

}  // namespace siskin::app
