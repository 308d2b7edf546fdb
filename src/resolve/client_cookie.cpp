#include "resolve/client_cookie.hpp"

namespace siskin::resolve {
namespace {

constexpr std::uint32_t kSecondsADay = 86400;

}  // namespace

wire::Cookie::Client client_cookie(HashKey key, const IpAddress& server, Instant now) noexcept {
  SipHash13 hash(key);
  // The family first: it tells how many words follow.
  hash.add(std::uint64_t{static_cast<std::uint8_t>(server.family())} << 32 |
           whole_seconds(now) / kSecondsADay);
  std::uint64_t word = 0;
  std::size_t octets = 0;
  for (const std::uint8_t octet : server.octets()) {
    word = word << 8 | octet;
    if (++octets % 8 == 0) hash.add(word);
  }
  if (server.is_v4()) hash.add(word);
  std::uint64_t value = hash.finish();
  wire::Cookie::Client client{};
  for (std::uint8_t& octet : client) {
    octet = static_cast<std::uint8_t>(value);
    value >>= 8;
  }
  return client;
}

}  // namespace siskin::resolve
