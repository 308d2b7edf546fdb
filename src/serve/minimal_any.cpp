#include "serve/minimal_any.hpp"

#include <array>

#include "serve/reply.hpp"

namespace siskin::serve {
namespace {

constexpr std::uint32_t kTtl = 3600;

/// As in a RecordList: the length of the RDATA, then CPU "RFC8482" and an empty OS.
constexpr std::array<std::uint8_t, 11> kHinfo{0, 9, 7, 'R', 'F', 'C', '8', '4', '8', '2', 0};

}  // namespace

std::size_t write_minimal_any(const Request& request, std::span<std::uint8_t> buffer) noexcept {
  wire::MessageWriter out = begin_reply(request, buffer);
  out.add_rrset(wire::Section::answer, request.name, wire::RRType::hinfo, kTtl, kHinfo);
  return finish_reply(request, out, wire::Rcode::noerror, nullptr, buffer);
}

}  // namespace siskin::serve
