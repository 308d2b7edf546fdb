/// The proofs that an honest server of a signed zone adds to its replies (RFC 4035 §3.1.3, 5155
/// §7.2).
#pragma once

#include "sim/message.hpp"
#include "sim/zone.hpp"

namespace siskin::sim {

/// Of zones without NSEC and NSEC3 nothing is added.
class Denial {
 public:
  explicit Denial(const Zone& zone);

  void no_name(const wire::Name& name, Reply& reply) const;
  void no_data(const wire::Name& name, Reply& reply) const;
  void expanded(const wire::Name& name, Reply& reply) const;  ///< a wildcard made the answer
  void no_ds(const wire::Name& cut, Reply& reply) const;

 private:
  const wire::RRset* match(const wire::Name& name) const;
  const wire::RRset* cover(const wire::Name& name) const;
  wire::Name encloser(const wire::Name& name) const;
  wire::Name next_closer(const wire::Name& name) const;
  void add(const wire::RRset* set, Reply& reply) const;

  const Zone& zone_;
  std::vector<const wire::RRset*> nsec_;   ///< in canonical order
  std::vector<const wire::RRset*> nsec3_;  ///< in the order of hashes
};

}  // namespace siskin::sim
