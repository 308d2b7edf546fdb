#include "resolve/candidates.hpp"

#include <algorithm>
#include <utility>

namespace siskin::resolve {
namespace {

/// A server never asked counts as middling fast, so that it is tried now and then.
Duration expected_rtt(Core& core, const IpAddress& address) {
  const auto unknown = std::chrono::microseconds(core.context.random.below(120'000));
  return core.servers.expected(address, unknown);
}

}  // namespace

void Candidates::add(const IpAddress& address) {
  if (find(address) == nullptr) candidates_.push_back({address});
}

Candidates::Candidate* Candidates::find(const IpAddress& address) {
  const auto at = std::ranges::find(candidates_, address, &Candidate::address);
  return at == candidates_.end() ? nullptr : &*at;
}

void Candidates::asked(const IpAddress& address, bool is_dead) {
  Candidate& candidate = *find(address);
  ++candidate.tries;
  candidate.was_dead = is_dead;
  candidate.is_running = true;
}

void Candidates::ended(const IpAddress& address) {
  find(address)->is_running = false;
}

void Candidates::exclude(const IpAddress& address) {
  find(address)->excluded = true;
}

template <class Suitable>
std::optional<IpAddress> Candidates::best(Core& core, Suitable suitable) {
  const Candidate* best = nullptr;
  std::pair<bool, Duration> best_rank;
  for (const Candidate& candidate : candidates_) {
    if (candidate.excluded || !suitable(candidate)) continue;
    if (!core.has_room(candidate.address)) {
      crowded_ = candidate.address;
      continue;
    }
    const std::pair rank(is_doubtful(core, candidate.address.family()),
                         expected_rtt(core, candidate.address));
    if (best == nullptr || rank < best_rank) {
      best = &candidate;
      best_rank = rank;
    }
  }
  if (best == nullptr) return std::nullopt;
  return best->address;
}

/// It rests, or somebody of it is being asked and none has answered lately.
bool Candidates::is_doubtful(Core& core, Family family) const {
  const Families& families = core.servers.families();
  if (families.rests(family, core.now())) return true;
  return !families.works(family) && std::ranges::any_of(candidates_, [&](const Candidate& c) {
    return c.is_running && c.address.family() == family;
  });
}

std::optional<IpAddress> Candidates::fresh(Core& core) {
  const Instant now = core.now();
  return best(core, [&](const Candidate& c) {
    return c.tries == 0 && !core.servers.is_dead(c.address, now);
  });
}

std::optional<IpAddress> Candidates::again(Core& core) {
  const Instant now = core.now();
  if (auto alive = best(core, [&](const Candidate& c) {
        return c.tries < tries_max_ && !core.servers.is_dead(c.address, now);
      })) {
    return alive;
  }
  return best(core, [&](const Candidate& c) {
    return c.tries == 0 || (!c.was_dead && c.tries < tries_max_);
  });
}

std::optional<IpAddress> Candidates::rival(Core& core, bool may_ask_again) {
  if (auto server = fresh(core); server || !may_ask_again) return server;
  const Instant now = core.now();
  return best(core, [&](const Candidate& c) {
    return !c.is_running && c.tries < tries_max_ && !core.servers.is_dead(c.address, now);
  });
}

}  // namespace siskin::resolve
