#include "scenarios/subnets.hpp"

#include <algorithm>

#include "siskin/wire/edns.hpp"
#include "siskin/wire/rdata.hpp"

namespace siskin::scenarios {
namespace {

constexpr std::uint8_t kLoopback = 127;
constexpr std::uint8_t kPublic = 128;
constexpr std::size_t kAddressAt = 4;  ///< behind family, source and scope

void make_public(Message& message) {
  if (!message.opt) return;
  auto& options = message.opt->options;
  if (!wire::are_options(options)) return;
  const auto subnet = wire::find_option(options, wire::EdnsOption::client_subnet);
  if (!subnet || subnet->size() <= kAddressAt || (*subnet)[1] != 1) return;
  const auto at = static_cast<std::size_t>(subnet->data() - options.data()) + kAddressAt;
  if (options[at] == kLoopback) options[at] = kPublic;
}

void make_public(Entry& entry) {
  make_public(entry.message);
  if (!entry.raw) return;
  if (auto message = decode(*entry.raw)) {
    make_public(*message);
    entry.raw = encode(*message);
  }
}

/// The names of servers that a section gives an address within `servers`.
std::vector<wire::Name> servers_at(const std::vector<Record>& records, const Network& servers) {
  std::vector<wire::Name> names;
  for (const Record& record : records) {
    const auto address = wire::address_of(record.type, record.rdata);
    if (address && servers.contains(*address)) names.push_back(record.owner);
  }
  return names;
}

}  // namespace

IpAddress public_address(const IpAddress& address) {
  const auto octets = address.octets();
  if (!address.is_v4() || octets[0] != kLoopback) return address;
  return IpAddress::v4(kPublic, octets[1], octets[2], octets[3]);
}

void make_clients_public(Scenario& scenario) {
  for (Range& range : scenario.ranges) {
    for (Entry& entry : range.entries) make_public(entry);
  }
  for (Step& step : scenario.steps) {
    if (step.address) step.address = public_address(*step.address);
    if (step.entry) make_public(*step.entry);
  }
}

std::vector<wire::Name> zones_served_at(const Scenario& scenario, const Network& servers) {
  std::vector<wire::Name> zones;
  for (const Range& range : scenario.ranges) {
    for (const Entry& entry : range.entries) {
      const auto names = servers_at(entry.message.section(wire::Section::additional), servers);
      for (const Record& record : entry.message.section(wire::Section::authority)) {
        if (record.type != wire::RRType::ns) continue;
        const auto server = wire::target_of(record.rdata);
        const bool is_there = server && std::ranges::find(names, *server) != names.end();
        if (is_there && std::ranges::find(zones, record.owner) == zones.end()) {
          zones.push_back(record.owner);
        }
      }
    }
  }
  return zones;
}

}  // namespace siskin::scenarios
