#include <cstdlib>

#include "dnssec/canonical_record.hpp"
#include "dnssec/denial_record.hpp"
#include "siskin/dnssec/verifier.hpp"
#include "text/ldns.hpp"

namespace siskin::dnssec {
namespace {

using text::Ldns;
using wire::Bytes;
using wire::Name;

void put(std::vector<std::uint8_t>& out, Bytes octets) {
  out.insert(out.end(), octets.begin(), octets.end());
}

/// The owner that was signed: where labels are fewer, the wildcard that was expanded.
std::optional<Name> signed_owner(const Name& owner, const Rrsig& signature) {
  const std::size_t labels = signed_labels(owner);
  if (signature.labels > labels) return std::nullopt;
  if (signature.labels == labels) return owner.lowered();
  return wildcard_below(owner.suffix(signature.labels).lowered());
}

/// Canonical records, in canonical order, each once.
bool put_records(const wire::RRset& set, const Name& owner, std::uint32_t ttl,
                 std::vector<std::uint8_t>& out) {
  const Ldns<ldns_rr_list> list(ldns_rr_list_new());
  for (const Bytes rdata : set.records) {
    Ldns<ldns_rr> rr = canonical_record(owner, set.type, ttl, rdata);
    if (!rr) return false;
    if (!ldns_rr_list_push_rr(list.get(), rr.get())) return false;
    (void)rr.release();
  }
  ldns_rr_list_sort(list.get());
  const Ldns<ldns_buffer> buffer(ldns_buffer_new(LDNS_MIN_BUFLEN));
  for (std::size_t i = 0; i < ldns_rr_list_rr_count(list.get()); ++i) {
    const ldns_rr* rr = ldns_rr_list_rr(list.get(), i);
    if (i > 0 && ldns_rr_compare(ldns_rr_list_rr(list.get(), i - 1), rr) == 0) continue;
    if (ldns_rr2buffer_wire(buffer.get(), rr, LDNS_SECTION_ANSWER) != LDNS_STATUS_OK) return false;
  }
  put(out, {ldns_buffer_begin(buffer.get()), ldns_buffer_position(buffer.get())});
  return true;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> signed_data(const wire::RRset& set,
                                                     const Rrsig& signature) {
  const auto owner = signed_owner(set.owner, signature);
  if (!owner) return std::nullopt;
  constexpr std::size_t kFixedSize = 18;
  std::vector<std::uint8_t> data;
  put(data, signature.rdata.first(kFixedSize));
  put(data, signature.signer.lowered().wire());
  if (!put_records(set, *owner, signature.original_ttl, data)) return std::nullopt;
  return data;
}

Period period_of(const Rrsig& signature, std::uint32_t now, std::uint32_t skew) noexcept {
  const auto is_after = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b) > 0;
  };
  if (is_after(signature.inception, signature.expiration)) return Period::over;
  if (is_after(now, signature.expiration + skew)) return Period::over;
  if (is_after(signature.inception, now + skew)) return Period::not_begun;
  return Period::current;
}

std::uint32_t seconds_left(const Rrsig& signature, std::uint32_t now) noexcept {
  const auto left = static_cast<std::int32_t>(signature.expiration - now);
  return left > 0 ? static_cast<std::uint32_t>(left) : 0;
}

}  // namespace siskin::dnssec
