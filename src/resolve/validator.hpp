/// Whether what servers said is what the zones' keys have signed (RFC 4035 §5, 6840).
#pragma once

#include "resolve/chain.hpp"

namespace siskin::resolve {

class Validator {
 public:
  Validator(Core& core, Chaser& chaser) : core_(core), chain_(core, chaser) {}

  /// Marks every part of a reply to (`name`, `type`) that is unchecked, up to the first that is
  /// bogus; takes out of denials and proofs what is not signed; lowers TTLs to what signatures
  /// allow.  `reply` outlives the task.
  runtime::Task<void> check(Query& query, wire::Name name, wire::RRType type, Reply& reply);

 private:
  runtime::Task<Checked> check_positive(Query& query, wire::RRset& set,
                                        std::vector<wire::RRset>& proof);
  runtime::Task<Checked> check_denial(Query& query, const wire::Name& name, wire::RRType type,
                                      Reply& reply);
  runtime::Task<Checked> check_unsigned(Query& query, wire::Name name, wire::Ede missing);
  Checked judge(Query& query, const Standing& zone, wire::RRset& set,
                std::vector<wire::RRset>& proof) const;
  std::optional<wire::Name> signer_below_cut(const wire::RRset& set) const;
  runtime::Task<void> give_way(Query& query) const;

  Core& core_;
  Chain chain_;
};

}  // namespace siskin::resolve
