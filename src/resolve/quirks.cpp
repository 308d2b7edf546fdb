#include "resolve/quirks.hpp"

namespace siskin::resolve {
namespace {

/// Counts to `most`; true, and from the beginning again, when it is reached.
bool is_reached(std::uint8_t& count, unsigned more, unsigned most) noexcept {
  const unsigned sum = count + more;
  count = static_cast<std::uint8_t>(sum < most ? sum : 0);
  return sum >= most;
}

}  // namespace

wire::Cookie Quirks::cookie_for(const wire::Cookie::Client& client) const noexcept {
  if (cookie_.client == client) return cookie_;
  wire::Cookie cookie;
  cookie.client = client;
  return cookie;
}

void Quirks::showed_cookie(const wire::Cookie& cookie, Instant now) noexcept {
  cookie_ = cookie;
  shows_.set(now, kCertainFor);
  takes_.set(now, kCertainFor);
}

void Quirks::hid_cookie(Instant now) noexcept {
  if (is_reached(hidden_, 1, kHiddenMax)) mixed_.set(now, kMixedFor);
}

void Quirks::choked_on_cookie(Instant now) noexcept {
  if (!takes_.holds(now)) cookieless_.set(now, kCookielessFor);
}

void Quirks::answered_with_edns(Instant now) noexcept {
  has_edns_.set(now, kCertainFor);
  edns_failures_ = 0;
}

void Quirks::answered_only_without_edns(Instant now) noexcept {
  if (has_edns(now)) return;
  if (is_reached(edns_failures_, 1, kEdnsFailuresMax)) plain_.set(now, kPlainFor);
}

void Quirks::changed_case(Instant now) noexcept {
  if (is_reached(case_changes_, 1, kCaseChangesMax)) one_case_.set(now, kOneCaseFor);
}

void Quirks::truncated(Instant now) noexcept {
  if (is_reached(truncations_, 1, kTruncationsMax)) tcp_.set(now, kTcpFor);
}

void Quirks::near_missed(unsigned count, Instant now) noexcept {
  if (is_reached(suspicion_, count, kSuspicionMax)) attacked_.set(now, kAttackFor);
}

}  // namespace siskin::resolve
