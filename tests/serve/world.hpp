/// A frontend a core, with everything around it faked but the cache: clock, randomness, crew,
/// resolution, listener.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/messages.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::serve::test {

class FakeClock final : public runtime::Clock {
 public:
  Instant now() const noexcept override { return now_; }
  void advance(Duration by) { now_ += by; }

 private:
  Instant now_{std::chrono::seconds(1000)};
};

class FakeRandom final : public runtime::Random {
 public:
  void fill(std::span<std::uint8_t> out) noexcept override;

 private:
  std::uint64_t state_ = 1;
};

/// Keeps every question waiting until the test answers it, or answers at once.
class FakeQuestioner final : public Questioner {
 public:
  runtime::Task<resolve::Outcome> resolve(resolve::Question question) override;

  /// Ends the oldest unanswered question.
  void answer(resolve::Outcome outcome);

  std::vector<resolve::Question> asked;
  std::optional<resolve::Outcome> at_once;

 private:
  std::deque<std::unique_ptr<runtime::OneShot<resolve::Outcome>>> waiting_;
};

/// Cores whose posted work runs when the test says so; with `at_once` set, work that a core posts
/// to itself runs inside post().
class FakeCrew final : public Crew {
 public:
  unsigned size() const noexcept override { return static_cast<unsigned>(fetches_.size()); }
  void post(unsigned core, std::function<void()> work) override;
  Fetches& fetches(unsigned core) noexcept override { return *fetches_[core]; }

  void add(Fetches& fetches) { fetches_.push_back(&fetches); }
  bool run_one();

  bool at_once = false;

 private:
  std::vector<Fetches*> fetches_;
  std::deque<std::function<void()>> work_;
};

class RecordingSink final : public runtime::ReplySink {
 public:
  void send(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) override {
    sent.emplace_back(ticket, Octets(reply.begin(), reply.end()));
  }
  void abandon(const runtime::ReplyTicket&) override { ++abandoned; }

  std::vector<std::pair<runtime::ReplyTicket, Octets>> sent;
  std::size_t abandoned = 0;
};

struct WorldOptions {
  unsigned cores = 1;
  Frontend::Options frontend = {};
  Fetches::Options fetches = {};
  std::vector<std::string> allow = {"0.0.0.0/0", "::/0"};
  std::optional<policy::ClientSubnets::Options> subnets = {};  ///< nothing: client subnet is off
};

class World {
 public:
  using Done = runtime::QueryHandler::Done;

  explicit World(const WorldOptions& options = {});

  struct Asking {
    runtime::Transport transport = runtime::Transport::udp;
    std::string client = "192.0.2.53";
    unsigned core = 0;
    std::uint16_t port = 4096;  ///< of the client
  };
  /// Hands the octets to the core's frontend; `done` then says what became of them.
  runtime::QueryHandler::Outcome handle(const Octets& message, const Asking& asking);
  runtime::QueryHandler::Outcome handle(const Octets& message) { return handle(message, Asking{}); }

  /// The reply that must come at once.
  Reply ask(const QuerySpec& spec, const Asking& asking);
  Reply ask(const QuerySpec& spec) { return ask(spec, Asking{}); }
  Reply ask_tcp(const QuerySpec& spec);
  Reply last_reply() const { return read_reply({buffer_.data(), last_size_}); }

  /// The reply that the sink was given last.
  Reply sent() const { return read_reply(sink.sent.back().second); }

  /// Until nothing is left to do.
  void run();

  /// Under the set's own name and type; an alias under CNAME.
  void keep(const wire::RRset& set);
  /// The same, for the clients of that network alone.
  void keep_for(const std::string& network, const wire::RRset& set);
  void keep_negative(const std::string& name, wire::RRType type, cache::Kind kind,
                     const wire::RRset& soa);
  void keep_failure(const std::string& name, wire::RRType type, wire::ExtendedError error);

  std::size_t questions_asked() const;
  /// The questioner of the core that was asked; there must be just one.
  FakeQuestioner& asked();

  boost::asio::io_context io;  // first: coroutines are destroyed through it
  FakeClock clock;
  FakeRandom random;
  cache::Cache cache;
  policy::AccessList access;
  std::optional<policy::ClientSubnets> subnets;
  FakeCrew crew;
  RecordingSink sink;
  std::vector<std::unique_ptr<FakeQuestioner>> questioners;
  std::vector<std::unique_ptr<Fetches>> fetches;
  std::vector<std::unique_ptr<Frontend>> frontends;

 private:
  Octets buffer_;
  std::size_t last_size_ = 0;
};

}  // namespace siskin::serve::test
