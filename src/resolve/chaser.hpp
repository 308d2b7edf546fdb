/// From a question to its outcome: cache first, then walks, one alias after the other.
#pragma once

#include <functional>

#include "resolve/known.hpp"
#include "resolve/validator.hpp"
#include "resolve/walker.hpp"

namespace siskin::resolve {

class Chaser {
 public:
  explicit Chaser(Core& core) : core_(core), walker_(core, *this), validator_(core, *this) {}

  runtime::Task<Outcome> chase(Query& query, Question question);

  /// IPv4 addresses of a server name, or IPv6 ones where it has none that may be asked; spends one
  /// server look-up unless the cache knows.  Empty: none.
  runtime::Task<std::vector<IpAddress>> addresses_of(Query& query, wire::Name server);

  /// Whether a reply is good; marks what it has found out.
  using Judge = std::function<bool(Reply&)>;
  /// Shows `judge` what the cache has of (`name`, `type`), then what one server after the other
  /// says of it, until it is content; what it finds good is kept.  Error: nobody says anything.
  runtime::Task<std::optional<wire::ExtendedError>> obtain(Query& query, wire::Name name,
                                                           wire::RRType type, const Judge& judge);

  /// As Chain::is_in_order().
  runtime::Task<bool> is_in_order(Query& query, wire::Name name) {
    return validator_.is_in_order(query, std::move(name));
  }

  /// Whether the cache answers that.
  bool knows(const wire::Name& name, wire::RRType type) const;

 private:
  runtime::Task<Known> link_of(Query& query, const wire::Name& name, const Question& question,
                               const Audience& audience);
  runtime::Task<Known> learn(Query& query, const wire::Name& name, wire::RRType type,
                             const Audience& audience, bool is_checked);
  runtime::Task<void> look_closer(Query& query, const wire::Name& name, wire::RRType type,
                                  Reply& reply);
  bool turns_elsewhere(Query& query, const wire::Name& name, const Reply& bogus);
  runtime::Task<Reply> fetch(Query& query, const wire::Name& name, wire::RRType type,
                             const Audience& audience);
  runtime::Task<std::vector<IpAddress>> look_up(Query& query, const wire::Name& server,
                                                wire::RRType type);
  void remember_failure(const Query& query, const wire::Name& name, wire::RRType type,
                        const wire::ExtendedError& error) const;
  wire::ExtendedError explain(const Query& query) const;

  Core& core_;
  Walker walker_;
  Validator validator_;
};

}  // namespace siskin::resolve
