/// Which addresses may be asked at all.
#pragma once

#include <vector>

#include "siskin/base/ip.hpp"

namespace siskin::resolve {

/// Immutable.  Loopback, multicast, unspecified, link-local, reserved and our own addresses are not
/// asked unless `allowed` holds them; nor is a family that is switched off.
class AddressPolicy {
 public:
  struct Options {
    bool ipv4 = true;
    bool ipv6 = true;
    std::vector<Network> allowed;
    std::vector<IpAddress> own;
  };

  explicit AddressPolicy(Options options);
  bool may_ask(const IpAddress& address) const noexcept;

 private:
  Options options_;
  std::vector<Network> special_;
};

}  // namespace siskin::resolve
