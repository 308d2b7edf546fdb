#include "scenarios/rig.hpp"

#include <boost/asio/post.hpp>
#include <stdexcept>

namespace siskin::scenarios {
namespace {

using runtime::Transport;

constexpr std::size_t kReplyRoom = 0xffff;
constexpr std::uint16_t kClientPort = 4000;

/// A listener's ticket says by the number of the connection whether it is TCP.
constexpr std::uint64_t kTcpConnection = 1;

std::optional<serve::Fetches::Stale> stale(const Setup& setup, sim::VirtualTime& time) {
  if (!setup.stale) return std::nullopt;
  return serve::Fetches::Stale{time.clock(), time.timers(), setup.stale->client_wait,
                               setup.stale->recheck};
}

}  // namespace

void Rig::OneManCrew::post(unsigned, std::function<void()> work) {
  boost::asio::post(owner_.time_.io(), std::move(work));
}

void Rig::Sink::send(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) {
  owner_.take(ticket, reply);
}

void Rig::Sink::abandon(const runtime::ReplyTicket&) {}

Rig::Rig(const Setup& setup, std::uint64_t seed)
    : date_(time_, setup.date),
      verifier_(setup.takes_sha1_as_good, setup.takes_dsa_as_good),
      draws_(seed),
      access_(setup.allowed),
      subnets_(setup.subnets),
      upstream_(time_, setup.stubs),
      cache_(setup.cache),
      resolver_({cache_, upstream_, time_.clock(), draws_, time_.timers(), &verifier_, &date_},
                setup.resolve),
      fetches_(questioner_, time_.io().get_executor(), {}, stale(setup, time_)),
      frontend_(
          {cache_, access_, time_.clock(), draws_, crew_, 0, {}, subnets_ ? &*subnets_ : nullptr},
          setup.frontend) {}

Rig::~Rig() {
  constexpr Duration kPatience = std::chrono::minutes(10);
  resolver_.stop();
  time_.settle(kPatience);
}

void Rig::ask(wire::Bytes query, Transport transport, const IpAddress& client) {
  runtime::ReplyTicket ticket;
  ticket.client = {client, kClientPort};
  ticket.connection = transport == Transport::tcp ? kTcpConnection : 0;
  std::vector<std::uint8_t> reply(kReplyRoom);
  const auto outcome = frontend_.handle(query, transport, ticket, sink_, reply);
  if (outcome.done != runtime::QueryHandler::Done::replied) return;
  take(ticket, std::span(reply).first(outcome.reply_size));
}

void Rig::take(const runtime::ReplyTicket& ticket, std::span<const std::uint8_t> reply) {
  auto message = decode(reply);
  if (!message) throw std::runtime_error("a client got an unreadable message");
  const auto transport = ticket.connection == kTcpConnection ? Transport::tcp : Transport::udp;
  answers_.push_back({ticket.client.address, {std::move(*message), transport}});
}

}  // namespace siskin::scenarios
