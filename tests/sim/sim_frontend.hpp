/// Clients' queries through serve: bytes in, bytes out, in virtual time; one core.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sim_resolver.hpp"
#include "siskin/policy/access.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::sim {

/// What a client sends.
struct ClientQuery {
  std::uint16_t id = 4711;
  runtime::Transport transport = runtime::Transport::udp;
  bool with_edns = true;
  bool dnssec_ok = false;
  std::uint16_t udp_size = 1232;
  std::string_view client = "10.0.0.1";  ///< where it comes from
  std::optional<wire::ClientSubnet> subnet = {};
};

class SimFrontend {
 public:
  explicit SimFrontend(const World& world, SimResolver::Settings settings = {});
  SimFrontend(const SimFrontend&) = delete;
  SimFrontend& operator=(const SimFrontend&) = delete;

  /// Names one query sent; replies are kept under it.
  using Ticket = std::uint64_t;

  Ticket send(std::string_view name, wire::RRType type, const ClientQuery& query = {});
  Ticket send(const resolve::Question& question, const ClientQuery& query = {});

  /// Sends, and lets time pass until there is a reply; throws std::runtime_error when none comes.
  std::vector<std::uint8_t> ask(const resolve::Question& question, const ClientQuery& query = {});
  /// The same, with the reply taken apart and printed as an Outcome.
  std::string answer(std::string_view name, wire::RRType type, const ClientQuery& query = {});

  /// All replies to that query so far: there must never be two.
  const std::vector<std::vector<std::uint8_t>>& replies(Ticket ticket) { return replies_[ticket]; }
  bool was_hit(Ticket ticket) const { return hits_.at(ticket); }

  SimResolver& resolver() noexcept { return resolver_; }
  serve::Frontend& frontend() noexcept { return frontend_; }
  serve::Fetches& fetches() noexcept { return fetches_; }

 private:
  /// The only core there is.
  class OneManCrew final : public serve::Crew {
   public:
    explicit OneManCrew(SimFrontend& owner) : owner_(owner) {}
    unsigned size() const noexcept override { return 1; }
    void post(unsigned core, std::function<void()> work) override;
    serve::Fetches& fetches(unsigned) noexcept override { return owner_.fetches_; }

   private:
    SimFrontend& owner_;
  };

  class Sink final : public runtime::ReplySink {
   public:
    explicit Sink(SimFrontend& owner) : owner_(owner) {}
    void send(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) override;
    void abandon(const runtime::ReplyTicket& ticket) override;

   private:
    SimFrontend& owner_;
  };

  policy::AccessList access_;
  std::optional<policy::ClientSubnets> subnets_;
  SimRandom draws_;
  std::map<Ticket, std::vector<std::vector<std::uint8_t>>> replies_;
  std::map<Ticket, bool> hits_;
  Ticket next_ticket_ = 1;
  Sink sink_{*this};
  OneManCrew crew_{*this};
  SimResolver resolver_;
  serve::ResolverQuestioner questioner_{resolver_.resolver()};
  serve::Fetches fetches_;
  serve::Frontend frontend_;
};

/// A reply taken apart, as the resolver would have said it.  Throws std::invalid_argument when it
/// cannot be read, or does not repeat ID and question.
resolve::Outcome outcome_of(wire::Bytes reply, const resolve::Question& question, std::uint16_t id);

/// The client subnet option of a reply: "203.0.113.0/24 scope 16"; empty: it has none.
std::string subnet_of(wire::Bytes reply);

}  // namespace siskin::sim
