#include "sim/virtual_time.hpp"

namespace siskin::sim {

void VirtualTime::run_ready() {
  io_.restart();
  while (io_.poll() > 0) io_.restart();
}

/// To the next timer when it is due by `until`; runs what is due there.
bool VirtualTime::jump(Instant until) {
  const auto next = timers_.next();
  if (!next || *next > until) return false;
  if (*next > clock_.now()) clock_.set(*next);
  timers_.run_expired(clock_.now());
  return true;
}

bool VirtualTime::run_until(const std::function<bool()>& done) {
  run_ready();
  while (!done() && jump(Instant::max())) run_ready();
  return done();
}

void VirtualTime::run_for(Duration duration) {
  const Instant end = clock_.now() + duration;
  run_ready();
  while (jump(end)) run_ready();
  clock_.set(end);
}

bool VirtualTime::settle(Duration duration) {
  const Instant end = clock_.now() + duration;
  run_ready();
  while (jump(end)) run_ready();
  return !timers_.next();
}

}  // namespace siskin::sim
