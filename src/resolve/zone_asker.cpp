#include "resolve/zone_asker.hpp"

#include <algorithm>

#include "resolve/chaser.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

constexpr unsigned kAttemptsMax = 16;  ///< of one question to one zone
constexpr unsigned kSilences = 4;      ///< of a question cut short that tell something
constexpr Duration kWellFor = std::chrono::seconds(30);   ///< who replied is taken to be well
constexpr unsigned kBareRepliesMax = 2;                   ///< believed when one more server agrees
constexpr Duration kFirstLook = std::chrono::seconds(1);  ///< at a server's name among others
constexpr std::size_t kComplaintsSizeMax = 100;           ///< octets, so that the EDE stays small

bool is_useful(ReplyKind kind) {
  return kind != ReplyKind::lame && kind != ReplyKind::broken;
}

/// "No data" without an SOA: what some broken servers say to everything.
bool is_bare(const Reply& reply) {
  return reply.kind == ReplyKind::nodata && reply.denial.empty();
}

bool is_known_to_all(wire::RRType type) {
  return type == wire::RRType::a || type == wire::RRType::aaaa || type == wire::RRType::ns;
}

Reply bare_nodata() {
  Reply reply;
  reply.kind = ReplyKind::nodata;
  return reply;
}

std::string limit_words(std::uint32_t count, const std::string& whom) {
  return "limit reached: " + std::to_string(count) + " queries in flight to " + whom;
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

}  // namespace

runtime::Task<Reply> ZoneAsker::ask(Query& query, const Delegation& delegation, const Asked& asked,
                                    Effort effort) {
  query.is_refused = false;
  if (core_.root_zone && delegation.zone.is_root()) {
    auto reply = core_.root_zone->reply(asked, core_.options.limits.server_names);
    if (reply) {
      reply->is_from_copy = true;
      co_return std::move(*reply);
    }
  }
  const InFlight::Id zone = core_.id_of(delegation.zone);
  if (refuse(query, delegation, zone)) co_return Reply{};
  core_.zones_in_flight.begin(zone);
  const bool is_probe = core_.silent_zones.begin(zone, delegation, core_.now());
  Tour tour{delegation, asked, Candidates(static_cast<unsigned>(effort)), core_.now()};
  if (query.avoid.type == asked.type && query.avoid.name == asked.name) {
    tour.avoided = query.avoid.servers;
  }
  for (const ZoneServer& server : delegation.servers) add_known(tour, server.addresses);
  const runtime::Executor executor = co_await boost::asio::this_coro::executor;
  Race race(core_, server_asker_, executor, query, asked);
  std::optional<Reply> reply = co_await run(query, tour, race);
  if (!race.is_empty()) co_await race.end();
  learn(tour, zone, effort, is_probe);
  if (reply) co_return std::move(*reply);
  if (tour.bare_replies > 0) co_return bare_nodata();
  conclude(query, tour);
  co_return Reply{};
}

/// Whether the zone is not to be asked now.
bool ZoneAsker::refuse(Query& query, const Delegation& delegation, InFlight::Id zone) const {
  const InFlight& flights = core_.zones_in_flight;
  const std::string* silence = core_.silent_zones.refusal(zone, delegation, core_.now());
  if (silence != nullptr) {
    query.trouble =
        "servers of " + wire::brief_text(delegation.zone) + ": " + *silence + " (lately)";
    query.trouble_code = wire::Ede::no_reachable_authority;
  } else if (!flights.has_room(zone, core_.now())) {
    query.trouble =
        limit_words(flights.count(zone), "servers of " + wire::brief_text(delegation.zone));
    query.trouble_code = wire::Ede::other;
  } else {
    return false;
  }
  query.is_refused = true;
  return true;
}

/// Silence is what a whole question meets, and not one whose time was up before, nor one that was
/// unlucky while others were answered.
void ZoneAsker::learn(const Tour& tour, InFlight::Id zone, Effort effort, bool is_probe) {
  const Instant now = core_.now();
  if (tour.is_heard) {
    core_.zones_in_flight.replied(zone, now);
    core_.silent_zones.heard(zone);
  } else if (effort == Effort::whole && tour.attempts > 0 &&
             (is_probe || !tour.is_over || tour.attempts >= kSilences) &&
             !is_bad_luck(tour, zone)) {
    core_.silent_zones.silent(zone, tour.delegation, tour.complaints, is_probe, now);
  } else if (is_probe) {
    core_.silent_zones.gave_up(zone);
  }
  core_.zones_in_flight.end(zone);
}

/// Silence that says nothing about the zone: others were answered meanwhile, it was about a type
/// that some servers do not know, or the servers were well just before and it is the first time.
bool ZoneAsker::is_bad_luck(const Tour& tour, InFlight::Id zone) {
  if (!is_known_to_all(tour.asked.type)) return true;
  if (core_.zones_in_flight.has_replied_since(zone, tour.began)) return true;
  const bool were_well = std::ranges::any_of(tour.candidates.addresses(), [&](const auto& address) {
    return core_.servers.has_replied_since(address, tour.began - kWellFor);
  });
  return were_well &&
         !core_.silent_zones.confirms(zone, tour.delegation, core_.id_of(tour.asked.name),
                                      tour.began, core_.now());
}

/// Until somebody's reply is of use or nobody is left to ask.
runtime::Task<std::optional<Reply>> ZoneAsker::run(Query& query, Tour& tour, Race& race) {
  co_await start_one(query, tour, race);
  while (!race.is_empty()) {
    std::optional<Race::Finish> finish = co_await race.next();
    if (finish) {
      std::optional<Reply> reply = take(tour, *finish);
      if (reply) co_return reply;
    }
    if (race.has_room()) co_await start_one(query, tour, race);
  }
  co_return std::nullopt;
}

/// Addresses are looked up only while nobody is being asked: whoever is in flight may answer
/// sooner.
runtime::Task<void> ZoneAsker::start_one(Query& query, Tour& tour, Race& race) {
  if (tour.is_over || tour.attempts >= kAttemptsMax) co_return;
  std::optional<IpAddress> server;
  if (race.is_empty()) {
    server = co_await next(query, tour);
  } else {
    server = rival(tour);
  }
  if (!server) co_return;
  ++tour.attempts;
  tour.candidates.asked(*server, core_.servers.is_dead(*server, core_.now()));
  core_.servers.asked(*server, core_.now());
  race.start(*server);
}

/// The reply, if it is of use.
std::optional<Reply> ZoneAsker::take(Tour& tour, Race::Finish& finish) const {
  Attempt& attempt = finish.attempt;
  tour.candidates.ended(finish.server);
  if (attempt.end == Attempt::End::exhausted) {
    tour.is_over = true;
    return std::nullopt;
  }
  if (attempt.end == Attempt::End::reply) {
    tour.is_heard = true;
    const bool is_enough = !is_bare(attempt.reply) || ++tour.bare_replies > kBareRepliesMax;
    attempt.reply.server = finish.server;
    if (is_useful(attempt.reply.kind) && is_enough) return std::move(attempt.reply);
    tour.candidates.exclude(finish.server);
    if (is_bare(attempt.reply)) return std::nullopt;
  }
  if (attempt.end == Attempt::End::unreachable) tour.candidates.exclude(finish.server);
  note(tour, finish.server, attempt);
  return std::nullopt;
}

void ZoneAsker::add_known(Tour& tour, const std::vector<IpAddress>& addresses) const {
  for (const IpAddress& address : addresses) {
    const bool is_avoided = std::ranges::find(tour.avoided, address) != tour.avoided.end();
    if (core_.addresses.may_ask(address) && !is_avoided) tour.candidates.add(address);
  }
}

runtime::Task<std::optional<IpAddress>> ZoneAsker::next(Query& query, Tour& tour) {
  for (;;) {
    if (const auto server = tour.candidates.fresh(core_)) co_return server;
    const bool found = co_await find_more(query, tour);
    if (found || add_parents_glue(tour) || begin_second_look(tour)) continue;
    if (tour.bare_replies > 0) co_return std::nullopt;
    co_return tour.candidates.again(core_);
  }
}

/// From what is known already.
std::optional<IpAddress> ZoneAsker::rival(Tour& tour) {
  const bool all_known = skip_known_names(tour);
  for (;;) {
    if (const auto server = tour.candidates.rival(core_, false)) return server;
    if (!all_known) return std::nullopt;
    if (!add_parents_glue(tour)) break;
  }
  return tour.candidates.rival(core_, tour.bare_replies == 0);
}

/// Goes to the next server name that came without a usable address; true when none is left.
bool ZoneAsker::skip_known_names(Tour& tour) const {
  const auto& servers = tour.delegation.servers;
  const auto usable = [&](const IpAddress& a) { return core_.addresses.may_ask(a); };
  while (tour.names_seen < servers.size() &&
         std::ranges::any_of(servers[tour.names_seen].addresses, usable)) {
    ++tour.names_seen;
  }
  return tour.names_seen == servers.size();
}

/// Looks up the addresses of the next server name that came without a usable one; false when no
/// name is left or the query may not look up more.
runtime::Task<bool> ZoneAsker::find_more(Query& query, Tour& tour) {
  const auto& servers = tour.delegation.servers;
  while (!skip_known_names(tour)) {
    const ZoneServer& server = servers[tour.names_seen++];
    std::vector<IpAddress> found;
    const Budget::Slice slice(query.budget, slice_end(query, tour));
    if (lacks_glue(tour, server.name)) {
      found = co_await ask_parent(query, tour.delegation.zone, server.name);
    } else if (query.is_looking_for(server.name)) {
      query.loop_cut = true;
      continue;
    } else {
      found = co_await chaser_.addresses_of(query, server.name);
    }
    tour.is_refused = tour.is_refused || query.is_refused;
    add_known(tour, found);
    if (!found.empty()) co_return true;
    if (query.budget.is_slice_over()) {
      tour.is_name_cut = true;
      continue;
    }
    if (query.budget.exhausted() || core_.stopped) co_return false;
  }
  co_return false;
}

/// Until when a name's addresses may be looked for while there are others, or the parents' glue:
/// its zone may be dead.
Instant ZoneAsker::slice_end(const Query& query, const Tour& tour) const {
  const Instant now = core_.now();
  const auto names_left = static_cast<int>(tour.delegation.servers.size() - tour.names_seen);
  const bool has_glue = tour.glue_seen < tour.delegation.servers.size();
  const int ways_left = names_left + (has_glue ? 1 : 0);
  const Duration share = (query.budget.deadline() - now) / (ways_left + 1);
  return now + (tour.is_second_look || ways_left == 0 ? share : std::min(share, kFirstLook));
}

/// Names that got a slice of the time may have more of it when nothing else is left.
bool ZoneAsker::begin_second_look(Tour& tour) {
  if (!tour.is_name_cut || tour.is_second_look) return false;
  tour.is_second_look = true;
  tour.names_seen = 0;
  return true;
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
    const Reply reply = co_await ask(query, *parent, asked, Effort::once);
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
  const std::string zone = wire::brief_text(tour.delegation.zone);
  const auto& crowded = tour.candidates.crowded();
  query.is_refused = tour.is_refused || crowded;
  if (crowded) {
    query.trouble = limit_words(core_.servers_in_flight.count(core_.id_of(*crowded)),
                                crowded->to_text() + ", a server of " + zone);
  } else if (tour.complaints.empty()) {
    // What the zone of a server's name was refused for says more.
    const bool is_known = tour.is_refused && !query.trouble.empty();
    if (!is_known) query.trouble = "no usable address of a server of " + zone;
  } else {
    query.trouble = "servers of " + zone + ": " + tour.complaints;
  }
  query.trouble_code =
      tour.all_absent ? wire::Ede::no_reachable_authority : wire::Ede::network_error;
}

}  // namespace siskin::resolve
