/// Who may ask.
#pragma once

#include <vector>

#include "siskin/base/ip.hpp"

namespace siskin::policy {

/// The networks of [access] allow; an IPv4-mapped IPv6 address counts as its IPv4 address.
/// Immutable after construction, so any thread may ask.
class AccessList {
 public:
  explicit AccessList(std::vector<Network> allowed) : allowed_(std::move(allowed)) {}
  bool allows(const IpAddress& client) const noexcept;

 private:
  std::vector<Network> allowed_;
};

}  // namespace siskin::policy
