#include "serve/hit.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "serve/reply.hpp"

namespace siskin::serve {
namespace {

using cache::Kind;
using cache::Rendered;

/// What the cache said about one name of the chain.
enum class Link : std::uint8_t {
  end,    ///< the answer, or the proof that there is none
  alias,  ///< target() comes next
  missing,
};

/// A CNAME is no alias to somebody who asks for it, and a DS is the parent's, whatever the child's
/// apex is an alias of (fault B49).
bool may_be_alias(wire::RRType type) noexcept {
  return type != wire::RRType::cname && type != wire::RRType::ds;
}

/// One query on its way through the cache; what render() finds is in `out_` at once.
class Lookup {
 public:
  Lookup(const Request& request, const cache::Cache& cache, Instant now, std::size_t rotation,
         wire::MessageWriter& out) noexcept
      : request_(request),
        cache_(cache),
        now_(now),
        options_{request.dnssec_ok, rotation, request.network(), request.hint,
                 request.must_be_checked},
        out_(out) {}

  /// Looks for the asked type, then for an alias, then for the name's absence.
  Link at(wire::Bytes name);
  const Rendered& rendered() const noexcept { return rendered_; }
  std::uint8_t scope() const noexcept { return scope_; }  ///< the most of all links so far
  std::uint32_t seconds_left() const noexcept { return seconds_left_; }  ///< the least likewise
  bool is_secure() const noexcept { return is_secure_; }                 ///< all links
  /// Why a link is no better than insecure, where there is more to say of it.
  const wire::ExtendedError* remark() const noexcept { return remark_ ? &*remark_ : nullptr; }
  wire::Name target() const noexcept { return rendered_.alias_to.value_or(wire::Name()); }

 private:
  bool render(wire::Bytes name, wire::RRType type) {
    rendered_ = cache_.render(name, type, now_, options_, out_);
    options_.hint.reset();  // only the first look-up is what was expected
    if (!rendered_.found) return false;
    scope_ = std::max(scope_, rendered_.scope);
    if (rendered_.kind != Kind::failure) seconds_left_ = std::min(seconds_left_, rendered_.ttl);
    is_secure_ = is_secure_ && rendered_.security == cache::Security::secure;
    if (rendered_.error && rendered_.kind != Kind::failure) [[unlikely]]
      remark_ = rendered_.error;
    return true;
  }

  const Request& request_;
  const cache::Cache& cache_;
  const Instant now_;
  cache::Cache::RenderOptions options_;
  wire::MessageWriter& out_;
  Rendered rendered_;
  std::uint8_t scope_ = 0;
  std::uint32_t seconds_left_ = std::numeric_limits<std::uint32_t>::max();
  unsigned dnames_ = 0;  ///< links that a DNAME made
  bool is_secure_ = true;
  std::optional<wire::ExtendedError> remark_;
};

Link Lookup::at(wire::Bytes name) {
  if (render(name, request_.type)) return Link::end;
  if (may_be_alias(request_.type) && render(name, wire::RRType::cname)) {
    if (rendered_.kind == Kind::positive && rendered_.alias_to) {
      // Perhaps the same DNAME again, to be told once; who misses keeps a list of what is told.
      const bool is_same_dname = rendered_.by_dname && ++dnames_ > 1;
      // A proof is in the authority section now, and behind it nothing can be answered.
      const bool has_proof = rendered_.has_proof && request_.dnssec_ok;
      return is_same_dname || has_proof ? Link::missing : Link::alias;
    }
    // "No alias here" has put its SOA into the reply, and says that the name exists.
    if (rendered_.kind != Kind::failure) return Link::missing;
  }
  return render(name, cache::kNameSlot) ? Link::end : Link::missing;
}

std::size_t finish(const Request& request, const Lookup& lookup, wire::MessageWriter& out,
                   std::span<std::uint8_t> buffer) {
  const Rendered& end = lookup.rendered();
  const std::uint8_t scope = lookup.scope();
  if (lookup.is_secure() && request.wants_ad()) out.set_authenticated();
  switch (end.kind) {
    case Kind::nxdomain:
      return finish_reply(request, out, wire::Rcode::nxdomain, lookup.remark(), buffer, scope);
    case Kind::failure:
      return write_error(request, wire::Rcode::servfail, end.error ? &*end.error : nullptr, buffer);
    case Kind::positive:
    case Kind::nodata:
    case Kind::delegation: break;  // never under a type that is asked for
  }
  return finish_reply(request, out, wire::Rcode::noerror, lookup.remark(), buffer, scope);
}

std::size_t too_many_aliases(const Request& request, std::span<std::uint8_t> buffer) {
  const wire::ExtendedError error{wire::Ede::other, "more than 11 aliases, or a loop of them"};
  return write_error(request, wire::Rcode::servfail, &error, buffer);
}

/// A loop needs no list of the names seen: it is just a chain without an end.
std::optional<std::size_t> follow_aliases(const Request& request, Lookup& lookup,
                                          wire::MessageWriter& out,
                                          std::span<std::uint8_t> buffer) {
  for (unsigned followed = 0; followed < kAliasesMax; ++followed) {
    const wire::Name name = lookup.target();
    switch (lookup.at(name.wire())) {
      case Link::end: return finish(request, lookup, out, buffer);
      case Link::missing: return std::nullopt;
      case Link::alias: break;
    }
  }
  return too_many_aliases(request, buffer);
}

}  // namespace

std::optional<Hit> answer_from_cache(const Request& request, const cache::Cache& cache, Instant now,
                                     std::size_t rotation, std::span<std::uint8_t> buffer) {
  wire::MessageWriter out = begin_reply(request, buffer);
  Lookup lookup(request, cache, now, rotation, out);
  std::optional<std::size_t> size;
  switch (lookup.at(request.name)) {
    case Link::end: size = finish(request, lookup, out, buffer); break;
    case Link::missing: return std::nullopt;
    case Link::alias: size = follow_aliases(request, lookup, out, buffer); break;
  }
  if (!size) return std::nullopt;
  return Hit{*size, lookup.seconds_left()};
}

}  // namespace siskin::serve
