#include "sim/server.hpp"

#include <algorithm>

#include "sim/authority.hpp"
#include "siskin/wire/header.hpp"

namespace siskin::sim {

using runtime::Transport;
using wire::Name;
using wire::Rcode;
using wire::RRset;
using wire::RRType;

namespace {

RRset address_set(const Name& owner, const IpAddress& address) {
  RRset set{owner, address.is_v4() ? RRType::a : RRType::aaaa, 3600, {}, {}};
  set.records.add(address.octets());
  return set;
}

std::vector<std::uint8_t> bare_formerr(const Query& query) {
  std::vector<std::uint8_t> bytes(wire::kHeaderSize);
  bytes[0] = static_cast<std::uint8_t>(query.id >> 8);
  bytes[1] = static_cast<std::uint8_t>(query.id);
  bytes[2] = wire::flag::qr >> 8;
  bytes[3] = static_cast<std::uint8_t>(Rcode::formerr);
  return bytes;
}

/// What this server makes of the client's half; good enough where nobody attacks it.
wire::Cookie made_of(wire::Cookie cookie, const IpAddress& server, unsigned secret) {
  cookie.server = {};
  cookie.server_size = 16;
  for (std::size_t i = 0; i < cookie.server_size; ++i) {
    const std::uint8_t theirs = cookie.client[i % cookie.client.size()];
    const std::uint8_t ours = server.octets()[i % 4];
    cookie.server[i] = static_cast<std::uint8_t>(theirs + 3 * ours + 31 * i + secret);
  }
  return cookie;
}

}  // namespace

void Server::serve(const Zone& zone) {
  if (!serves(zone.origin())) zones_.push_back(&zone);
}

bool Server::serves(const Name& origin) const {
  return std::ranges::any_of(zones_, [&](const Zone* zone) { return zone->origin() == origin; });
}

void Server::behave(Duration from, Duration until, Vices during) {
  windows_.push_back({from, until, std::move(during)});
}

const Vices& Server::vices_at(Duration elapsed) const {
  for (const Window& window : windows_) {
    if (window.from <= elapsed && elapsed < window.until) return window.vices;
  }
  return vices;
}

void Server::dead_until(Duration until) {
  Vices dead;
  dead.is_dead = true;
  behave(Duration{}, until, std::move(dead));
}

void Server::reply_lamely(const Vices& now, Reply& reply) const {
  switch (now.lameness) {
    case Lameness::refused: reply.rcode = Rcode::refused; break;
    case Lameness::servfail: reply.rcode = Rcode::servfail; break;
    case Lameness::notimp: reply.rcode = Rcode::notimp; break;
    case Lameness::none:
    case Lameness::empty: break;
    case Lameness::referral: {
      const FalseReferral& to = now.false_referral;
      RRset ns{to.zone, RRType::ns, 3600, {}, {}};
      ns.records.add(to.server.wire());
      reply.authority.push_back(std::move(ns));
      if (to.glue) reply.additional.push_back(address_set(to.server, *to.glue));
      break;
    }
  }
}

void Server::reply_honestly(const Query& query, const Vices& now, Reply& reply) const {
  answer(zones_, query, reply);
  const Zone* zone = zone_for(zones_, query.name, query.type);
  if (zone == nullptr) return;
  if (now.denies_non_terminals && zone->is_empty_non_terminal(query.name) &&
      reply.rcode == Rcode::noerror && reply.answer.empty()) {
    reply.rcode = Rcode::nxdomain;
  }
  if (now.adds_zone_servers && !reply.answer.empty() && reply.authority.empty()) {
    if (const RRset* ns = zone->find(zone->origin(), RRType::ns)) refer(*zone, *ns, reply);
  }
}

void Server::treat_cookie(const Query& query, const Vices& now, Reply& reply) const {
  if (!query.cookie || !reply.has_edns) return;
  const wire::Cookie right = made_of(*query.cookie, address_, now.cookie_secret);
  const bool is_udp = query.transport == Transport::udp;
  switch (now.cookies) {
    case CookieManner::unaware: return;
    case CookieManner::speaks: reply.cookie = right; return;
    case CookieManner::demands:
      reply.cookie = right;
      if (is_udp && *query.cookie != right) reply.rcode = Rcode::badcookie;
      return;
    case CookieManner::hides:
      if (!is_udp) reply.cookie = right;
      return;
    case CookieManner::formerr: reply.rcode = Rcode::formerr; return;
    case CookieManner::refused: reply.rcode = Rcode::refused; return;
    case CookieManner::silent: reply.is_silent = true; return;
    case CookieManner::mistaken:
      reply.cookie = right;
      reply.cookie->client[0] ^= 1U;
      return;
  }
}

Reply Server::reply(const Query& query, const Vices& now) const {
  Reply reply = reply_to(query);
  if (query.has_edns && now.edns != EdnsManner::normal) {
    reply.has_edns = false;
    if (now.edns == EdnsManner::silent) reply.is_silent = true;
    if (now.edns == EdnsManner::formerr) reply.rcode = Rcode::formerr;
    if (now.edns == EdnsManner::formerr_bare) reply.raw = bare_formerr(query);
  }
  treat_cookie(query, now, reply);
  if (!reply.is_silent && !reply.raw && reply.rcode == Rcode::noerror) {
    if (now.lameness != Lameness::none) {
      reply_lamely(now, reply);
    } else {
      reply_honestly(query, now, reply);
    }
  }
  if (now.truncates_always && query.transport == Transport::udp) {
    reply.is_truncated = true;
    reply.answer.clear();
    reply.authority.clear();
    reply.additional.clear();
  }
  if (now.question == QuestionManner::lowered) reply.name = reply.name.lowered();
  if (now.question == QuestionManner::missing) reply.has_question = false;
  for (const Hook& hook : now.hooks) hook(query, reply);
  return reply;
}

void Server::forge(const Query& query, const Vices& now, std::vector<Packet>& packets) const {
  const unsigned near_misses = now.forged_ids + now.forged_questions;
  for (unsigned i = 0; i < near_misses + now.forged_cookieless; ++i) {
    Reply forged = reply_to(query);
    if (now.forgery) now.forgery(query, forged);
    if (i < now.forged_ids) {
      forged.id = static_cast<std::uint16_t>(query.id + i + 1);
    } else if (i < near_misses) {
      const std::uint8_t label = 'x';
      forged.name = query.name.with_label({&label, 1}).value_or(query.name.parent());
    }
    packets.push_back({Duration{}, encode(forged), true});
  }
}

std::vector<Packet> Server::receive(const Query& query) const {
  const Vices& now = vices_at(query.at);
  std::vector<Packet> packets;
  if (query.transport == Transport::udp) forge(query, now, packets);
  const Reply sent = reply(query, now);
  if (!sent.is_silent) packets.push_back({now.slowness, encode(sent), false});
  return packets;
}

}  // namespace siskin::sim
