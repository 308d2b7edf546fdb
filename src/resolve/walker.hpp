/// From the deepest known delegation down to the zone that answers.
#pragma once

#include "resolve/minimise.hpp"
#include "resolve/zone_asker.hpp"

namespace siskin::resolve {

class Walker {
 public:
  Walker(Core& core, Chaser& chaser) : core_(core), zone_asker_(core, chaser) {}

  /// Fetches what the zones say about `name` and `type`, one alias chain as far as one server tells
  /// it, and keeps in the cache what was learnt on the way: the reply itself the caller stores,
  /// once it is known what it is worth.  kind lame or broken: failed; see query.trouble.  Of
  /// `audience` only servers of the subnet zones are told, and only with the question itself, never
  /// with a part of its name.
  runtime::Task<Reply> fetch(Query& query, wire::Name name, wire::RRType type, Audience audience);

 private:
  Asked asked_of(const wire::Name& shown, wire::RRType type, bool is_whole,
                 const Delegation& delegation, const Audience& audience) const;
  void mark_as_ours(const Asked& asked, const Audience& audience, Reply& reply) const;
  bool may_go_on(const Query& query) const;
  bool may_go_back(const Query& query, const Delegation& delegation) const;
  runtime::Task<Delegation> start(wire::Name from);
  runtime::Task<void> prime(Delegation& root);
  Delegation hints() const;
  std::size_t labels_known(const wire::Name& name, const wire::Name& zone,
                           const Audience& audience) const;
  bool is_known_to_exist(const wire::Name& part, const Audience& audience) const;
  bool is_better_root(const Delegation& primed) const;

  Core& core_;
  ZoneAsker zone_asker_;
};

/// Keeps the sets, aliases and negative facts of a reply to (`name`, `type`), and a referral.
void store(Core& core, const Reply& reply, const wire::Name& name, wire::RRType type);

}  // namespace siskin::resolve
