/// Proofs by NSEC3.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "dnssec/denial_record.hpp"

namespace siskin::dnssec {

using Nsec3Hash = std::array<std::uint8_t, 20>;

struct Nsec3 : TypesThere {
  Nsec3Hash owner{};
  Nsec3Hash next{};
  bool opt_out = false;
};

/// SHA-1 of the lowered name and the salt, and `iterations` times more of the hash and the salt.
Nsec3Hash nsec3_hash(const wire::Name& name, wire::Bytes salt, unsigned iterations);

/// base32hex without padding (RFC 4648 §7), 32 octets for 20; nothing where it is none.
std::optional<Nsec3Hash> from_base32hex(wire::Bytes text) noexcept;

/// As Denial, on NSEC3 alone.
class Nsec3Proofs {
 public:
  explicit Nsec3Proofs(const wire::Name& zone) : zone_(zone) {}

  void add(const wire::Name& owner, wire::Bytes rdata);
  bool is_empty() const noexcept { return records_.empty() && !is_costly_; }

  Proof no_name(const wire::Name& name, Work& work) const;
  Proof no_data(const wire::Name& name, wire::RRType type, Work& work) const;
  Proof no_ds(const wire::Name& name, Work& work) const;
  Proof no_closer_match(const wire::Name& name, std::size_t labels, Work& work) const;

 private:
  /// The closest encloser and what covers the name one label longer.
  struct Encloser {
    wire::Name name;
    const Nsec3* cover = nullptr;
  };

  /// One that is left from other parameters does not make the others worthless.
  bool is_only_costly() const noexcept { return is_costly_ && records_.empty(); }
  /// Hashes as it goes up from the name.  `work` bounds that (fault A45).
  std::optional<Encloser> encloser_of(const wire::Name& name, Work& work) const;
  std::optional<Nsec3Hash> hash(const wire::Name& name, Work& work) const;
  const Nsec3* match(const wire::Name& name, Work& work) const;
  const Nsec3* cover(const wire::Name& name, Work& work) const;
  Proof wildcard_no_data(const Encloser& encloser, wire::RRType type, Work& work) const;

  wire::Name zone_;
  std::vector<Nsec3> records_;
  std::vector<std::uint8_t> salt_;
  std::uint16_t iterations_ = 0;
  bool is_costly_ = false;
};

}  // namespace siskin::dnssec
