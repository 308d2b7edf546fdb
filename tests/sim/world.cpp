#include "sim/world.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "siskin/wire/rdata.hpp"

namespace siskin::sim {

using wire::Name;
using wire::RRset;
using wire::RRType;

namespace {

IpAddress parse_address(std::string_view text) {
  const auto address = IpAddress::from_text(text);
  if (!address) throw std::invalid_argument(to_string(address.error()));
  return *address;
}

std::vector<Name> hosts_of(const RRset& ns) {
  std::vector<Name> hosts;
  for (const wire::Bytes rdata : ns.records) hosts.push_back(*wire::target_of(rdata));
  return hosts;
}

}  // namespace

const Zone& World::add_zone(std::string_view origin, std::string_view text) {
  Zone zone(origin, text);
  const auto [at, is_new] = zones_.try_emplace(zone.origin(), std::move(zone));
  if (!is_new) throw std::invalid_argument("a zone twice: " + std::string(origin));
  return at->second;
}

void World::change_zone(std::string_view origin, std::string_view text) {
  Zone zone(origin, text);
  zones_.at(zone.origin()) = std::move(zone);
}

Server& World::add_server(std::string_view address, std::initializer_list<std::string_view> zones) {
  const IpAddress ip = parse_address(address);
  Server& server = servers_.try_emplace(ip, ip).first->second;
  for (const std::string_view origin : zones) {
    const Zone* zone = find_zone(Name::from_text(origin).value());
    if (zone == nullptr) throw std::invalid_argument("no such zone: " + std::string(origin));
    server.serve(*zone);
  }
  return server;
}

std::vector<IpAddress> World::addresses_of(const Name& host) const {
  std::vector<IpAddress> addresses;
  for (const auto& [origin, zone] : zones_) {
    for (const RRType type : {RRType::a, RRType::aaaa}) {
      const RRset* set = zone.find(host, type);
      if (set == nullptr) continue;
      for (const wire::Bytes rdata : set->records) {
        const IpAddress address = *wire::address_of(type, rdata);
        if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(address);
      }
    }
  }
  return addresses;
}

void World::place_servers() {
  for (const auto& [origin, zone] : zones_) {
    const RRset* ns = zone.find(origin, RRType::ns);
    if (ns == nullptr) continue;
    for (const Name& host : hosts_of(*ns)) {
      for (const IpAddress& address : addresses_of(host)) {
        servers_.try_emplace(address, address).first->second.serve(zone);
      }
    }
  }
}

Server& World::server(std::string_view address) {
  const auto at = servers_.find(parse_address(address));
  if (at == servers_.end()) throw std::invalid_argument("no server at " + std::string(address));
  return at->second;
}

const Server* World::find_server(const IpAddress& address) const {
  const auto at = servers_.find(address);
  return at == servers_.end() ? nullptr : &at->second;
}

const Zone* World::find_zone(const Name& origin) const {
  const auto at = zones_.find(origin);
  return at == zones_.end() ? nullptr : &at->second;
}

std::vector<std::pair<Name, IpAddress>> World::root_hints() const {
  const Zone* root = find_zone(Name());
  if (root == nullptr) throw std::invalid_argument("the world has no root");
  const RRset* ns = root->find(Name(), RRType::ns);
  if (ns == nullptr) throw std::invalid_argument("the root has no NS");
  std::vector<std::pair<Name, IpAddress>> hints;
  for (const Name& host : hosts_of(*ns)) {
    for (const IpAddress& address : addresses_of(host)) hints.emplace_back(host, address);
  }
  return hints;
}

}  // namespace siskin::sim
