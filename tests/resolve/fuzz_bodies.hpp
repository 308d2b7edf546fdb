/// What the fuzz target of replies does with one input.  Tests run the same body on mutated good
/// replies.  A broken promise ends the process (SISKIN_CHECK); memory errors are the sanitizers'.
#pragma once

#include <algorithm>

#include "resolve/classify.hpp"
#include "siskin/base/check.hpp"
#include "siskin/text/print.hpp"
#include "siskin/wire/cursor.hpp"
#include "siskin/wire/header.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve::fuzz {

inline constexpr std::size_t kNamesMax = 20;

inline void check_records(wire::RRType type, const wire::RecordList& records) {
  for (const wire::Bytes rdata : records) SISKIN_CHECK(wire::is_well_formed(type, rdata));
}

/// What decode() promises of each set.
inline void check_sets(const std::vector<wire::RRset>& sets) {
  for (auto at = sets.begin(); at != sets.end(); ++at) {
    SISKIN_CHECK(!at->records.empty());
    SISKIN_CHECK(at->ttl <= 0x7fffffff);
    SISKIN_CHECK(!wire::is_meta(at->type));
    check_records(at->type, at->records);
    check_records(wire::RRType::rrsig, at->signatures);
    for (const wire::Bytes signature : at->signatures) {
      SISKIN_CHECK(wire::covered_type(signature) == at->type);
    }
    SISKIN_CHECK(std::none_of(at + 1, sets.end(), [&](const wire::RRset& other) {
      return other.type == at->type && other.owner == at->owner;
    }));
    SISKIN_CHECK(!text::print_rrset(*at).empty());
  }
}

inline void check_aliases(const Reply& reply, const Asked& asked) {
  wire::Name at = asked.name;
  for (const Alias& alias : reply.aliases) {
    SISKIN_CHECK(alias.cname.owner == at && at.is_at_or_below(asked.zone));
    SISKIN_CHECK(alias.cname.type == wire::RRType::cname && alias.cname.records.count() == 1);
    SISKIN_CHECK(wire::target_of(*alias.cname.records.begin()) == alias.target);
    SISKIN_CHECK(!alias.dname ||
                 (alias.dname->owner.is_at_or_below(asked.zone) &&
                  alias.dname->records.count() == 1 && at.is_below(alias.dname->owner)));
    at = alias.target;
  }
}

inline void check_delegation(const Delegation& made, const Asked& asked) {
  SISKIN_CHECK(!made.servers.empty() && made.servers.size() <= kNamesMax);
  for (const ZoneServer& server : made.servers) {
    SISKIN_CHECK(server.addresses.empty() || server.name.is_at_or_below(asked.zone));
  }
  const Delegation back = from_cache(made.zone, to_cache(made));
  SISKIN_CHECK(back.zone == made.zone && back.servers.size() == made.servers.size());
  for (std::size_t i = 0; i < made.servers.size(); ++i) {
    SISKIN_CHECK(std::ranges::is_permutation(back.servers[i].addresses, made.servers[i].addresses));
  }
}

/// What classify() promises: nothing in it comes from outside the zone.
inline void check_reply(const Reply& reply, const Asked& asked) {
  check_aliases(reply, asked);
  SISKIN_CHECK((reply.kind == ReplyKind::answer) == reply.set.has_value());
  const wire::Name& end = reply.aliases.empty() ? asked.name : reply.aliases.back().target;
  if (reply.set) {
    SISKIN_CHECK(reply.set->owner == end && end.is_at_or_below(asked.zone));
    SISKIN_CHECK(reply.set->type == asked.type);
  }
  if (reply.dname) {
    SISKIN_CHECK(reply.kind == ReplyKind::yxdomain || reply.set->type == wire::RRType::cname);
    SISKIN_CHECK(reply.dname->owner.is_at_or_below(asked.zone) && end.is_below(reply.dname->owner));
  }
  for (const wire::RRset& set : reply.denial) SISKIN_CHECK(set.owner.is_at_or_below(asked.zone));
  const auto is_proof = [](const wire::RRset& set) {
    return set.type == wire::RRType::nsec || set.type == wire::RRType::nsec3;
  };
  if (!reply.denial.empty() && is_proof(reply.denial[0])) {
    // Proofs alone, without an SOA, say nothing of how long they hold.
    SISKIN_CHECK(std::ranges::all_of(reply.denial, is_proof));
    SISKIN_CHECK(negative_ttl(reply.denial) == 0);
  } else if (!reply.denial.empty()) {
    SISKIN_CHECK(reply.denial[0].type == wire::RRType::soa);
    SISKIN_CHECK(std::ranges::all_of(std::span(reply.denial).subspan(1), is_proof));
    SISKIN_CHECK(end.is_at_or_below(reply.denial[0].owner));
    SISKIN_CHECK(negative_ttl(reply.denial) <= reply.denial[0].ttl);
  }
  if (reply.kind == ReplyKind::referral) {
    SISKIN_CHECK(reply.delegation->zone.is_below(asked.zone));
    SISKIN_CHECK(asked.name.is_at_or_below(reply.delegation->zone));
  }
  if (reply.delegation) check_delegation(*reply.delegation, asked);
  const bool is_useless = reply.kind == ReplyKind::lame || reply.kind == ReplyKind::broken;
  SISKIN_CHECK(is_useless == !reply.complaint.empty());
}

/// Octet 0 says for which of the question's ancestors the server was asked; the rest is its reply,
/// to whatever question it holds.  The kind, or nothing when the reply could not be decoded.
inline std::optional<ReplyKind> check_message(wire::Bytes input) {
  if (input.empty()) return std::nullopt;
  const wire::Bytes octets = input.subspan(1);
  wire::Reader reader(octets, std::min(octets.size(), wire::kHeaderSize));
  UpstreamQuery query;
  query.name = reader.name();
  query.type = static_cast<wire::RRType>(reader.u16());
  const auto message = decode(octets, query, query.name.lowered());
  if (!message) {
    SISKIN_CHECK(message.error().code == Errc::malformed);
    return std::nullopt;
  }
  check_sets(message->answer);
  check_sets(message->authority);
  check_sets(message->additional);
  const wire::Name zone = query.name.suffix(input[0] % (query.name.label_count() + 1));
  const Asked asked{query.name, query.type, zone};
  const Reply reply = classify(*message, asked, kNamesMax);
  check_reply(reply, asked);
  return reply.kind;
}

}  // namespace siskin::resolve::fuzz
