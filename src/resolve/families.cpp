#include "resolve/families.hpp"

#include <algorithm>

namespace siskin::resolve {
namespace {

Family other(Family family) {
  return family == Family::ipv4 ? Family::ipv6 : Family::ipv4;
}

}  // namespace

void Families::replied(Family family) {
  Record& r = record(family);
  r.silent.clear();
  r.has_replied = true;
  r.rests_until = Instant{};
}

void Families::silent(const IpAddress& server, Instant now) {
  Record& r = record(server.family());
  if (r.silent.size() < kSilentMax && std::ranges::find(r.silent, server) == r.silent.end()) {
    r.silent.push_back(server);
  }
  if (r.silent.size() == kSilentMax) r.rests_until = now + kRest;
}

void Families::asked(Family family, Instant now) {
  if (is_doubted(family)) record(family).rests_until = now + kRest;
}

bool Families::rests(Family family, Instant now) const {
  return is_doubted(family) && now < record(family).rests_until;
}

bool Families::works(Family family) const {
  return record(family).has_replied && record(family).silent.empty();
}

bool Families::is_doubted(Family family) const {
  return record(family).silent.size() == kSilentMax && works(other(family));
}

}  // namespace siskin::resolve
