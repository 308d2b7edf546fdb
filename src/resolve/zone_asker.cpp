#include "resolve/zone_asker.hpp"

#include <algorithm>

#include "resolve/chaser.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

constexpr unsigned kAttemptsMax = 16;            ///< of one question to one zone
constexpr unsigned kBareRepliesMax = 2;          ///< believed when one more server agrees
constexpr std::size_t kComplaintsSizeMax = 100;  ///< octets, so that the EDE stays small

bool is_useful(ReplyKind kind) {
  return kind != ReplyKind::lame && kind != ReplyKind::broken;
}

/// "No data" without an SOA: what some broken servers say to everything.
bool is_bare(const Reply& reply) {
  return reply.kind == ReplyKind::nodata && reply.denial.empty();
}

Reply bare_nodata() {
  Reply reply;
  reply.kind = ReplyKind::nodata;
  return reply;
}

void take_addresses(const Reply& reply, const wire::Name& server, std::vector<IpAddress>& found) {
  if (reply.kind == ReplyKind::answer) {
    for (const wire::Bytes rdata : reply.set->records) {
      if (const auto address = wire::address_of(reply.set->type, rdata)) found.push_back(*address);
    }
  } else if (reply.kind == ReplyKind::referral) {
    const auto& servers = reply.delegation->servers;
    const auto at = std::ranges::find(servers, server, &ZoneServer::name);
    if (at != servers.end()) found = at->addresses;
  }
}

/// A server never asked counts as middling fast, so that it is tried now and then.
Duration expected_rtt(Core& core, const IpAddress& address) {
  const auto unknown = std::chrono::microseconds(core.context.random.below(120'000));
  return core.servers.expected(address, unknown);
}

}  // namespace

void Candidates::add(const IpAddress& address) {
  if (find(address) == nullptr) candidates_.push_back({address, 0, false});
}

Candidates::Candidate* Candidates::find(const IpAddress& address) {
  const auto at = std::ranges::find(candidates_, address, &Candidate::address);
  return at == candidates_.end() ? nullptr : &*at;
}

void Candidates::asked(const IpAddress& address) {
  ++find(address)->tries;
}

void Candidates::exclude(const IpAddress& address) {
  find(address)->excluded = true;
}

template <class Suitable>
std::optional<IpAddress> Candidates::best(Core& core, Suitable suitable) {
  const Candidate* best = nullptr;
  Duration best_rtt{};
  for (const Candidate& candidate : candidates_) {
    if (candidate.excluded || !suitable(candidate)) continue;
    const Duration rtt = expected_rtt(core, candidate.address);
    if (best == nullptr || rtt < best_rtt) {
      best = &candidate;
      best_rtt = rtt;
    }
  }
  if (best == nullptr) return std::nullopt;
  return best->address;
}

std::optional<IpAddress> Candidates::fresh(Core& core) {
  const Instant now = core.now();
  return best(core, [&](const Candidate& c) {
    return c.tries == 0 && !core.servers.is_dead(c.address, now);
  });
}

std::optional<IpAddress> Candidates::again(Core& core) {
  const Instant now = core.now();
  if (auto alive = best(core, [&](const Candidate& c) {
        return c.tries < tries_max_ && !core.servers.is_dead(c.address, now);
      })) {
    return alive;
  }
  return best(core, [](const Candidate& c) { return c.tries == 0; });
}

runtime::Task<Reply> ZoneAsker::ask(Query& query, const Delegation& delegation, const Asked& asked,
                                    unsigned tries_max) {
  Tour tour{delegation, Candidates(tries_max)};
  for (const ZoneServer& server : delegation.servers) add_known(tour, server.addresses);
  while (tour.attempts < kAttemptsMax) {
    const std::optional<IpAddress> server = co_await next(query, tour);
    if (!server) break;
    ++tour.attempts;
    tour.candidates.asked(*server);
    Attempt attempt = co_await server_asker_.ask(query, *server, asked);
    if (attempt.end == Attempt::End::exhausted) break;
    if (attempt.end == Attempt::End::reply) {
      const bool is_enough = !is_bare(attempt.reply) || ++tour.bare_replies > kBareRepliesMax;
      if (is_useful(attempt.reply.kind) && is_enough) co_return std::move(attempt.reply);
      tour.candidates.exclude(*server);
      if (is_bare(attempt.reply)) continue;
    }
    if (attempt.end == Attempt::End::unreachable) tour.candidates.exclude(*server);
    note(tour, *server, attempt);
  }
  if (tour.bare_replies > 0) co_return bare_nodata();
  conclude(query, tour);
  co_return Reply{};
}

void ZoneAsker::add_known(Tour& tour, const std::vector<IpAddress>& addresses) const {
  for (const IpAddress& address : addresses) {
    if (core_.addresses.may_ask(address)) tour.candidates.add(address);
  }
}

runtime::Task<std::optional<IpAddress>> ZoneAsker::next(Query& query, Tour& tour) {
  for (;;) {
    if (const auto server = tour.candidates.fresh(core_)) co_return server;
    const bool found = co_await find_more(query, tour);
    if (found || add_parents_glue(tour)) continue;
    if (tour.bare_replies > 0) co_return std::nullopt;
    co_return tour.candidates.again(core_);
  }
}

/// Looks up the addresses of the next server name that came without a usable one; false when no
/// name is left or the query may not look up more.
runtime::Task<bool> ZoneAsker::find_more(Query& query, Tour& tour) {
  const auto& servers = tour.delegation.servers;
  while (tour.names_seen < servers.size()) {
    const ZoneServer& server = servers[tour.names_seen++];
    const auto usable = [&](const IpAddress& a) { return core_.addresses.may_ask(a); };
    if (std::ranges::any_of(server.addresses, usable)) continue;
    std::vector<IpAddress> found;
    if (lacks_glue(tour, server.name)) {
      found = co_await ask_parent(query, tour.delegation.zone, server.name);
    } else if (query.is_looking_for(server.name)) {
      query.loop_cut = true;
      continue;
    } else {
      found = co_await chaser_.addresses_of(query, server.name);
    }
    add_known(tour, found);
    if (!found.empty()) co_return true;
    if (query.budget.exhausted() != nullptr || core_.stopped) co_return false;
  }
  co_return false;
}

/// Only the parent can tell then: the way to the name leads through the zone itself.
bool ZoneAsker::lacks_glue(const Tour& tour, const wire::Name& server) const {
  const wire::Name& zone = tour.delegation.zone;
  return !zone.is_root() && server.is_at_or_below(zone) && !chaser_.knows(server, wire::RRType::a);
}

/// The addresses of a server of `zone` as the parent's servers have them, be it as an answer or as
/// the glue of a referral.  They are ways to the zone and nothing else, so they are not kept.
runtime::Task<std::vector<IpAddress>> ZoneAsker::ask_parent(Query& query, wire::Name zone,
                                                            wire::Name server) {
  std::vector<IpAddress> found;
  const auto parent = deepest_delegation(core_.context.cache, zone.parent(), core_.now());
  if (!parent || !query.budget.spend_server_lookup()) co_return found;
  for (const wire::RRType type : {wire::RRType::a, wire::RRType::aaaa}) {
    const bool is_used = type == wire::RRType::a ? core_.options.ipv4 : core_.options.ipv6;
    if (!is_used || !found.empty()) continue;
    const Asked asked{server, type, parent->zone};
    const Reply reply = co_await ask(query, *parent, asked, 1);
    take_addresses(reply, server, found);
  }
  co_return found;
}

/// What a server's own zone says of its address counts first (RFC 2181 §5.4.1).  Where that leads
/// nowhere, the address by which the parent leads to that zone may.
bool ZoneAsker::add_parents_glue(Tour& tour) const {
  const auto& servers = tour.delegation.servers;
  while (tour.glue_seen < servers.size()) {
    const wire::Name& name = servers[tour.glue_seen++].name;
    const std::size_t before = tour.candidates.size();
    add_known(tour, cached_glue(core_.context.cache, name, core_.now()));
    if (tour.candidates.size() > before) return true;
  }
  return false;
}

void ZoneAsker::note(Tour& tour, const IpAddress& server, const Attempt& attempt) const {
  if (attempt.end == Attempt::End::reply && attempt.reply.kind == ReplyKind::broken) {
    tour.all_absent = false;
  }
  if (tour.complaints.size() >= kComplaintsSizeMax) return;
  const std::string words = server.to_text() + " " + attempt.complaint;
  if (tour.complaints.find(words) != std::string::npos) return;
  if (!tour.complaints.empty()) tour.complaints += ", ";
  tour.complaints += words;
}

void ZoneAsker::conclude(Query& query, const Tour& tour) const {
  std::string zone = tour.delegation.zone.to_text();
  if (zone.size() > kComplaintsSizeMax) zone = "a zone with a long name";
  if (tour.complaints.empty()) {
    query.trouble = "no usable address of a server of " + zone;
  } else {
    query.trouble = "servers of " + zone + ": " + tour.complaints;
  }
  query.trouble_code =
      tour.all_absent ? wire::Ede::no_reachable_authority : wire::Ede::network_error;
}

}  // namespace siskin::resolve
