#include "app/local_root.hpp"

#include <utility>

namespace siskin::app {

LocalRoot::LocalRoot(boost::asio::io_context& io, const runtime::Clock& clock,
                     const net::UpstreamExchangeOptions& upstream, std::vector<Endpoint> servers,
                     std::function<void(Zone)> publish)
    : io_(io),
      driver_(io, clock, timers_),
      upstream_(io, clock, timers_, random_, upstream),
      transfer_(io, timers_),
      keeper_({upstream_, transfer_, clock, random_, timers_}, std::move(servers),
              std::move(publish)) {}

void LocalRoot::stop() {
  keeper_.stop();
  transfer_.shutdown();
  upstream_.shutdown();
  driver_.stop();
}

}  // namespace siskin::app
