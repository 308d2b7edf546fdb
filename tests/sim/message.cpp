#include "sim/message.hpp"

#include <algorithm>
#include <array>

#include "siskin/wire/query.hpp"
#include "siskin/wire/writer.hpp"

namespace siskin::sim {

using wire::Section;

namespace {

/// What these servers take over UDP and offer in their OPT, as most do since DNS flag day 2020.
constexpr std::uint16_t kServerUdpSize = 1232;

/// Behind a message that ends with its OPT, whose options are `options_size` octets so far.
void append_cookie(const wire::Cookie& cookie, std::size_t options_size,
                   std::vector<std::uint8_t>& message) {
  const std::size_t end = message.size();
  message.resize(end + cookie.option_size());
  wire::Writer out(message, end);
  cookie.write_option(out);
  out.u16_at(end - options_size - 2,
             static_cast<std::uint16_t>(options_size + message.size() - end));
}

}  // namespace

std::optional<Query> read_query(wire::Bytes message) {
  wire::QueryView view;
  if (wire::parse_query(message, view) != wire::QueryVerdict::accept) return std::nullopt;
  if (view.klass != wire::RRClass::in) return std::nullopt;
  const auto name = wire::Name::from_wire(view.name);
  if (!name) return std::nullopt;
  Query query;
  query.id = view.id;
  query.flags = view.flags;
  query.name = *name;
  query.type = view.type;
  query.has_edns = view.edns.has_value();
  query.dnssec_ok = view.dnssec_ok();
  if (view.edns) {
    query.udp_size = view.edns->udp_size;
    const auto subnet = wire::find_option(view.edns->options, wire::EdnsOption::client_subnet);
    if (subnet) query.subnet = wire::ClientSubnet::parse(*subnet);
    const auto cookie = wire::find_option(view.edns->options, wire::EdnsOption::cookie);
    if (cookie) query.cookie = wire::Cookie::parse(*cookie);
  }
  return query;
}

Reply reply_to(const Query& query) {
  Reply reply;
  reply.id = query.id;
  reply.flags = static_cast<std::uint16_t>(wire::flag::qr |
                                           (query.flags & (wire::flag::rd | wire::flag::cd)));
  reply.name = query.name;
  reply.type = query.type;
  reply.has_edns = query.has_edns;
  reply.dnssec_ok = query.dnssec_ok;
  if (query.transport == runtime::Transport::udp) {
    reply.size_max = std::clamp(query.udp_size, wire::kUdpSizeMin, kServerUdpSize);
  }
  return reply;
}

std::vector<std::uint8_t> encode(const Reply& reply) {
  if (reply.raw) return *reply.raw;
  std::vector<std::uint8_t> buffer(0xffff);
  const wire::ClientSubnet* subnet = reply.subnet ? &*reply.subnet : nullptr;
  const std::size_t opt_size = wire::MessageWriter::opt_size(nullptr, subnet);
  const std::size_t cookie_size = reply.cookie ? reply.cookie->option_size() : 0;
  const std::size_t reserved = reply.has_edns ? opt_size + cookie_size : 0;
  wire::MessageWriter out(buffer, reply.size_max, reserved);
  out.begin(reply.id, reply.flags);
  if (reply.has_question) out.question(reply.name.wire(), reply.type, wire::RRClass::in);
  const std::array<std::pair<Section, const std::vector<wire::RRset>*>, 3> sections{{
      {Section::answer, &reply.answer},
      {Section::authority, &reply.authority},
      {Section::additional, &reply.additional},
  }};
  for (const auto& [section, sets] : sections) {
    for (const wire::RRset& set : *sets) out.add(section, set, reply.dnssec_ok);
  }
  const wire::MessageWriter::Opt opt{kServerUdpSize, reply.dnssec_ok, nullptr, subnet};
  const wire::Bytes message = out.finish(reply.rcode, reply.has_edns ? &opt : nullptr);
  buffer.resize(message.size());
  if (reply.has_edns && reply.cookie) {
    append_cookie(*reply.cookie, opt_size - wire::MessageWriter::opt_size(nullptr, nullptr),
                  buffer);
  }
  if (reply.is_truncated) buffer[2] |= wire::flag::tc >> 8;
  return buffer;
}

}  // namespace siskin::sim
