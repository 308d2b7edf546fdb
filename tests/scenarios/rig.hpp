/// The resolver under test with its cache and front end, in virtual time, between a scenario's
/// servers and clients.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "scenarios/upstream.hpp"
#include "scenarios/verifier.hpp"
#include "sim/random.hpp"
#include "siskin/policy/access.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::scenarios {

/// What a client got.
struct ClientAnswer {
  IpAddress client;
  Received received;
};

class Rig {
 public:
  /// `setup` outlives it.
  Rig(const Setup& setup, std::uint64_t seed);
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;
  /// Ends all that is still under way.
  ~Rig();

  void ask(wire::Bytes query, runtime::Transport transport, const IpAddress& client);

  /// Answers that nobody has taken yet, oldest first.
  std::deque<ClientAnswer>& answers() noexcept { return answers_; }
  /// Whether a client waits.
  bool is_busy() const noexcept { return frontend_.pending() > 0; }

  sim::VirtualTime& time() noexcept { return time_; }
  ScriptUpstream& upstream() noexcept { return upstream_; }
  cache::Cache& cache() noexcept { return cache_; }

 private:
  /// The only core there is.
  class OneManCrew final : public serve::Crew {
   public:
    explicit OneManCrew(Rig& owner) : owner_(owner) {}
    unsigned size() const noexcept override { return 1; }
    void post(unsigned core, std::function<void()> work) override;
    serve::Fetches& fetches(unsigned) noexcept override { return owner_.fetches_; }

   private:
    Rig& owner_;
  };

  class Sink final : public runtime::ReplySink {
   public:
    explicit Sink(Rig& owner) : owner_(owner) {}
    void send(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) override;
    void abandon(const runtime::ReplyTicket& ticket) override;

   private:
    Rig& owner_;
  };

  void take(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply);

  class Date final : public runtime::WallClock {
   public:
    Date(const sim::VirtualTime& time, std::optional<std::int64_t> fixed)
        : time_(time), fixed_(fixed) {}
    std::int64_t seconds() const noexcept override {
      return fixed_.value_or(
          std::chrono::duration_cast<std::chrono::seconds>(time_.elapsed()).count());
    }

   private:
    const sim::VirtualTime& time_;
    std::optional<std::int64_t> fixed_;
  };

  sim::VirtualTime time_;
  Date date_;
  ScenarioVerifier verifier_;
  sim::SimRandom draws_;
  policy::AccessList access_;
  std::optional<policy::ClientSubnets> subnets_;
  std::deque<ClientAnswer> answers_;
  Sink sink_{*this};
  OneManCrew crew_{*this};
  ScriptUpstream upstream_;
  cache::Cache cache_;
  resolve::Resolver resolver_;
  serve::ResolverQuestioner questioner_{resolver_};
  serve::Fetches fetches_;
  serve::Frontend frontend_;
};

}  // namespace siskin::scenarios
