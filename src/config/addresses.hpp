/// Addresses as a configuration writes them, with advice where they are wrong.
#pragma once

#include <boost/system/result.hpp>
#include <string_view>

#include "config/report.hpp"
#include "siskin/base/ip.hpp"

namespace siskin::config {

/// An endpoint to listen on: a port that is not 0, no IPv4 address inside IPv6.
boost::system::result<Endpoint, Complaint> endpoint_from(std::string_view text);
boost::system::result<Network, Complaint> network_from(std::string_view text);

}  // namespace siskin::config
