/// One client query from bytes to bytes, on one core.
///
/// Hit: handle() parses, judges, looks into the cache and writes the reply; no coroutine, no
/// allocation, no log line.  Miss: the query becomes a waiter of the fetch for its question on the
/// core that owns it, and the reply is sent through the listener's sink when the fetch ends.
///
/// Threads:  one core each; only Crew crosses cores.
/// Lifetime: everything in Context outlives the frontend, the crew all work posted to it as well.
///           Fetches may end after the frontend is gone: their outcomes are forgotten.
/// RFC:      1035 §4.1, 6891 (EDNS), 7871 (client subnet), 8482 (ANY), 8914 (EDE), 9520 (cached
///           failures).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "siskin/base/siphash.hpp"
#include "siskin/cache/cache.hpp"
#include "siskin/policy/access.hpp"
#include "siskin/policy/client_subnet.hpp"
#include "siskin/runtime/clock.hpp"
#include "siskin/runtime/query_handler.hpp"
#include "siskin/runtime/random.hpp"
#include "siskin/serve/fetches.hpp"

namespace siskin::serve {

class Frontend final : public runtime::QueryHandler {
 public:
  struct Options {
    std::uint16_t udp_size_max = wire::kUdpSizeDefault;  ///< of UDP replies, whatever is offered
    std::string version;   ///< TXT CH version.bind and version.server; empty: REFUSED
    std::string identity;  ///< TXT CH id.server and hostname.bind; empty: REFUSED
    /// Answers that are asked for in their last seconds, this many, are fetched anew behind the
    /// client's back (prefetch); 0: none.
    std::uint32_t renew_below = 0;
    bool validation = false;  ///< what is unchecked or bogus is only for clients that set CD
    std::size_t pending_max = 10000;  ///< queries waiting on this core; beyond: SERVFAIL
  };

  struct Context {
    const cache::Cache& cache;
    const policy::AccessList& access;
    const runtime::Clock& clock;
    runtime::Random& random;
    Crew& crew;
    unsigned core = 0;  ///< own number in the crew
    HashKey owner_key;  ///< decides which core owns a question: the same on all cores
    const policy::ClientSubnets* subnets = nullptr;  ///< null: client subnet is off
  };

  Frontend(const Context& context, const Options& options);
  ~Frontend() override;
  Frontend(const Frontend&) = delete;
  Frontend& operator=(const Frontend&) = delete;

  void expect(std::span<const std::span<const std::uint8_t>> queries) noexcept override;

  Outcome handle(std::span<const std::uint8_t> message, runtime::Transport transport,
                 const runtime::ReplyTicket& ticket, runtime::ReplySink& sink,
                 std::span<std::uint8_t> reply) override;

  /// Queries that wait for a fetch; shutdown waits for 0.
  std::size_t pending() const noexcept;

  /// Answers all waiting queries with SERVFAIL (EDE 14) and refuses new misses in the same way.
  void fail_pending();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace siskin::serve
