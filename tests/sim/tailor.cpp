#include "sim/tailor.hpp"

#include <algorithm>
#include <array>

namespace siskin::sim {

using wire::RRset;
using wire::RRType;

namespace {

bool is_address_of(RRType type, Family family) {
  return type == (family == Family::ipv4 ? RRType::a : RRType::aaaa);
}

wire::RecordList first_host(const Network& network) {
  std::array<std::uint8_t, 16> octets{};
  const auto address = network.address().octets();
  std::ranges::copy(address, octets.begin());
  octets[address.size() - 1] |= 1;
  wire::RecordList records;
  records.add({octets.data(), address.size()});
  return records;
}

}  // namespace

Hook tailors(unsigned scope) {
  return [scope](const Query& query, Reply& reply) {
    if (!query.subnet) return;
    reply.subnet = query.subnet;
    const Network told = query.subnet->network();
    if (told.prefix_length() == 0 || reply.answer.empty()) return;
    reply.subnet->scope = static_cast<std::uint8_t>(scope);
    const Network held = Network::of(told.address(), std::min(scope, told.prefix_length()));
    for (RRset& set : reply.answer) {
      if (is_address_of(set.type, told.address().family())) set.records = first_host(held);
    }
  };
}

Hook confuses_subnets() {
  return [](const Query& query, Reply& reply) {
    if (!query.subnet || query.subnet->source == 0) return;
    reply.subnet = query.subnet;
    reply.subnet->scope = query.subnet->source;
    reply.subnet->address[0] ^= 0x80;
  };
}

}  // namespace siskin::sim
