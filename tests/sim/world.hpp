/// A small internet: zones written as text, servers by address that serve them.
#pragma once

#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/server.hpp"
#include "sim/zone.hpp"

namespace siskin::sim {

/// Texts that do not parse, unknown zones and servers throw std::invalid_argument: a test's fault.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Zone& add_zone(std::string_view origin, std::string_view text);
  /// Other records from now on, for all servers of the zone.
  void change_zone(std::string_view origin, std::string_view text);
  /// A server at `address` (made when new) that serves these zones too.
  Server& add_server(std::string_view address, std::initializer_list<std::string_view> zones);
  /// For each zone, a server at each address that any zone has for one of its NS names.
  void place_servers();

  Server& server(std::string_view address);
  const Server* find_server(const IpAddress& address) const;
  std::map<IpAddress, Server>& servers() noexcept { return servers_; }

  const Zone* find_zone(const wire::Name& origin) const;
  const std::map<wire::Name, Zone>& zones() const noexcept { return zones_; }

  /// The root's NS names with their addresses.
  std::vector<std::pair<wire::Name, IpAddress>> root_hints() const;

  Link link;  ///< of servers without one of their own

 private:
  std::vector<IpAddress> addresses_of(const wire::Name& host) const;

  std::map<wire::Name, Zone> zones_;
  std::map<IpAddress, Server> servers_;
};

}  // namespace siskin::sim
