#include "resolve/server_asker.hpp"

#include "resolve/message.hpp"
#include "resolve/reply_filter.hpp"

namespace siskin::resolve {
namespace {

using runtime::Transport;
using wire::Rcode;

constexpr unsigned kTriesMax = 4;  ///< UDP, UDP without EDNS, TCP, TCP without EDNS
constexpr Duration kTcpWaitMin = std::chrono::milliseconds(1500);  ///< a handshake more

Attempt ended(Attempt::End end, std::string complaint) {
  Attempt attempt;
  attempt.end = end;
  attempt.complaint = std::move(complaint);
  return attempt;
}

bool is_edns_trouble(Rcode rcode) {
  return rcode == Rcode::formerr || rcode == Rcode::notimp || rcode == Rcode::badvers;
}

}  // namespace

runtime::Task<Attempt> ServerAsker::ask(Query& query, IpAddress server, const Asked& asked) {
  Manner manner;
  while (manner.tries++ < kTriesMax) {
    const Instant sent = core_.now();
    if (core_.stopped || !query.budget.spend_exchange(sent)) {
      co_return ended(Attempt::End::exhausted, "");
    }
    const UpstreamQuery question = make_query(asked, manner);
    const std::vector<std::uint8_t> bytes = encode(question);
    QueryMatch filter(bytes, manner.transport == Transport::udp);
    const Endpoint endpoint{server, core_.options.upstream_port};
    const auto received = co_await core_.context.upstream.exchange(
        endpoint, manner.transport, bytes, filter, deadline(query, server, manner));
    if (!received) {
      if (received.error().code == Errc::spoof_suspected && manner.transport == Transport::udp) {
        manner.transport = Transport::tcp;
        continue;
      }
      co_return failed(server, received.error(), core_.now() - sent);
    }
    // A TCP exchange has a handshake more: no measure of the next wait.
    if (manner.transport == Transport::udp) core_.servers.replied(server, core_.now() - sent);
    const auto message = decode(*received, question, asked.name);
    if (!message && manner.transport == Transport::udp) {
      // Forged, or cut on its way (fault A11).
      manner.transport = Transport::tcp;
      continue;
    }
    if (!message) co_return ended(Attempt::End::reply, to_string(message.error()));
    if (change_manner(*message, manner)) continue;
    // RFC 2181 §9: what is there may be part of a set, and there is no way to the rest.
    if (message->truncated) co_return ended(Attempt::End::reply, "truncated over TCP");
    Attempt attempt;
    attempt.reply = classify(*message, asked, core_.options.limits.server_names);
    attempt.complaint = attempt.reply.complaint;
    co_return attempt;
  }
  co_return ended(Attempt::End::reply, "no way to ask it works");
}

UpstreamQuery ServerAsker::make_query(const Asked& asked, const Manner& manner) {
  UpstreamQuery question;
  question.name = asked.name;
  question.type = asked.type;
  question.id = core_.context.random.u16();
  question.edns = manner.edns;
  question.udp_size = core_.options.edns_udp_size;
  if (core_.options.case_randomisation && manner.transport == Transport::udp) {
    std::array<std::uint8_t, 32> bits{};
    core_.context.random.fill(bits);
    question.name.randomise_case(bits);
  }
  return question;
}

Instant ServerAsker::deadline(const Query& query, const IpAddress& server,
                              const Manner& manner) const {
  Duration wait = core_.servers.wait(server);
  if (manner.transport == Transport::tcp) wait = std::max(2 * wait, kTcpWaitMin);
  return std::min(core_.now() + wait, query.budget.deadline());
}

Attempt ServerAsker::failed(const IpAddress& server, const Error& error, Duration waited) {
  if (error.code == Errc::timeout) {
    // Shorter where the query's own time was up, or where another query has since found the server
    // slow: no news about the server.
    if (waited >= core_.servers.wait(server)) core_.servers.timed_out(server, core_.now());
    return ended(Attempt::End::timeout, "timeout");
  }
  if (error.code == Errc::unreachable) core_.servers.unreachable(server, core_.now());
  return ended(Attempt::End::unreachable, std::string(to_string(error.code)));
}

/// Whether the message is a reason to ask the same server differently.
bool ServerAsker::change_manner(const Message& message, Manner& manner) const {
  if (manner.edns && is_edns_trouble(message.rcode)) {
    manner.edns = false;
    return true;
  }
  if (message.truncated && manner.transport == Transport::udp) {
    manner.transport = Transport::tcp;
    return true;
  }
  return false;
}

}  // namespace siskin::resolve
