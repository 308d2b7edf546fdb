#include "resolve/server_asker.hpp"

#include "resolve/client_cookie.hpp"

namespace siskin::resolve {
namespace {

using runtime::Transport;

/// Each changes one thing and none changes back: new cookie, without options, small letters, over
/// TCP, without EDNS.
constexpr unsigned kTriesMax = 5;
constexpr Duration kTcpWaitMin = std::chrono::milliseconds(1500);  ///< a handshake more

Attempt ended(Attempt::End end, std::string complaint) {
  Attempt attempt;
  attempt.end = end;
  attempt.complaint = std::move(complaint);
  return attempt;
}

/// For a complaint: nobody thinks of TCP by himself.
const char* way(const Manner& manner) {
  return manner.is_udp() ? "" : " over TCP";
}

/// When the exchange that begins now is late.
Instant late_at(Instant now, const ServerTable::Look& look, const Manner& manner) {
  return now + (manner.is_udp() ? look.patience : 2 * look.patience);
}

Instant deadline(Instant now, const Query& query, const ServerTable::Look& look,
                 const Manner& manner) {
  const Duration wait = manner.is_udp() ? look.wait : std::max(2 * look.wait, kTcpWaitMin);
  return std::min(now + wait, query.budget.deadline());
}

}  // namespace

ServerAsker::ServerAsker(Core& core)
    : core_(core), cookie_key_{core.context.random.u64(), core.context.random.u64()} {}

runtime::Task<Attempt> ServerAsker::ask(Query& query, IpAddress server, const Asked& asked,
                                        Leash& leash) {
  ServerTable::Look look = core_.servers.look(server);
  Manner manner = first_manner(server, asked, look.quirks);
  while (manner.tries++ < kTriesMax) {
    if (leash.recall.is_given()) co_return ended(Attempt::End::recalled, "");
    const Instant sent = core_.now();
    if (core_.stopped || !query.budget.spend_exchange(sent)) {
      co_return ended(Attempt::End::exhausted, "");
    }
    if (manner.tries > 1) look = core_.servers.look(server);
    const UpstreamQuery question = make_query(server, asked, manner, look.quirks);
    const std::vector<std::uint8_t> bytes = encode(question);
    QueryMatch filter(bytes, manner.is_udp() && manner.mixed_case);
    if (question.cookie) {
      filter.expect_cookie(question.cookie->client,
                           manner.is_udp() && look.quirks.owes_cookie(sent));
    }
    if (leash.on_sent) leash.on_sent(late_at(sent, look, manner));
    const Endpoint endpoint{server, core_.options.upstream_port};
    const auto received =
        co_await core_.context.upstream.exchange(endpoint, manner.transport, bytes, filter,
                                                 deadline(sent, query, look, manner), leash.recall);
    count_near_misses(server, filter);
    if (!received && leash.recall.is_given()) {
      co_return recalled(server, core_.now() - sent, manner, question);
    }
    const Exchange exchange{server, asked, question, filter, sent};
    auto attempt = after(query, exchange, received, manner);
    if (attempt) co_return std::move(*attempt);
  }
  co_return ended(Attempt::End::reply, "no way to ask it works");
}

void ServerAsker::count_near_misses(const IpAddress& server, const QueryMatch& filter) {
  if (filter.near_misses() == 0) return;
  core_.servers.quirks(server).near_missed(filter.near_misses(), core_.now());
}

/// What came of it; nothing when the server is to be asked again, in the manner that is left there.
std::optional<Attempt> ServerAsker::after(Query& query, const Exchange& exchange,
                                          const Result<std::vector<std::uint8_t>>& received,
                                          Manner& manner) {
  const auto& [server, asked, question, filter, sent] = exchange;
  const Instant now = core_.now();
  if (!received) {
    if (suspects(server, received.error(), filter, manner)) return std::nullopt;
    return failed(server, received.error(), now - sent, question, manner);
  }
  // A TCP exchange has a handshake more: no measure of the next wait.
  Quirks& quirks = manner.is_udp() ? core_.servers.replied(server, now - sent, now)
                                   : core_.servers.replied_over_tcp(server, now);
  const auto message = decode(*received, question, asked.name);
  if (!message && manner.is_udp()) {
    // Forged, or cut on its way (fault A11).
    manner.transport = Transport::tcp;
    return std::nullopt;
  }
  if (!message) return ended(Attempt::End::reply, to_string(message.error()));
  const Heard heard{*message, question, filter, manner, now};
  learn(heard, quirks);
  if (changes(server, heard, quirks, manner)) return std::nullopt;
  Attempt attempt = judged(heard, asked);
  if (doubts_case(query, heard, attempt.reply, quirks, manner)) return std::nullopt;
  return attempt;
}

Manner ServerAsker::first_manner(const IpAddress& server, const Asked& asked,
                                 const Quirks& quirks) const {
  const Instant now = core_.now();
  Manner manner;
  if (quirks.wants_tcp(now)) manner.transport = Transport::tcp;
  manner.edns = quirks.may_send_edns(now);
  manner.subnet = asked.subnet != nullptr && core_.servers.may_tell_subnet(server, now);
  manner.cookie = core_.options.cookies && quirks.may_send_cookie(now);
  manner.mixed_case = core_.options.case_randomisation && quirks.keeps_case(now);
  return manner;
}

UpstreamQuery ServerAsker::make_query(const IpAddress& server, const Asked& asked,
                                      const Manner& manner, const Quirks& quirks) {
  UpstreamQuery question;
  question.name = asked.name;
  question.type = asked.type;
  question.id = core_.context.random.u16();
  question.edns = manner.edns;
  question.udp_size = core_.options.edns_udp_size;
  if (manner.edns && manner.subnet) question.subnet = wire::ClientSubnet::of(*asked.subnet);
  if (manner.edns && manner.cookie) {
    question.cookie = quirks.cookie_for(client_cookie(cookie_key_, server, core_.now()));
  }
  if (!manner.is_udp() || !core_.options.case_randomisation) return question;
  if (manner.mixed_case) {
    std::array<std::uint8_t, 32> bits{};
    core_.context.random.fill(bits);
    question.name.randomise_case(bits);
  } else {
    question.name = question.name.lowered();
  }
  return question;
}

/// Whether the reply is a reason to ask the same server again, in another manner.
bool ServerAsker::changes(const IpAddress& server, const Heard& heard, const Quirks& quirks,
                          Manner& manner) {
  const auto next = next_manner(heard, quirks);
  if (!next) {
    return heard.question.subnet && is_usable(heard.message.rcode) && doubts(server, heard, manner);
  }
  if (heard.question.subnet && !next->subnet) core_.servers.ignored_subnet(server, heard.now);
  manner = *next;
  return true;
}

Attempt ServerAsker::judged(const Heard& heard, const Asked& asked) const {
  // RFC 2181 §9: what is there may be part of a set, and there is no way to the rest.
  if (heard.message.truncated) return ended(Attempt::End::reply, "truncated over TCP");
  Attempt attempt;
  attempt.reply = classify(heard.message, asked, core_.options.limits.server_names);
  attempt.reply.held_for = held_for(heard.message, heard.question);
  attempt.complaint = attempt.reply.complaint;
  return attempt;
}

Attempt ServerAsker::failed(const IpAddress& server, const Error& error, Duration waited,
                            const UpstreamQuery& question, const Manner& manner) {
  if (!manner.is_udp()) core_.servers.quirks(server).failed_over_tcp();
  if (error.code == Errc::timeout) {
    // Shorter where the query's own time was up, or where another query has since found the server
    // slow: no news about the server.
    if (waited >= core_.servers.wait(server)) {
      core_.servers.timed_out(server, core_.now());
      silent_to(server, question);
    }
    return ended(Attempt::End::timeout, std::string("timeout") + way(manner));
  }
  const bool is_gone = error.code == Errc::unreachable && manner.is_udp();
  if (is_gone) core_.servers.unreachable(server, core_.now());
  return ended(Attempt::End::unreachable, std::string(to_string(error.code)) + way(manner));
}

/// Another server was quicker.  Who had less than its time may be as quick, who is being asked over
/// TCP has answered.
Attempt ServerAsker::recalled(const IpAddress& server, Duration waited, const Manner& manner,
                              const UpstreamQuery& question) {
  if (manner.is_udp() && waited >= core_.servers.patience(server)) {
    core_.servers.outrun(server, core_.now());
    silent_to(server, question);
  }
  return ended(Attempt::End::recalled, "");
}

void ServerAsker::silent_to(const IpAddress& server, const UpstreamQuery& question) {
  if (question.subnet) core_.servers.silent_to_subnet(server, core_.now());
  if (question.cookie) core_.servers.silent_to_cookie(server, core_.now());
}

/// Whether the exchange ended by what looks like forgery: then the question goes over TCP.
bool ServerAsker::suspects(const IpAddress& server, const Error& error, const QueryMatch& filter,
                           Manner& manner) {
  if (error.code != Errc::spoof_suspected || !manner.is_udp()) return false;
  manner.transport = Transport::tcp;
  Quirks& quirks = core_.servers.quirks(server);
  switch (filter.doubt()) {
    case QueryMatch::Doubt::near_misses: break;
    case QueryMatch::Doubt::letter_case: quirks.changed_case(core_.now()); break;
    case QueryMatch::Doubt::no_cookie: quirks.hid_cookie(core_.now()); break;
  }
  return true;
}

/// Whether the message is no answer to who was told of; then the server is told no more.
bool ServerAsker::doubts(const IpAddress& server, const Heard& heard, Manner& manner) {
  const Echo echo = echo_of(heard.message, *heard.question.subnet);
  if (echo == Echo::right) {
    if (heard.message.subnet && heard.question.subnet->source > 0) {
      core_.servers.echoed_subnet(server, core_.now());
    }
    return false;
  }
  core_.servers.ignored_subnet(server, core_.now());
  if (echo == Echo::missing && !manner.is_udp()) return false;
  manner.subnet = false;
  return true;
}

/// Whether the reply may say what it says because of the letter case.  One server a query is asked
/// again, and none that said the same before.
bool ServerAsker::doubts_case(Query& query, const Heard& heard, const Reply& reply, Quirks& quirks,
                              Manner& manner) const {
  const bool is_bare = reply.kind == ReplyKind::nodata && reply.denial.empty();
  if (manner.lost_case) {
    if (is_bare) quirks.was_bare_anyway(heard.now);
    if (!is_bare && is_usable(heard.message.rcode)) quirks.changed_case(heard.now);
    return false;
  }
  const bool is_mixed = manner.is_udp() && manner.mixed_case;
  if (is_mixed && !is_bare) quirks.kept_case();
  if (!is_bare || !is_mixed || query.has_doubted_case || quirks.is_bare_anyway(heard.now)) {
    return false;
  }
  query.has_doubted_case = true;
  manner.mixed_case = false;
  manner.lost_case = true;
  return true;
}

}  // namespace siskin::resolve
