#include "serve/reply.hpp"

#include <algorithm>

#include "serve/client_subnet.hpp"

namespace siskin::serve {
namespace {

constexpr std::uint16_t kOpcodeMask = 0x7800;
constexpr std::uint16_t kCopiedFlags = kOpcodeMask | wire::flag::rd | wire::flag::cd;

std::uint16_t reply_flags(std::uint16_t query_flags) noexcept {
  return static_cast<std::uint16_t>(wire::flag::qr | wire::flag::ra | (query_flags & kCopiedFlags));
}

bool is_denial(wire::RRType type) noexcept {
  return type == wire::RRType::nsec || type == wire::RRType::nsec3;
}

}  // namespace

wire::MessageWriter begin_reply(const Request& request, std::span<std::uint8_t> buffer) noexcept {
  const std::size_t limit = std::min<std::size_t>(request.size_max, buffer.size());
  const auto subnet = subnet_to_return(request, 0);
  const std::size_t opt_size = wire::MessageWriter::opt_size(nullptr, subnet ? &*subnet : nullptr);
  wire::MessageWriter out(buffer, limit, request.has_edns ? opt_size : 0);
  out.begin(request.id, reply_flags(request.flags));
  if (!request.name.empty()) out.question(request.name, request.type, request.klass);
  return out;
}

std::size_t finish_reply(const Request& request, wire::MessageWriter& out, wire::Rcode rcode,
                         const wire::ExtendedError* error, std::span<std::uint8_t> buffer,
                         std::uint8_t scope) noexcept {
  if (out.truncated() && request.transport == runtime::Transport::tcp) {
    const wire::ExtendedError too_long{wire::Ede::other, "the answer is over 65535 octets"};
    return write_error(request, wire::Rcode::servfail, &too_long, buffer);
  }
  const auto subnet = subnet_to_return(request, scope);
  const wire::MessageWriter::Opt opt{request.own_udp_size, request.dnssec_ok, error,
                                     subnet ? &*subnet : nullptr};
  return out.finish(rcode, request.has_edns ? &opt : nullptr).size();
}

std::size_t write_error(const Request& request, wire::Rcode rcode, const wire::ExtendedError* error,
                        std::span<std::uint8_t> buffer) noexcept {
  wire::MessageWriter out = begin_reply(request, buffer);
  return finish_reply(request, out, rcode, error, buffer);
}

std::size_t write_outcome(const Request& request, const resolve::Outcome& outcome,
                          std::size_t rotation, std::span<std::uint8_t> buffer) noexcept {
  const wire::ExtendedError* error = outcome.error ? &*outcome.error : nullptr;
  if (outcome.rcode == wire::Rcode::servfail) {
    return write_error(request, outcome.rcode, error, buffer);
  }
  wire::MessageWriter out = begin_reply(request, buffer);
  for (const wire::RRset& set : outcome.answer) {
    out.add(wire::Section::answer, set, request.dnssec_ok, rotation);
  }
  for (const wire::RRset& set : outcome.authority) {
    if (is_denial(set.type) && !request.dnssec_ok) continue;
    out.add(wire::Section::authority, set, request.dnssec_ok, rotation);
  }
  if (outcome.is_secure && request.wants_ad()) out.set_authenticated();
  return finish_reply(request, out, outcome.rcode, error, buffer, outcome.scope);
}

}  // namespace siskin::serve
