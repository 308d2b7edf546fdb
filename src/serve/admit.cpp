#include "serve/admit.hpp"

namespace siskin::serve {
namespace {

using wire::Ede;
using wire::Rcode;
using wire::RRClass;
using wire::RRType;

Admission error(Rcode rcode, std::optional<Ede> reason = std::nullopt) noexcept {
  return {Step::error, rcode, reason};
}

bool is_transfer(RRType type) noexcept {
  return type == RRType::axfr || type == RRType::ixfr;
}

Admission admit_chaos(RRType type) noexcept {
  const bool answerable = type == RRType::txt || type == RRType::any;
  return answerable ? Admission{Step::chaos, Rcode::noerror, {}} : error(Rcode::refused);
}

/// Types that no zone holds are not asked of anybody (fault A89).  NOTIMP, because the query is
/// well-formed and merely of a kind that does not exist here: FORMERR makes some forwarders believe
/// that EDNS was at fault, and REFUSED speaks of policy, as it does for transfers.
Admission admit_internet(const wire::QueryView& query) noexcept {
  if (is_transfer(query.type)) return error(Rcode::refused, Ede::not_supported);
  if (is_meta(query.type)) return error(Rcode::notimp, Ede::not_supported);
  if (query.type == RRType::any) return {Step::minimal_any, Rcode::noerror, {}};
  return {query.recursion_desired() ? Step::resolve : Step::from_cache, Rcode::noerror, {}};
}

}  // namespace

Admission admit(wire::QueryVerdict verdict, const wire::QueryView& query,
                bool client_allowed) noexcept {
  switch (verdict) {
    case wire::QueryVerdict::drop: return {};
    case wire::QueryVerdict::formerr: return error(Rcode::formerr);
    case wire::QueryVerdict::notimp: return error(Rcode::notimp);
    case wire::QueryVerdict::badvers: return error(Rcode::badvers);
    case wire::QueryVerdict::accept: break;
  }
  if (!client_allowed) return error(Rcode::refused, Ede::prohibited);
  if (query.klass == RRClass::ch) return admit_chaos(query.type);
  if (query.klass != RRClass::in) return error(Rcode::refused, Ede::not_supported);
  return admit_internet(query);
}

}  // namespace siskin::serve
