/// What a scenario's options mean for Siskin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "siskin/policy/client_subnet.hpp"
#include "siskin/resolve/resolver.hpp"
#include "siskin/serve/frontend.hpp"

namespace siskin::scenarios {

/// Servers of a zone that are known without a referral.
struct StubZone {
  wire::Name name;
  std::vector<IpAddress> addresses;
};

struct Setup {
  resolve::Options resolve;
  cache::Cache::Options cache;
  serve::Frontend::Options frontend;
  std::vector<Network> allowed;                    ///< clients
  IpAddress client = IpAddress::v4(127, 0, 0, 1);  ///< where a QUERY step names none
  /// Expired answers are given; seconds of how old they may be are in `cache`.
  struct Stale {
    Duration client_wait = std::chrono::milliseconds(1800);
    Duration recheck = std::chrono::seconds(5);  ///< what the scenarios' own resolver has
  };
  std::optional<Stale> stale;
  /// Client subnet is on; its zones are in `resolve`.
  std::optional<policy::ClientSubnets::Options> subnets;
  std::vector<StubZone> stubs;  ///< the root's as well
  /// Seconds since 1970 that hold for signatures however time passes; nothing: virtual time, which
  /// begins in 1970.
  std::optional<std::int64_t> date;
  bool takes_sha1_as_good = false;  ///< signatures that rest on SHA-1
  bool takes_dsa_as_good = false;
  /// Why the scenario cannot be played, in words; empty: it can.
  std::vector<std::string> lacks;
};

/// Throws ScriptError for values that cannot be read.
/// What the neutral player assumes: no priming, no random letter case, no cookies, every stub-zone
/// as servers known beforehand.  Options that change nothing which the relaxed comparison looks at
/// are passed over; every other option without a counterpart is named in `lacks`.
Setup make_setup(const Scenario& scenario);

}  // namespace siskin::scenarios
