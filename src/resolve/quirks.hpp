/// What one server does with what it is sent: learnt from its replies, and forgotten in time.
#pragma once

#include "siskin/base/time.hpp"
#include "siskin/wire/cookie.hpp"

namespace siskin::resolve {

/// Something that holds for a while; in whole seconds, to be small.
class Until {
 public:
  void set(Instant now, std::chrono::seconds how_long) noexcept {
    end_ = whole_seconds(now + how_long);
  }
  void clear() noexcept { end_ = 0; }
  bool holds(Instant now) const noexcept { return whole_seconds(now) < end_; }

 private:
  std::uint32_t end_ = 0;
};

/// A value; time is an argument.  Each quirk needs evidence that one forged reply cannot give
/// (fault A7), and each ends by itself: servers are mended and replaced.
class Quirks {
 public:
  /// How long what was seen to work is not doubted because of a reply that says otherwise.
  static constexpr std::chrono::seconds kCertainFor = std::chrono::hours(1);
  static constexpr std::chrono::seconds kCookielessFor = std::chrono::minutes(10);
  static constexpr unsigned kHiddenMax = 3;
  static constexpr std::chrono::seconds kMixedFor = std::chrono::hours(1);
  static constexpr unsigned kEdnsFailuresMax = 3;
  static constexpr std::chrono::seconds kPlainFor = std::chrono::minutes(10);
  static constexpr unsigned kCaseChangesMax = 2;
  static constexpr std::chrono::seconds kOneCaseFor = std::chrono::hours(1);
  static constexpr unsigned kTruncationsMax = 4;
  static constexpr std::chrono::seconds kTcpFor = std::chrono::minutes(5);
  static constexpr unsigned kSuspicionMax = 8;
  static constexpr std::chrono::seconds kAttackFor = std::chrono::seconds(30);

  // Cookies (RFC 7873).

  bool may_send_cookie(Instant now) const noexcept { return !cookieless_.holds(now); }
  /// A reply without one is not its own.
  bool owes_cookie(Instant now) const noexcept { return shows_.holds(now) && !mixed_.holds(now); }
  /// With what the server gave us for it, if anything.
  wire::Cookie cookie_for(const wire::Cookie::Client& client) const noexcept;
  void showed_cookie(const wire::Cookie& cookie, Instant now) noexcept;
  /// It answered.
  void took_cookie(Instant now) noexcept { takes_.set(now, kCertainFor); }
  /// It owes one and a reply over UDP came without.  After kHiddenMax in a row it counts as one
  /// address of servers with and without cookies.
  void hid_cookie(Instant now) noexcept;
  /// A right one came over UDP: the others were perhaps not its own.
  void hid_no_cookie() noexcept { hidden_ = 0; }
  /// Beyond doubt.
  void has_no_cookie() noexcept { shows_.clear(); }
  /// Unless it has taken one lately.
  void choked_on_cookie(Instant now) noexcept;

  // EDNS.

  bool may_send_edns(Instant now) const noexcept { return !plain_.holds(now); }
  bool has_edns(Instant now) const noexcept { return has_edns_.holds(now); }
  void answered_with_edns(Instant now) noexcept;
  /// It erred with, and answered without.
  void answered_only_without_edns(Instant now) noexcept;

  // Letter case (fault B133).

  bool keeps_case(Instant now) const noexcept { return !one_case_.holds(now); }
  void kept_case() noexcept { case_changes_ = 0; }
  void changed_case(Instant now) noexcept;
  /// Whether it is known to say "no data" without an SOA in whatever letter case it is asked.
  bool is_bare_anyway(Instant now) const noexcept { return bare_.holds(now); }
  void was_bare_anyway(Instant now) noexcept { bare_.set(now, kCertainFor); }

  // Transport.

  bool wants_tcp(Instant now) const noexcept { return tcp_.holds(now) || is_attacked(now); }
  bool is_attacked(Instant now) const noexcept { return attacked_.holds(now); }
  void truncated(Instant now) noexcept;
  void fitted() noexcept { truncations_ = 0; }
  void failed_over_tcp() noexcept { tcp_.clear(); }
  /// Replies that were nearly right came (fault A1).  Each good one takes one away, so that doubled
  /// and late datagrams never add up.
  void near_missed(unsigned count, Instant now) noexcept;
  void calm() noexcept {
    if (suspicion_ > 0) --suspicion_;
  }

 private:
  wire::Cookie cookie_;
  Until shows_, takes_, mixed_, cookieless_;
  Until has_edns_, plain_;
  Until one_case_, bare_;
  Until tcp_, attacked_;
  std::uint8_t hidden_ = 0;
  std::uint8_t edns_failures_ = 0;
  std::uint8_t case_changes_ = 0;
  std::uint8_t truncations_ = 0;
  std::uint8_t suspicion_ = 0;
};

}  // namespace siskin::resolve
