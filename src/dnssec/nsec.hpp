/// Proofs by NSEC.
#pragma once

#include <vector>

#include "dnssec/denial_record.hpp"

namespace siskin::dnssec {

struct Nsec : TypesThere {
  wire::Name owner;
  wire::Name next;
};

/// As Denial, on NSEC alone.
class NsecProofs {
 public:
  explicit NsecProofs(const wire::Name& zone) : zone_(zone) {}

  void add(const wire::Name& owner, wire::Bytes rdata);
  bool is_empty() const noexcept { return records_.empty(); }

  Proof no_name(const wire::Name& name) const;
  Proof no_data(const wire::Name& name, wire::RRType type) const;
  Proof no_ds(const wire::Name& name) const;
  Proof no_closer_match(const wire::Name& name, std::size_t labels) const;

 private:
  const Nsec* match(const wire::Name& name) const;
  const Nsec* cover(const wire::Name& name) const;
  bool covers(const Nsec& nsec, const wire::Name& name) const;

  wire::Name zone_;
  std::vector<Nsec> records_;
};

}  // namespace siskin::dnssec
