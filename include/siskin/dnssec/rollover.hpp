/// How the keys of a trust anchor come and go by themselves (RFC 5011).  A machine of states
/// without time or network of its own: whoever has one asks for the zone's DNSKEY set and shows it.
///
/// Threads:  one at a time.
/// Errors:   there are none: a set that is not good changes nothing, but for keys that revoke
///           themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "siskin/base/time.hpp"
#include "siskin/dnssec/validate.hpp"

namespace siskin::dnssec {

/// RFC 5011 §4; "Start" is a key of which nothing is known.
enum class KeyState : std::uint8_t { pending, valid, missing, revoked, removed };

/// "pending", "valid" and so on.
std::string_view to_string(KeyState state) noexcept;
std::optional<KeyState> key_state_from(std::string_view text) noexcept;

struct TrackedKey {
  std::vector<std::uint8_t> rdata;  ///< DNSKEY, with the flag REVOKE not set
  KeyState state = KeyState::pending;
  /// Pending: when it may be trusted; revoked: when it was seen last; else: since when it is so.
  WallTime date{};

  std::uint16_t tag() const noexcept { return key_tag(rdata); }
  bool is_trusted() const noexcept {
    return state == KeyState::valid || state == KeyState::missing;
  }
  friend bool operator==(const TrackedKey&, const TrackedKey&) = default;
};

/// One zone with the keys that are trusted, were, or are to be.
class TrustPoint {
 public:
  static constexpr std::chrono::days kHoldDown{30};  ///< of new keys, and of revoked ones
  static constexpr std::size_t kKeysMax = 64;  ///< tracked; what a zone adds beyond is ignored

  /// `configured`: what the operator trusts.  It holds as long as its keys are not revoked. `keys`:
  /// as they were at the end of an earlier run.
  explicit TrustPoint(TrustAnchor configured, std::vector<TrackedKey> keys = {});

  const wire::Name& zone() const noexcept { return configured_.zone; }
  const std::vector<TrackedKey>& keys() const noexcept { return keys_; }

  /// What is trusted: the tracked keys that are, and what of the configuration was not met yet.
  /// Without any record where all keys are revoked: then the zone counts as if it never had had an
  /// anchor (RFC 5011 §5).
  TrustAnchor anchor() const;

  /// A key that went from one state to another; `from` is nothing where it is new, `to` where it is
  /// forgotten.
  struct Change {
    TrackedKey key;
    std::optional<KeyState> from;
    std::optional<KeyState> to;
  };

  struct Seen {
    bool is_good = false;         ///< signed by a key that is trusted
    wire::ExtendedError why;      ///< unless good
    std::vector<Change> changes;  ///< worth writing down
    /// Until the set is to be asked for again (RFC 5011 §2.3): an hour to fifteen days.
    std::chrono::seconds next{};
  };

  /// Looks at the zone's DNSKEY set as it was just received, signatures included.
  Seen see(const wire::RRset& dnskeys, const Moment& moment, WallTime now, Work& work,
           Verifier& verifier);

  /// Until the next try after one that brought nothing.
  static constexpr std::chrono::seconds kRetry{3600};

 private:
  class Look;

  TrustAnchor configured_;
  std::vector<TrackedKey> keys_;
};

}  // namespace siskin::dnssec
