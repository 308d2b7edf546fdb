#include "resolve/root_source.hpp"

#include <algorithm>

#include "resolve/message.hpp"
#include "resolve/reply_filter.hpp"

namespace siskin::resolve {
namespace {

using runtime::Task;
using runtime::Transport;
using wire::RRType;

constexpr Duration kSoaTime = std::chrono::seconds(3);         ///< over UDP, and then over TCP
constexpr Duration kTransferTime = std::chrono::seconds(120);  ///< 20 KiB a second will do

Result<SoaNumbers> soa_in(const Message& message) {
  if (message.rcode != wire::Rcode::noerror) {
    return Error{Errc::forbidden, "the server says " + to_string(message.rcode)};
  }
  if (message.truncated) return Error{Errc::malformed, "a truncated reply"};
  const auto is_soa = [](const wire::RRset& set) {
    return set.type == RRType::soa && set.owner.is_root();
  };
  const auto at = std::ranges::find_if(message.answer, is_soa);
  if (!message.authoritative || at == message.answer.end()) {
    return Error{Errc::malformed, "it is no server of the root zone"};
  }
  const auto numbers = soa_numbers(*at->records.begin());
  if (!numbers) return Error{Errc::malformed, "its SOA cannot be read"};
  return *numbers;
}

}  // namespace

Task<Result<SoaNumbers>> RootSource::soa(Endpoint server) {
  Result<SoaNumbers> answer = co_await soa_over(server, Transport::udp);
  if (!answer && !recall_.is_given()) answer = co_await soa_over(server, Transport::tcp);
  co_return answer;
}

Task<Result<SoaNumbers>> RootSource::soa_over(Endpoint server, Transport transport) {
  UpstreamQuery query;
  query.type = RRType::soa;
  query.id = context_.random.u16();
  query.edns = false;
  const std::vector<std::uint8_t> bytes = encode(query);
  QueryMatch filter(bytes, transport == Transport::udp);
  const Instant deadline = context_.clock.now() + kSoaTime;
  const auto received =
      co_await context_.upstream.exchange(server, transport, bytes, filter, deadline, recall_);
  if (!received) co_return received.error();
  const auto message = decode(*received, query, query.name);
  if (!message) co_return message.error();
  co_return soa_in(*message);
}

Task<Result<RootZone>> RootSource::zone(Endpoint server) {
  const std::uint16_t id = context_.random.u16();
  const std::vector<std::uint8_t> query = encode_transfer(id);
  RootTransfer transfer(id);
  const Instant deadline = context_.clock.now() + kTransferTime;
  const auto ended =
      co_await context_.transfer.transfer(server, query, transfer, deadline, recall_);
  if (!ended) co_return ended.error();
  co_return std::move(transfer).finish();
}

}  // namespace siskin::resolve
