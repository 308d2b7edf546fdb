#include "siskin/wire/cookie.hpp"

#include <algorithm>

#include "siskin/wire/edns.hpp"

namespace siskin::wire {
namespace {

constexpr std::size_t kOptionHeaderSize = 4;  ///< code and length

}  // namespace

std::optional<Cookie> Cookie::parse(Bytes data) noexcept {
  Cookie cookie;
  if (data.size() < cookie.client.size()) return std::nullopt;
  const Bytes of_server = data.subspan(cookie.client.size());
  const bool is_allowed = of_server.empty() || (of_server.size() >= kServerSizeMin &&
                                                of_server.size() <= kServerSizeMax);
  if (!is_allowed) return std::nullopt;
  std::ranges::copy(data.first(cookie.client.size()), cookie.client.begin());
  std::ranges::copy(of_server, cookie.server.begin());
  cookie.server_size = static_cast<std::uint8_t>(of_server.size());
  return cookie;
}

std::size_t Cookie::option_size() const noexcept {
  return kOptionHeaderSize + client.size() + server_size;
}

void Cookie::write_option(Writer& out) const noexcept {
  out.u16(static_cast<std::uint16_t>(EdnsOption::cookie));
  out.u16(static_cast<std::uint16_t>(client.size() + server_size));
  out.bytes(client);
  out.bytes(Bytes(server).first(server_size));
}

}  // namespace siskin::wire
