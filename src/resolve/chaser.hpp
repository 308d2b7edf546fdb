/// From a question to its outcome: cache first, then walks, one alias after the other.
#pragma once

#include "resolve/walker.hpp"

namespace siskin::resolve {

class Chaser {
 public:
  explicit Chaser(Core& core) : core_(core), walker_(core, *this) {}

  runtime::Task<Outcome> chase(Query& query, Question question);

  /// IPv4 addresses of a server name, or IPv6 ones where it has none that may be asked; spends one
  /// server look-up unless the cache knows.  Empty: none.
  runtime::Task<std::vector<IpAddress>> addresses_of(Query& query, wire::Name server);

  /// Whether the cache answers that.
  bool knows(const wire::Name& name, wire::RRType type) const;

 private:
  runtime::Task<Reply> fetch(Query& query, const wire::Name& name, wire::RRType type,
                             const Audience& audience);
  runtime::Task<std::vector<IpAddress>> look_up(Query& query, const wire::Name& server,
                                                wire::RRType type);
  void remember_failure(const Query& query, const wire::Name& name, wire::RRType type,
                        const wire::ExtendedError& error) const;
  wire::ExtendedError explain(const Query& query) const;

  Core& core_;
  Walker walker_;
};

}  // namespace siskin::resolve
