#include "sim/upstream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <memory>

#include "siskin/wire/header.hpp"

namespace siskin::sim {

using runtime::ReplyVerdict;
using runtime::Transport;
using Message = std::vector<std::uint8_t>;

namespace {

std::string summary(wire::Bytes message) {
  if (message.size() < wire::kHeaderSize) return "unreadable";
  const auto word = [message](std::size_t i) { return message[2 * i] << 8 | message[2 * i + 1]; };
  const auto flags = static_cast<std::uint16_t>(word(1));
  return fmt::format("{}{}{} {}/{}/{}",
                     to_string(static_cast<wire::Rcode>(wire::rcode_bits(flags))),
                     flags & wire::flag::aa ? " aa" : "", flags & wire::flag::tc ? " tc" : "",
                     word(3), word(4), word(5));
}

double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

std::string Event::to_text() const {
  return fmt::format("{:.3f}ms {} {} {} {}{}{} id {}: {}{}", milliseconds(began),
                     transport == Transport::udp ? "udp" : "tcp", server.to_text(), name.to_text(),
                     to_string(type), has_edns ? "" : " (no EDNS)",
                     subnet ? " for " + subnet->network().to_text() : "", id, result,
                     ended ? fmt::format(" after {:.3f}ms", milliseconds(*ended - began)) : "");
}

/// One exchange under way.  Lives in the frame of exchange(); all its timers end with it.
class SimUpstream::Exchange {
 public:
  Exchange(SimUpstream& owner, const Server* server, Query query, runtime::ReplyFilter& filter,
           Instant deadline)
      : time_(owner.time_),
        random_(owner.random_),
        server_(server),
        link_(server != nullptr && server->link ? *server->link : owner.world_.link),
        query_(std::move(query)),
        filter_(filter) {
    at(deadline, [this] { end(Error{Errc::timeout, {}}); });
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void begin() {
    if (server_ == nullptr) return;  // nobody there: silence
    const Vices& vices = server_->vices_at(time_.elapsed());
    if (vices.is_unreachable) {
      after(link_.carry_reliably(random_), [this] { end(Error{Errc::unreachable, {}}); });
    } else if (vices.is_dead) {
      return;
    } else if (query_.transport == Transport::tcp) {
      connect(vices.tcp);
    } else {
      for (const Duration delay : link_.carry(random_)) {
        after(delay, [this] { arrive(); });
      }
    }
  }

  void fail(Errc code) { end(Error{code, {}}); }

  runtime::OneShot<Result<Message>>& done() noexcept { return done_; }

 private:
  void at(Instant when, std::function<void()> what) {
    timers_.push_back(std::make_unique<runtime::Timer>(time_.timers(), std::move(what)));
    timers_.back()->arm(when);
  }

  void after(Duration delay, std::function<void()> what) {
    at(time_.now() + delay, std::move(what));
  }

  void connect(TcpManner manner) {
    const Duration handshake = link_.carry_reliably(random_) + link_.carry_reliably(random_);
    switch (manner) {
      case TcpManner::refused:
        return after(handshake, [this] { end(Error{Errc::unreachable, "connection refused"}); });
      case TcpManner::closes:
        return after(handshake + 2 * link_.carry_reliably(random_),
                     [this] { end(Error{Errc::closed, {}}); });
      case TcpManner::silent: return;
      case TcpManner::normal:
        return after(handshake + link_.carry_reliably(random_), [this] { arrive(); });
    }
  }

  /// The query is at the server, and its replies set out.
  void arrive() {
    if (server_->vices_at(time_.elapsed()).is_dead) return;
    query_.at = time_.elapsed();
    for (Packet& packet : server_->receive(query_)) {
      std::vector<Duration> ways{Duration{}};
      if (query_.transport == Transport::tcp) {
        ways = {link_.carry_reliably(random_)};
      } else if (!packet.is_forged) {
        ways = link_.carry(random_);
      }
      for (const Duration way : ways) {
        after(packet.delay + way, [this, bytes = packet.bytes] { judge(bytes); });
      }
    }
  }

  void judge(const Message& bytes) {
    if (ended_) return;
    switch (filter_.judge(bytes)) {
      case ReplyVerdict::take: return end(bytes);
      case ReplyVerdict::give_up: return end(Error{Errc::spoof_suspected, {}});
      case ReplyVerdict::ignore:
        // Over TCP there is one message; the server closes behind it.
        if (query_.transport == Transport::tcp) end(Error{Errc::closed, {}});
        return;
    }
  }

  void end(Result<Message> result) {
    if (ended_) return;
    ended_ = true;
    // Not from inside a timer: the waiter destroys all of them.
    boost::asio::post(time_.io(), [this, result = std::move(result)]() mutable {
      done_.complete(std::move(result));
    });
  }

  VirtualTime& time_;
  SimRandom& random_;
  const Server* server_;
  Link link_;
  Query query_;
  runtime::ReplyFilter& filter_;
  bool ended_ = false;
  std::vector<std::unique_ptr<runtime::Timer>> timers_;
  runtime::OneShot<Result<Message>> done_;
};

void SimUpstream::complain(const std::string& what, const Event& event) {
  complaints_.push_back(what + ": " + event.to_text());
}

std::optional<Query> SimUpstream::note(const Endpoint& server, Transport transport,
                                       std::span<const std::uint8_t> message) {
  Event event;
  event.began = time_.elapsed();
  event.server = server.address;
  event.transport = transport;
  auto query = read_query(message);
  if (query) {
    query->server = server.address;
    query->transport = transport;
    event.name = query->name;
    event.type = query->type;
    event.id = query->id;
    event.has_edns = query->has_edns;
    event.subnet = query->subnet;
    event.cookie = query->cookie;
    if (query->flags & wire::flag::rd) complain("RD is set", event);
    if (is_meta(query->type)) complain("a meta-type is asked for", event);
  } else {
    complain("an unreadable query", event);
  }
  if (server.port != port) complain("another port than asked for", event);
  events_.push_back(std::move(event));
  return query;
}

void SimUpstream::finish(std::size_t event, const Result<Message>& result) {
  --pending_;
  events_[event].ended = time_.elapsed();
  events_[event].result =
      result ? summary(*result) : std::string(siskin::to_string(result.error().code));
}

runtime::Task<Result<Message>> SimUpstream::exchange(const Endpoint& server, Transport transport,
                                                     std::span<const std::uint8_t> message,
                                                     runtime::ReplyFilter& filter, Instant deadline,
                                                     runtime::Recall& recall) {
  const std::size_t number = events_.size();
  const auto query = note(server, transport, message);
  ++pending_;
  const bool must_fail = failure_.from <= number && number < failure_.until;
  const bool is_lost = !query || must_fail;
  const Server* known = is_lost ? nullptr : world_.find_server(server.address);
  Exchange exchange(*this, known, query.value_or(Query{}), filter, deadline);
  const runtime::Recall::Listener listener(recall, [&exchange] { exchange.fail(Errc::closed); });
  exchange.begin();
  if (must_fail && failure_.how != Errc::timeout) exchange.fail(failure_.how);
  Result<Message> result = co_await exchange.done().wait();
  finish(number, result);
  co_return result;
}

std::size_t SimUpstream::count(std::string_view server, std::size_t from) const {
  const IpAddress address = IpAddress::from_text(server).value();
  const auto rest = std::span(events_).subspan(from);
  return static_cast<std::size_t>(std::ranges::count(rest, address, &Event::server));
}

std::string SimUpstream::log(std::size_t from) const {
  std::string text;
  for (std::size_t i = from; i < events_.size(); ++i) text += events_[i].to_text() + '\n';
  return text;
}

}  // namespace siskin::sim
