#include "resolve/servers.hpp"

#include <algorithm>

namespace siskin::resolve {

const ServerTable::Server* ServerTable::find(const IpAddress& address) const {
  const auto at = by_address_.find(address);
  return at == by_address_.end() ? nullptr : &*at->second;
}

ServerTable::Server& ServerTable::touch(const IpAddress& address) {
  const auto [at, is_new] = by_address_.try_emplace(address);
  if (!is_new) {
    by_use_.splice(by_use_.begin(), by_use_, at->second);
    return *at->second;
  }
  by_use_.emplace_front().address = address;
  at->second = by_use_.begin();
  if (by_use_.size() > kServersMax) {
    by_address_.erase(by_use_.back().address);
    by_use_.pop_back();
  }
  return by_use_.front();
}

Duration ServerTable::expected(const IpAddress& server, Duration unknown) const {
  const Server* s = find(server);
  if (s == nullptr || (!s->measured && s->timeouts == 0)) return unknown;
  const Duration base = s->measured ? s->srtt : kFirstWait;
  return base * (1U << std::min(s->timeouts, 6U));
}

ServerTable::Look ServerTable::look(const IpAddress& server) const {
  const Server* s = find(server);
  return {wait_for(s), patience_with(s), s == nullptr ? Quirks() : s->quirks};
}

Duration ServerTable::wait(const IpAddress& server) const {
  return wait_for(find(server));
}

Duration ServerTable::patience(const IpAddress& server) const {
  return patience_with(find(server));
}

Duration ServerTable::wait_for(const Server* s) {
  if (s == nullptr) return kFirstWait;
  // Twice the round trip at least: where it hardly varies, the deviation says nothing of the day on
  // which it does, and whoever is late is raced anyway.
  const Duration base = s->measured ? s->srtt + std::max(4 * s->rttvar, s->srtt) : kFirstWait;
  return std::clamp(std::max(base, kWaitMin) * (1U << std::min(s->timeouts, 4U)), kWaitMin,
                    kWaitMax);
}

Duration ServerTable::patience_with(const Server* s) {
  if (s == nullptr || !s->measured) return kFirstPatience;
  return std::clamp((s->srtt + s->rttvar) * 3 / 2, kPatienceMin, kPatienceMax);
}

bool ServerTable::is_dead(const IpAddress& server, Instant now) const {
  const Server* s = find(server);
  return s != nullptr && now < s->dead_until;
}

Quirks& ServerTable::replied(const IpAddress& server, Duration rtt, Instant now) {
  Server& s = touch(server);
  if (!s.measured) {
    s.srtt = rtt;
    s.rttvar = rtt / 2;
    s.measured = true;
  } else {
    const Duration difference = rtt > s.srtt ? rtt - s.srtt : s.srtt - rtt;
    s.rttvar = (3 * s.rttvar + difference) / 4;
    s.srtt = (7 * s.srtt + rtt) / 8;
  }
  revive(s, now);
  return s.quirks;
}

Quirks& ServerTable::replied_over_tcp(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  revive(s, now);
  return s.quirks;
}

bool ServerTable::has_replied_since(const IpAddress& server, Instant then) const {
  const Server* s = find(server);
  return s != nullptr && s->replied_at > then;
}

void ServerTable::revive(Server& server, Instant now) {
  server.replied_at = now;
  server.timeouts = 0;
  server.dead_until = Instant{};
  families_.replied(server.address.family());
}

void ServerTable::timed_out(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  if (++s.timeouts >= kTimeoutsToDeath) s.dead_until = now + kDeadFor;
  families_.silent(server, now);
}

void ServerTable::outrun(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  if (s.timeouts + 1 < kTimeoutsToDeath) ++s.timeouts;
  families_.silent(server, now);
}

bool ServerTable::may_tell_subnet(const IpAddress& server, Instant now) const {
  const Server* s = find(server);
  return s == nullptr || now >= s->untold_until;
}

void ServerTable::echoed_subnet(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  s.echoes_until = now + kEchoesFor;
  s.untold_until = Instant{};
}

void ServerTable::ignored_subnet(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  if (now >= s.echoes_until) s.untold_until = now + kUntoldFor;
}

void ServerTable::silent_to_cookie(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  if (s.timeouts >= kTimeoutsToDoubt) s.quirks.choked_on_cookie(now);
}

void ServerTable::silent_to_subnet(const IpAddress& server, Instant now) {
  if (touch(server).timeouts >= kTimeoutsToDoubt) ignored_subnet(server, now);
}

void ServerTable::unreachable(const IpAddress& server, Instant now) {
  Server& s = touch(server);
  s.timeouts = std::max(s.timeouts + 1, kTimeoutsToDeath);
  s.dead_until = now + kDeadFor;
  families_.silent(server, now);
}

}  // namespace siskin::resolve
