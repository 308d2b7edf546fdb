/// A copy of the root zone, and what a root server would say from it (RFC 8806).
///
/// Threads:  immutable; shared by all cores.
#pragma once

#include <optional>
#include <vector>

#include "resolve/classify.hpp"
#include "siskin/base/time.hpp"
#include "siskin/dnssec/canonical_zone.hpp"

namespace siskin::resolve {

/// The numbers of an SOA record; all but the serial in seconds.
struct SoaNumbers {
  std::uint32_t serial = 0;
  std::uint32_t refresh = 0;
  std::uint32_t retry = 0;
  std::uint32_t expire = 0;
};

/// Of well-formed RDATA; nothing of anything else.
std::optional<SoaNumbers> soa_numbers(wire::Bytes rdata) noexcept;

/// RFC 1982 §3.2: whether `a` comes after `b`.
constexpr bool is_newer(std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint32_t ahead = a - b;
  return ahead != 0 && ahead < 0x8000'0000U;
}

class RootZone {
 public:
  /// Error: malformed, with the reason: not the root's, no single SOA, no NS at the apex, or a
  /// ZONEMD that does not match or is missing (dnssec::check_zone_digest).
  static Result<RootZone> make(dnssec::CanonicalZone records);

  const SoaNumbers& soa() const noexcept { return soa_; }
  std::size_t records() const noexcept { return records_.size(); }
  /// Memory, roughly.
  std::size_t octets() const noexcept { return records_.octets() + 4 * records_.size(); }

  /// The reply of a root server to a question with DO.  Nothing where a server's work is more than
  /// looking up: wildcards, aliases, questions for signatures by type.  A root has none of the
  /// first two, and whoever needs them asks a server.
  std::optional<Message> answer(const wire::Name& name, wire::RRType type) const;

  /// As answer(), classified; nothing also when that is of no use.
  std::optional<Reply> reply(const Asked& asked, std::size_t names_max) const;

 private:
  /// Indexes of the records of one owner.
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_empty() const noexcept { return begin == end; }
  };

  explicit RootZone(dnssec::CanonicalZone records);

  Span at(const wire::Name& name) const noexcept;
  bool exists_at_or_below(const wire::Name& name) const noexcept;
  std::optional<wire::RRset> set(const wire::Name& name, wire::RRType type) const;
  std::optional<wire::RRset> denial_of(const wire::Name& name) const;
  std::optional<wire::RRset> cut_above(const wire::Name& name, wire::RRType type) const;
  bool needs_server(const wire::Name& name, wire::RRType type) const;
  void refer(const wire::RRset& servers, Message& message) const;
  void add_addresses(const wire::RRset& servers, Message& message) const;
  void deny(const wire::Name& name, Message& message) const;
  void add_denial(const wire::Name& name, Message& message) const;

  dnssec::CanonicalZone records_;
  std::vector<std::uint32_t> nsec_;  ///< indexes of the NSEC records
  SoaNumbers soa_;
};

}  // namespace siskin::resolve
