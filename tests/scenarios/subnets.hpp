/// Client subnet (RFC 7871) in scenarios of a resolver that treats it a little differently.
#pragma once

#include <vector>

#include "scenarios/scenario.hpp"

namespace siskin::scenarios {

/// Clients of the other suite are at loopback, of which Siskin tells nobody anything: they are
/// moved to public addresses, here and in all client subnet options of the scenario.
IpAddress public_address(const IpAddress& address);
void make_clients_public(Scenario& scenario);

/// The zones that referrals of the scenario put at an address of `servers`.
std::vector<wire::Name> zones_served_at(const Scenario& scenario, const Network& servers);

}  // namespace siskin::scenarios
