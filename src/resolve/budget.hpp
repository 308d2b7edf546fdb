/// What one client query may still cost.  Made once, passed by reference, never refilled.
#pragma once

#include <string>

#include "siskin/base/time.hpp"
#include "siskin/resolve/resolver.hpp"

namespace siskin::resolve {

class Budget {
 public:
  Budget(const Limits& limits, Instant now) : limits_(limits), deadline_(now + limits.time) {}

  Instant deadline() const noexcept { return deadline_; }
  std::uint32_t exchanges_spent() const noexcept { return exchanges_; }

  bool spend_exchange(Instant now) {
    if (now >= deadline_) return out_of("time");
    if (exchanges_ >= limits_.exchanges) return out_of("queries to servers");
    ++exchanges_;
    return true;
  }

  bool spend_alias() { return aliases_++ < limits_.aliases || out_of("aliases"); }

  bool spend_server_lookup() {
    return server_lookups_++ < limits_.server_lookups || out_of("look-ups of server names");
  }

  /// The first limit that was hit, in words for EDE and log; null: none.
  const char* exhausted() const noexcept { return exhausted_; }

 private:
  bool out_of(const char* what) {
    if (exhausted_ == nullptr) exhausted_ = what;
    return false;
  }

  Limits limits_;
  Instant deadline_;
  std::uint32_t exchanges_ = 0;
  std::uint32_t aliases_ = 0;
  std::uint32_t server_lookups_ = 0;
  const char* exhausted_ = nullptr;
};

}  // namespace siskin::resolve
