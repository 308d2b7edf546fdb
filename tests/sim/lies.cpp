#include "sim/lies.hpp"

#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::sim::lies {

using wire::Name;
using wire::RRset;
using wire::RRType;

namespace {

RRset address_set(const Name& owner, const IpAddress& address) {
  RRset set{owner, address.is_v4() ? RRType::a : RRType::aaaa, 86400, {}, {}};
  set.records.add(address.octets());
  return set;
}

std::vector<RRset>& section_of(Reply& reply, wire::Section section) {
  switch (section) {
    case wire::Section::answer: return reply.answer;
    case wire::Section::authority: return reply.authority;
    case wire::Section::additional: break;
  }
  return reply.additional;
}

}  // namespace

Hook servers_of(const Name& zone, const IpAddress& address) {
  const std::uint8_t label = 'n';
  const Name server = zone.with_label({&label, 1}).value();
  RRset ns{zone, RRType::ns, 86400, {}, {}};
  ns.records.add(server.wire());
  return [ns, glue = address_set(server, address)](const Query&, Reply& reply) {
    reply.authority.push_back(ns);
    reply.additional.push_back(glue);
  };
}

Hook poisoned_tail(const Name& zone, const IpAddress& address) {
  return [zone, address](const Query&, Reply& reply) {
    if (reply.answer.empty() || reply.answer.back().type != RRType::cname) return;
    const auto target = wire::target_of(*reply.answer.back().records.begin());
    if (target && target->is_at_or_below(zone)) {
      reply.answer.push_back(address_set(*target, address));
    }
  };
}

Hook adds(wire::Section section, const RRset& set) {
  return [section, set](const Query&, Reply& reply) { section_of(reply, section).push_back(set); };
}

Hook answers(const Name& name, std::vector<RRset> answer) {
  return [name, answer = std::move(answer)](const Query& query, Reply& reply) {
    if (query.name != name) return;
    reply.flags |= wire::flag::aa;
    reply.rcode = wire::Rcode::noerror;
    reply.answer = answer;
    reply.authority.clear();
    reply.additional.clear();
  };
}

Hook always(const IpAddress& address) {
  return [address](const Query& query, Reply& reply) {
    reply.flags |= wire::flag::aa;
    RRset set = address_set(query.name, address);
    if (set.type == query.type) reply.answer = {std::move(set)};
  };
}

}  // namespace siskin::sim::lies
