#include "resolve/server_asker.hpp"

#include "resolve/message.hpp"
#include "resolve/reply_filter.hpp"

namespace siskin::resolve {
namespace {

using runtime::Transport;
using wire::Rcode;

/// Each changes one thing and none changes back: without client subnet, without EDNS, over TCP.
constexpr unsigned kTriesMax = 4;
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

/// Some servers say FORMERR to options that they do not know (fault B79), some REFUSED to clients
/// of others.
bool is_subnet_trouble(Rcode rcode) {
  return rcode == Rcode::formerr || rcode == Rcode::notimp || rcode == Rcode::refused;
}

bool is_usable(Rcode rcode) {
  return rcode == Rcode::noerror || rcode == Rcode::nxdomain || rcode == Rcode::yxdomain;
}

}  // namespace

runtime::Task<Attempt> ServerAsker::ask(Query& query, IpAddress server, const Asked& asked,
                                        Leash& leash) {
  Manner manner;
  manner.subnet = asked.subnet != nullptr && core_.servers.may_tell_subnet(server, core_.now());
  while (manner.tries++ < kTriesMax) {
    if (leash.recall.is_given()) co_return ended(Attempt::End::recalled, "");
    const Instant sent = core_.now();
    if (core_.stopped || !query.budget.spend_exchange(sent)) {
      co_return ended(Attempt::End::exhausted, "");
    }
    const UpstreamQuery question = make_query(asked, manner);
    const std::vector<std::uint8_t> bytes = encode(question);
    QueryMatch filter(bytes, manner.transport == Transport::udp);
    if (leash.on_sent) leash.on_sent(late_at(server, manner));
    const Endpoint endpoint{server, core_.options.upstream_port};
    const auto received = co_await core_.context.upstream.exchange(
        endpoint, manner.transport, bytes, filter, deadline(query, server, manner), leash.recall);
    if (!received && leash.recall.is_given()) {
      co_return recalled(server, core_.now() - sent, manner, question);
    }
    if (!received) {
      if (received.error().code == Errc::spoof_suspected && manner.transport == Transport::udp) {
        manner.transport = Transport::tcp;
        continue;
      }
      co_return failed(server, received.error(), core_.now() - sent, question);
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
    if (change_manner(server, *message, question, manner)) continue;
    co_return judged(*message, asked, question);
  }
  co_return ended(Attempt::End::reply, "no way to ask it works");
}

Attempt ServerAsker::judged(const Message& message, const Asked& asked,
                            const UpstreamQuery& question) const {
  // RFC 2181 §9: what is there may be part of a set, and there is no way to the rest.
  if (message.truncated) return ended(Attempt::End::reply, "truncated over TCP");
  Attempt attempt;
  attempt.reply = classify(message, asked, core_.options.limits.server_names);
  attempt.reply.held_for = held_for(message, question);
  attempt.complaint = attempt.reply.complaint;
  return attempt;
}

UpstreamQuery ServerAsker::make_query(const Asked& asked, const Manner& manner) {
  UpstreamQuery question;
  question.name = asked.name;
  question.type = asked.type;
  question.id = core_.context.random.u16();
  question.edns = manner.edns;
  question.udp_size = core_.options.edns_udp_size;
  if (manner.edns && manner.subnet) question.subnet = wire::ClientSubnet::of(*asked.subnet);
  if (core_.options.case_randomisation && manner.transport == Transport::udp) {
    std::array<std::uint8_t, 32> bits{};
    core_.context.random.fill(bits);
    question.name.randomise_case(bits);
  }
  return question;
}

Instant ServerAsker::late_at(const IpAddress& server, const Manner& manner) const {
  const Duration patience = core_.servers.patience(server);
  return core_.now() + (manner.transport == Transport::tcp ? 2 * patience : patience);
}

Instant ServerAsker::deadline(const Query& query, const IpAddress& server,
                              const Manner& manner) const {
  Duration wait = core_.servers.wait(server);
  if (manner.transport == Transport::tcp) wait = std::max(2 * wait, kTcpWaitMin);
  return std::min(core_.now() + wait, query.budget.deadline());
}

Attempt ServerAsker::failed(const IpAddress& server, const Error& error, Duration waited,
                            const UpstreamQuery& question) {
  if (error.code == Errc::timeout) {
    // Shorter where the query's own time was up, or where another query has since found the server
    // slow: no news about the server.
    if (waited >= core_.servers.wait(server)) {
      core_.servers.timed_out(server, core_.now());
      if (question.subnet) core_.servers.silent_to_subnet(server, core_.now());
    }
    return ended(Attempt::End::timeout, "timeout");
  }
  if (error.code == Errc::unreachable) core_.servers.unreachable(server, core_.now());
  return ended(Attempt::End::unreachable, std::string(to_string(error.code)));
}

/// Another server was quicker.  Who had less than its time may be as quick, who is being asked over
/// TCP has answered.
Attempt ServerAsker::recalled(const IpAddress& server, Duration waited, const Manner& manner,
                              const UpstreamQuery& question) {
  if (manner.transport == Transport::udp && waited >= core_.servers.patience(server)) {
    core_.servers.outrun(server, core_.now());
    if (question.subnet) core_.servers.silent_to_subnet(server, core_.now());
  }
  return ended(Attempt::End::recalled, "");
}

/// Whether the message is a reason to ask the same server differently.
bool ServerAsker::change_manner(const IpAddress& server, const Message& message,
                                const UpstreamQuery& question, Manner& manner) {
  if (question.subnet && is_subnet_trouble(message.rcode)) {
    core_.servers.ignored_subnet(server, core_.now());
    manner.subnet = false;
    return true;
  }
  if (manner.edns && is_edns_trouble(message.rcode)) {
    manner.edns = false;
    return true;
  }
  if (message.truncated && manner.transport == Transport::udp) {
    manner.transport = Transport::tcp;
    return true;
  }
  return question.subnet && is_usable(message.rcode) && doubts(server, message, question, manner);
}

/// Whether the message is no answer to who was told of; then the server is told no more.
bool ServerAsker::doubts(const IpAddress& server, const Message& message,
                         const UpstreamQuery& question, Manner& manner) {
  const Echo echo = echo_of(message, *question.subnet);
  if (echo == Echo::right) {
    if (message.subnet && question.subnet->source > 0) {
      core_.servers.echoed_subnet(server, core_.now());
    }
    return false;
  }
  core_.servers.ignored_subnet(server, core_.now());
  if (echo == Echo::missing && manner.transport == Transport::tcp) return false;
  manner.subnet = false;
  return true;
}

}  // namespace siskin::resolve
