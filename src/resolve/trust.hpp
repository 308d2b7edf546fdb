/// What is known of the zones' keys.
#pragma once

#include <list>
#include <map>
#include <memory>

#include "siskin/base/time.hpp"
#include "siskin/dnssec/validate.hpp"

namespace siskin::resolve {

/// How far a zone can be trusted.
struct Trust {
  dnssec::Security security = dnssec::Security::bogus;
  wire::RRset dnskeys;                     ///< secure
  std::vector<dnssec::Dnskey> keys;        ///< secure; they point into `dnskeys`
  std::optional<wire::ExtendedError> why;  ///< bogus, and insecure where there is more to say of it
  /// Bogus, because DS or keys could not be had: the next one who asks may have them.
  bool is_unsure = false;
  std::uint32_t until = 0;  ///< second of the monotonic line

  bool is_secure() const noexcept { return security == dnssec::Security::secure; }
};

using SharedTrust = std::shared_ptr<const Trust>;

/// Of the zones asked about lately, so that their keys are checked and read once.  At most
/// kZonesMax zones; beyond, the one not asked about the longest gives way.
class TrustTable {
 public:
  static constexpr std::size_t kZonesMax = 4096;

  /// Null: nothing is known (any more).
  SharedTrust find(const wire::Name& zone, Instant now);
  void store(const wire::Name& zone, SharedTrust trust);
  void clear() noexcept;
  std::size_t size() const noexcept { return order_.size(); }

 private:
  struct Row {
    wire::Name zone;
    SharedTrust trust;
  };
  using Order = std::list<Row>;  ///< the last one in front

  Order order_;
  std::map<wire::Name, Order::iterator> by_zone_;  ///< ordered: clients choose the names
};

}  // namespace siskin::resolve
