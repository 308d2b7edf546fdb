#include "serve/request.hpp"

#include <algorithm>

namespace siskin::serve {
namespace {

constexpr std::uint16_t kTcpSizeMax = 65535;

std::uint16_t reply_size_max(const wire::QueryView& query, runtime::Transport transport,
                             std::uint16_t own_udp_size) noexcept {
  if (transport == runtime::Transport::tcp) return kTcpSizeMax;
  if (!query.edns) return wire::kUdpSizeMin;
  return std::min(std::max(query.edns->udp_size, wire::kUdpSizeMin), own_udp_size);
}

}  // namespace

Request request_of(const wire::QueryView& query, runtime::Transport transport,
                   std::uint16_t own_udp_size) noexcept {
  Request request;
  request.name = query.name;
  request.type = query.type;
  request.klass = query.klass;
  request.id = query.id;
  request.flags = query.flags;
  request.size_max = reply_size_max(query, transport, own_udp_size);
  request.own_udp_size = own_udp_size;
  request.transport = transport;
  request.has_edns = query.edns.has_value();
  request.dnssec_ok = query.dnssec_ok();
  return request;
}

}  // namespace siskin::serve
