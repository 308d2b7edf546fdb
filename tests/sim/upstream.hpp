/// The resolver's way into a World, in virtual time.
///
/// UDP: query and replies each cross the link, which may lose, double and delay them; what arrives
/// after the exchange has ended is gone, as with a closed socket.  TCP: two ways for the
/// handshake, two for query and reply, nothing lost.
/// Everything is recorded: one Event an exchange, and the same as lines of text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/virtual_time.hpp"
#include "sim/world.hpp"
#include "siskin/runtime/upstream.hpp"

namespace siskin::sim {

struct Event {
  Duration began{};  ///< since the simulation began
  std::optional<Duration> ended;
  IpAddress server;
  runtime::Transport transport = runtime::Transport::udp;
  wire::Name name;
  wire::RRType type = wire::RRType::none;
  std::uint16_t id = 0;
  bool has_edns = false;
  std::optional<wire::ClientSubnet> subnet = {};
  std::optional<wire::Cookie> cookie = {};
  std::string result;  ///< "NOERROR 2/0/1" (records a section), "timeout", "lost by the sweep", ...

  std::string to_text() const;
};

class SimUpstream final : public runtime::Upstream {
 public:
  /// The arguments outlive it.  `random`: for the links only, so that what the resolver draws does
  /// not change the weather.
  SimUpstream(VirtualTime& time, const World& world, SimRandom& random)
      : time_(time), world_(world), random_(random) {}

  runtime::Task<Result<std::vector<std::uint8_t>>> exchange(
      const Endpoint& server, runtime::Transport transport, std::span<const std::uint8_t> query,
      runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) override;

  const std::vector<Event>& events() const noexcept { return events_; }
  std::size_t count() const noexcept { return events_.size(); }
  /// Exchanges begun with that server since `from` (an index into events()).
  std::size_t count(std::string_view server, std::size_t from = 0) const;
  /// The events from an index on, one a line.
  std::string log(std::size_t from = 0) const;
  std::size_t pending() const noexcept { return pending_; }

  /// What a well-behaved resolver never sends: each is one line.
  const std::vector<std::string>& complaints() const noexcept { return complaints_; }

  /// The n-th exchange from now on (0: the next) fails like this, whatever the world does; a
  /// timeout at its deadline, anything else at once.
  void fail_exchange(std::size_t n, Errc how = Errc::timeout) {
    failure_ = {events_.size() + n, events_.size() + n + 1, how};
  }
  /// All from the n-th on.
  void fail_exchanges_from(std::size_t n, Errc how = Errc::timeout) {
    failure_ = {events_.size() + n, SIZE_MAX, how};
  }

  std::uint16_t port = 53;  ///< where the servers listen

 private:
  class Exchange;

  /// Exchanges [from, until), by their index in events_.
  struct Failure {
    std::size_t from = 0;
    std::size_t until = 0;
    Errc how = Errc::timeout;
  };

  std::optional<Query> note(const Endpoint& server, runtime::Transport transport,
                            std::span<const std::uint8_t> query);
  void complain(const std::string& what, const Event& event);
  void finish(std::size_t event, const Result<std::vector<std::uint8_t>>& result);

  VirtualTime& time_;
  const World& world_;
  SimRandom& random_;
  std::vector<Event> events_;
  std::vector<std::string> complaints_;
  Failure failure_;
  std::size_t pending_ = 0;
};

}  // namespace siskin::sim
