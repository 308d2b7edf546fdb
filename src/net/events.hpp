/// What net says in the log.
#pragma once

#include <string>

#include "siskin/base/ip.hpp"
#include "siskin/base/log.hpp"

namespace siskin::net::events {

inline void accept_failed(const Endpoint& listener, const std::string& reason) {
  log::warn("{}: cannot accept TCP connections for now: {}", listener.to_text(), reason);
}

}  // namespace siskin::net::events
