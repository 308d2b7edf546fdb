/// Whether an address family leads anywhere: many hosts have addresses and routes of IPv6, and no
/// IPv6.
#pragma once

#include <vector>

#include "siskin/base/ip.hpp"
#include "siskin/base/time.hpp"

namespace siskin::resolve {

/// A family rests, which means that it is tried last, once kSilentMax servers of it in a row have
/// given no answer while the other family works.  Each kRest somebody may try it in its usual
/// place; one answer ends the doubt.  Where neither works, the network is down and nobody rests.
/// Threads: one core.
class Families {
 public:
  static constexpr std::size_t kSilentMax = 3;
  static constexpr Duration kRest = std::chrono::seconds(30);

  void replied(Family family);
  /// A server, again or for the first time.
  void silent(const IpAddress& server, Instant now);
  /// A server is about to be asked: where its family is in doubt, that is the try for a while.
  void asked(Family family, Instant now);

  bool rests(Family family, Instant now) const;
  /// The last that was heard of it is an answer.
  bool works(Family family) const;

 private:
  struct Record {
    std::vector<IpAddress> silent;  ///< in a row; different ones, at most kSilentMax
    bool has_replied = false;
    Instant rests_until{};
  };

  bool is_doubted(Family family) const;
  const Record& record(Family family) const { return family == Family::ipv4 ? ipv4_ : ipv6_; }
  Record& record(Family family) { return family == Family::ipv4 ? ipv4_ : ipv6_; }

  Record ipv4_;
  Record ipv6_;
};

}  // namespace siskin::resolve
