#include "sim/root_servers.hpp"

#include "siskin/wire/cursor.hpp"

namespace siskin::sim {
namespace {

using resolve::test::Packing;
using runtime::Task;
using Octets = std::vector<std::uint8_t>;

/// The SOA, in one message with the question of `query`.
Octets soa_reply(const RootServer& server, std::span<const std::uint8_t> query) {
  Packing packing;
  packing.id = wire::Reader(query).u16();
  packing.flags = server.is_authoritative ? 0x8400 : 0x8000;
  const auto records = resolve::test::root_records(server.zone_text);
  Octets reply = resolve::test::messages_of({records.front()}, packing).front();
  std::ranges::copy(query.subspan(12, 5), reply.begin() + 12);
  return reply;
}

/// What it sends before it hangs, closes or is done.
std::vector<Octets> transfer_messages(const RootServer& server, std::uint16_t id) {
  Packing packing;
  packing.id = id;
  if (server.refuses) packing.flags = 0x8405;
  auto records = resolve::test::transferred_records(server.zone_text);
  if (server.spoils) records.at(5).rdata.back() ^= 1;
  text::Record flood = text::parse_records("flood. 60 IN TXT x").value().front();
  flood.rdata.assign(60'001, 'x');
  for (std::size_t at = 0; at < flood.rdata.size(); at += 256) flood.rdata[at] = 255;
  flood.rdata.resize(256 * 234);
  for (std::size_t octets = 0; octets < server.octets_flooded; octets += flood.rdata.size()) {
    records.insert(records.end() - 1, flood);
  }
  if (server.octets_flooded > 0) packing.records_a_message = 1;
  auto messages = resolve::test::messages_of(records, packing);
  if (server.hangs || server.cuts_short) messages.resize(messages.size() / 2);
  return messages;
}

}  // namespace

std::vector<Endpoint> RootServers::endpoints() const {
  std::vector<Endpoint> all;
  for (const auto& [endpoint, server] : servers_) all.push_back(endpoint);
  return all;
}

/// False when recalled before.
Task<bool> RootServers::wait_until(Instant until, runtime::Recall& recall) {
  runtime::OneShot<bool> over;
  runtime::Timer timer(time_.timers(), [&over] { over.complete(true); });
  timer.arm(until);
  const runtime::Recall::Listener listener(recall, [&over] { over.complete(false); });
  co_return co_await over.wait();
}

Task<Result<std::vector<std::uint8_t>>> RootServers::exchange(
    const Endpoint& endpoint, runtime::Transport transport, std::span<const std::uint8_t> query,
    runtime::ReplyFilter& filter, Instant deadline, runtime::Recall& recall) {
  RootServer& server = servers_.at(endpoint);
  const bool is_udp = transport == runtime::Transport::udp;
  if (is_udp) ++server.soas;
  const bool is_silent = server.is_dead || (is_udp && server.is_deaf_to_udp);
  const Instant until = is_silent ? deadline : time_.now() + std::chrono::milliseconds(1);
  if (!co_await wait_until(until, recall)) co_return Error{Errc::closed, {}};
  if (is_silent) co_return Error{Errc::timeout, {}};
  Octets reply = soa_reply(server, query);
  if (filter.judge(reply) != runtime::ReplyVerdict::take) co_return Error{Errc::timeout, {}};
  co_return reply;
}

Task<Result<void>> RootServers::transfer(const Endpoint& endpoint,
                                         std::span<const std::uint8_t> query,
                                         runtime::TransferSink& sink, Instant deadline,
                                         runtime::Recall& recall) {
  RootServer& server = servers_.at(endpoint);
  ++server.transfers;
  if (server.is_dead) {
    const bool is_over = co_await wait_until(deadline, recall);
    co_return Error{is_over ? Errc::timeout : Errc::closed, {}};
  }
  for (const Octets& message : transfer_messages(server, wire::Reader(query).u16())) {
    const Instant then = time_.now() + std::chrono::milliseconds(1);
    if (!co_await wait_until(then, recall)) co_return Error{Errc::closed, {}};
    if (!sink.take(message)) co_return Result<void>();
  }
  if (!server.hangs) co_return Error{Errc::closed, "the server closed before the end"};
  const bool is_over = co_await wait_until(deadline, recall);
  co_return Error{is_over ? Errc::timeout : Errc::closed, {}};
}

}  // namespace siskin::sim
