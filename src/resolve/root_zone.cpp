#include "resolve/root_zone.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::resolve {
namespace {

using dnssec::CanonicalZone;
using wire::Bytes;
using wire::Name;
using wire::RRset;
using wire::RRType;

Error refusal(const char* why) {
  return {Errc::malformed, why};
}

Name owner_of(const CanonicalZone::Record& record) {
  return Name::from_valid_wire(record.owner);
}

std::optional<Name> wildcard_of(const Name& encloser) {
  constexpr std::uint8_t kStar = '*';
  return encloser.with_label({&kStar, 1});
}

}  // namespace

std::optional<SoaNumbers> soa_numbers(Bytes rdata) noexcept {
  constexpr std::size_t kNumbersSize = 20;
  if (rdata.size() < kNumbersSize) return std::nullopt;
  wire::Reader reader(rdata.last(kNumbersSize));
  SoaNumbers soa;
  soa.serial = reader.u32();
  soa.refresh = reader.u32();
  soa.retry = reader.u32();
  soa.expire = reader.u32();
  return soa;
}

RootZone::RootZone(CanonicalZone records) : records_(std::move(records)) {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (records_[i].type == RRType::nsec) nsec_.push_back(static_cast<std::uint32_t>(i));
  }
}

Result<RootZone> RootZone::make(CanonicalZone records) {
  RootZone zone(std::move(records));
  const Name root;
  if (!zone.records_.origin().is_root()) return refusal("it is not the root zone");
  const auto soa = zone.set(root, RRType::soa);
  if (!soa || soa->records.count() != 1) return refusal("it does not have one SOA");
  const auto numbers = soa_numbers(*soa->records.begin());
  if (!numbers) return refusal("its SOA cannot be read");
  zone.soa_ = *numbers;
  if (!zone.set(root, RRType::ns)) return refusal("it has no NS records of its own");
  if (zone.set(root, RRType::nsec3param)) return refusal("its denials are NSEC3, not NSEC");
  if (auto checked = dnssec::check_zone_digest(zone.records_); !checked) return checked.error();
  return zone;
}

std::optional<Message> RootZone::answer(const Name& name, RRType type) const {
  if (needs_server(name, type)) return std::nullopt;
  Message message;
  message.edns = true;
  if (const auto servers = cut_above(name, type)) {
    refer(*servers, message);
    return message;
  }
  message.authoritative = true;
  if (auto found = set(name, type)) {
    if (type == RRType::ns) add_addresses(*found, message);
    message.answer.push_back(std::move(*found));
  } else {
    deny(name, message);
  }
  return message;
}

std::optional<Reply> RootZone::reply(const Asked& asked, std::size_t names_max) const {
  const auto message = answer(asked.name, asked.type);
  if (!message) return std::nullopt;
  Reply reply = classify(*message, asked, names_max);
  if (reply.kind == ReplyKind::lame || reply.kind == ReplyKind::broken) return std::nullopt;
  return reply;
}

RootZone::Span RootZone::at(const Name& name) const noexcept {
  Span span;
  span.begin = records_.lower_bound(name);
  span.end = span.begin;
  while (span.end < records_.size() && wire::equal_names(records_[span.end].owner, name.wire())) {
    ++span.end;
  }
  return span;
}

/// Names below one follow it in canonical order.
bool RootZone::exists_at_or_below(const Name& name) const noexcept {
  const std::size_t first = records_.lower_bound(name);
  return first < records_.size() && owner_of(records_[first]).is_at_or_below(name);
}

std::optional<RRset> RootZone::set(const Name& name, RRType type) const {
  const Span span = at(name);
  RRset found;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const CanonicalZone::Record record = records_[i];
    if (record.type == type) {
      found.ttl = found.records.empty() ? record.ttl : std::min(found.ttl, record.ttl);
      found.records.add(record.rdata);
    } else if (record.type == RRType::rrsig && wire::covered_type(record.rdata) == type) {
      found.signatures.add(record.rdata);
    }
  }
  if (found.records.empty()) return std::nullopt;
  found.owner = name.lowered();
  found.type = type;
  return found;
}

/// The NSEC set at or before the name; nothing in a zone without.
std::optional<RRset> RootZone::denial_of(const Name& name) const {
  const std::size_t behind = records_.lower_bound(name);
  const auto is_before = [&](std::uint32_t index) {
    return index < behind || wire::equal_names(records_[index].owner, name.wire());
  };
  const auto next = std::ranges::partition_point(nsec_, is_before);
  if (next == nsec_.begin()) return std::nullopt;
  return set(owner_of(records_[*std::prev(next)]), RRType::nsec);
}

/// The NS set of the topmost delegation at or above the name.  A DS is on the parent's side.
std::optional<RRset> RootZone::cut_above(const Name& name, RRType type) const {
  const std::size_t labels = name.label_count();
  for (std::size_t i = 1; i <= labels; ++i) {
    const Name above = name.suffix(i);
    if (!exists_at_or_below(above)) break;
    if (i == labels && type == RRType::ds) break;
    if (auto servers = set(above, RRType::ns)) return servers;
  }
  return std::nullopt;
}

bool RootZone::needs_server(const Name& name, RRType type) const {
  if (wire::is_meta(type) || type == RRType::any || type == RRType::rrsig) return true;
  const std::size_t labels = name.label_count();
  for (std::size_t i = 0; i <= labels; ++i) {
    const Name above = name.suffix(i);
    if (i > 0 && !exists_at_or_below(above)) break;
    const Span span = at(above);
    for (std::size_t k = span.begin; k < span.end; ++k) {
      const RRType found = records_[k].type;
      if (found == RRType::dname || (found == RRType::cname && i == labels)) return true;
    }
    const auto wildcard = wildcard_of(above);
    if (wildcard && !at(*wildcard).is_empty()) return true;
  }
  return false;
}

/// RFC 4035 §3.1.4: with the DS set, or the proof that there is none.
void RootZone::refer(const RRset& servers, Message& message) const {
  message.authority.push_back(servers);
  if (auto ds = set(servers.owner, RRType::ds)) {
    message.authority.push_back(std::move(*ds));
  } else {
    add_denial(servers.owner, message);
  }
  add_addresses(servers, message);
}

void RootZone::add_addresses(const RRset& servers, Message& message) const {
  for (const Bytes rdata : servers.records) {
    const auto name = wire::target_of(rdata);
    if (!name) continue;
    for (const RRType type : {RRType::a, RRType::aaaa}) {
      if (auto addresses = set(*name, type)) message.additional.push_back(std::move(*addresses));
    }
  }
}

/// RFC 4035 §3.1.3: what is beside the name, and that no wildcard stands in for it.
void RootZone::deny(const Name& name, Message& message) const {
  message.authority.push_back(*set(Name(), RRType::soa));
  add_denial(name, message);
  if (exists_at_or_below(name)) return;
  message.rcode = wire::Rcode::nxdomain;
  Name encloser = name.parent();
  while (!exists_at_or_below(encloser)) encloser = encloser.parent();
  if (const auto wildcard = wildcard_of(encloser)) add_denial(*wildcard, message);
}

void RootZone::add_denial(const Name& name, Message& message) const {
  auto denial = denial_of(name);
  if (!denial) return;
  const auto is_told = [&](const RRset& told) {
    return told.type == RRType::nsec && told.owner == denial->owner;
  };
  if (std::ranges::none_of(message.authority, is_told)) {
    message.authority.push_back(std::move(*denial));
  }
}

}  // namespace siskin::resolve
