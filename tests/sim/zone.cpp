#include "sim/zone.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "siskin/text/zone.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::sim {

using wire::Name;
using wire::RRset;
using wire::RRType;

namespace {

constexpr std::string_view kDefaultSoa =
    "\n@ 3600 SOA ns.invalid. host.invalid. 1 7200 900 604800 300\n";

std::vector<RRset> parse(const Name& origin, std::string_view text) {
  auto sets = text::parse_zone(text, {origin, 3600});
  if (!sets) {
    throw std::invalid_argument("zone " + origin.to_text() + ": " + to_string(sets.error()));
  }
  return std::move(*sets);
}

}  // namespace

Zone::Zone(std::string_view origin, std::string_view text) {
  const auto name = Name::from_text(origin);
  if (!name) throw std::invalid_argument("not a name: " + std::string(origin));
  origin_ = *name;
  std::vector<RRset> sets = parse(origin_, text);
  const auto is_apex_soa = [this](const RRset& set) {
    return set.type == RRType::soa && set.owner == origin_;
  };
  if (std::ranges::none_of(sets, is_apex_soa)) {
    for (RRset& set : parse(origin_, kDefaultSoa)) sets.push_back(std::move(set));
  }
  for (RRset& set : sets) {
    if (!set.owner.is_at_or_below(origin_)) {
      throw std::invalid_argument(set.owner.to_text() + " is outside " + origin_.to_text());
    }
    for (Name above = set.owner; above != origin_; above = above.parent()) nodes_[above];
    const RRType type = set.type;
    nodes_[set.owner].insert_or_assign(type, std::move(set));
  }
}

const Zone::Node* Zone::node(const Name& name) const {
  const auto at = nodes_.find(name);
  return at == nodes_.end() ? nullptr : &at->second;
}

const RRset& Zone::soa() const {
  return *find(origin_, RRType::soa);
}

RRset Zone::negative_soa() const {
  RRset set = soa();
  set.ttl = std::min(set.ttl, wire::soa_minimum(*set.records.begin()).value_or(set.ttl));
  return set;
}

const RRset* Zone::find(const Name& name, RRType type) const {
  const Node* at = node(name);
  if (at == nullptr) return nullptr;
  const auto set = at->find(type);
  return set == at->end() ? nullptr : &set->second;
}

std::vector<RRset> Zone::sets_at(const Name& name) const {
  std::vector<RRset> sets;
  if (const Node* at = node(name)) {
    for (const auto& [type, set] : *at) sets.push_back(set);
  }
  return sets;
}

bool Zone::exists(const Name& name) const {
  return node(name) != nullptr;
}

bool Zone::is_empty_non_terminal(const Name& name) const {
  const Node* at = node(name);
  return at != nullptr && at->empty();
}

/// Of the records at `owner`, the name itself or a wildcard, for `name`.
Lookup Zone::look_up_at(const Name& owner, const Name& name, RRType type) const {
  const RRset* set = find(owner, type);
  const RRset* cname = find(owner, RRType::cname);
  if (set == nullptr && cname == nullptr) return {Finding::nodata, std::nullopt};
  RRset found = set != nullptr ? *set : *cname;
  found.owner = name;
  return {set != nullptr ? Finding::answer : Finding::alias, std::move(found)};
}

Lookup Zone::look_up(const Name& name, RRType type) const {
  Name encloser = origin_;
  for (std::size_t labels = origin_.label_count();; ++labels) {
    const Name at = name.suffix(labels);
    if (!exists(at)) break;
    encloser = at;
    const RRset* ns = at == origin_ ? nullptr : find(at, RRType::ns);
    if (ns != nullptr && !(at == name && type == RRType::ds)) return {Finding::referral, *ns};
    if (at == name) return look_up_at(name, name, type);
    if (const RRset* dname = find(at, RRType::dname)) return {Finding::dname, *dname};
  }
  const std::uint8_t star = '*';
  const auto wildcard = encloser.with_label({&star, 1});
  if (wildcard && exists(*wildcard)) return look_up_at(*wildcard, name, type);
  return {Finding::nxdomain, std::nullopt};
}

std::vector<const RRset*> Zone::sets_of(RRType type) const {
  std::vector<const RRset*> sets;
  for (const auto& [name, node] : nodes_) {
    const auto set = node.find(type);
    if (set != node.end()) sets.push_back(&set->second);
  }
  return sets;
}

std::vector<const RRset*> Zone::cuts() const {
  std::vector<const RRset*> sets = sets_of(RRType::ns);
  std::erase_if(sets, [this](const RRset* set) { return set->owner == origin_; });
  return sets;
}

}  // namespace siskin::sim
