/// Whether what servers said is what the zones' keys have signed (RFC 4035 §5, 6840).
#pragma once

#include "resolve/chain.hpp"

namespace siskin::resolve {

/// How far to look for a reason why something is not signed.
enum class Search : std::uint8_t {
  known_cuts,  ///< zones that delegations told of
  all_names,   ///< a zone may begin at each name that no referral told of; a question for each
};

class Validator {
 public:
  Validator(Core& core, Chaser& chaser) : core_(core), chain_(core, chaser) {}

  /// Marks every part of a reply to (`name`, `type`) that is unchecked, up to the first that is
  /// bogus; takes out of denials and proofs what is not signed; lowers TTLs to what signatures
  /// allow.  Marks the reply as bare where it is bogus for want of any signature.  `reply` outlives
  /// the task.
  runtime::Task<void> check(Query& query, wire::Name name, wire::RRType type, Reply& reply,
                            Search search);

  /// As Chain::is_in_order().
  runtime::Task<bool> is_in_order(Query& query, wire::Name name) {
    return chain_.is_in_order(query, std::move(name));
  }

 private:
  /// One check on its way.
  struct Job {
    Query& query;
    Reply& reply;
    Search search;
  };

  runtime::Task<Checked> check_end(const Job& job, wire::Name name, wire::RRType type);
  runtime::Task<Checked> check_positive(const Job& job, wire::RRset& set,
                                        std::vector<wire::RRset>& proof);
  runtime::Task<Checked> check_denial(const Job& job, wire::Name name, wire::RRType type);
  runtime::Task<Checked> check_unsigned(const Job& job, wire::Name name, wire::Ede missing);
  Checked judge(Query& query, const Standing& zone, wire::RRset& set,
                std::vector<wire::RRset>& proof) const;
  Checked judge_denial(const Job& job, const Standing& zone, const wire::Name& name,
                       wire::RRType type) const;
  void obey_sentinel(const wire::Name& name, wire::RRType type, Reply& reply) const;
  std::optional<wire::Name> signer_below_cut(const wire::RRset& set) const;
  runtime::Task<void> give_way(Query& query) const;

  Core& core_;
  Chain chain_;
};

}  // namespace siskin::resolve
