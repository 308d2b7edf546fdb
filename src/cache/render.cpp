#include "cache/render.hpp"

#include "cache/owner.hpp"

namespace siskin::cache {
namespace {

/// RFC 4035 §3.2.1: who did not set DO gets no denial records unasked.
bool is_denial(const StoredSet& set) noexcept {
  return set.section == wire::Section::authority &&
         (set.type == wire::RRType::nsec || set.type == wire::RRType::nsec3);
}

/// The target of the alias that the key's own CNAME is.
std::optional<wire::Name> alias_target(const StoredSet& set) {
  if (set.type != wire::RRType::cname || !set.owner.empty() || set.records.count == 0) {
    return std::nullopt;
  }
  const std::uint8_t* const at = set.records.at;
  const std::size_t size = static_cast<std::size_t>(at[0] << 8 | at[1]);
  return wire::Name::from_wire({at + 2, size}).value();
}

bool add_set(const StoredSet& set, wire::Bytes owner, std::uint32_t ttl,
             const Cache::RenderOptions& options, wire::MessageWriter& out) {
  if (is_denial(set) && !options.dnssec_ok) return true;
  if (!out.add_rrset(set.section, owner, set.type, ttl, set.records, options.rotation)) {
    return false;
  }
  return !options.dnssec_ok || set.signatures.count == 0 ||
         out.add_rrset(set.section, owner, wire::RRType::rrsig, ttl, set.signatures);
}

}  // namespace

Rendered render_entry(Entry entry, wire::Bytes name, std::uint32_t now,
                      const Cache::RenderOptions& options, wire::MessageWriter& out) {
  Rendered rendered;
  rendered.found = true;
  rendered.kind = entry.kind();
  rendered.ttl = entry.expiry() - now;
  rendered.scope = entry.scope(name.size());
  rendered.security = entry.security();
  const bool is_simple = entry.is_plain() && entry.kind() == Kind::positive &&
                         entry.type() != wire::RRType::cname && entry.security() != Security::bogus;
  if (is_simple) [[likely]] {
    const wire::RecordRun records{entry.body(name.size()), entry.count()};
    rendered.fits = out.add_rrset(wire::Section::answer, name, entry.type(), rendered.ttl, records,
                                  options.rotation);
    return rendered;
  }
  rendered.error = error_of(entry, name.size());
  if (options.must_be_checked && entry.security() == Security::bogus) {
    rendered.kind = Kind::failure;
  }
  if (rendered.kind == Kind::failure || entry.kind() == Kind::delegation) return rendered;

  SetReader reader(entry, name.size());
  std::array<std::uint8_t, wire::kNameSizeMax> buffer;
  for (StoredSet set; rendered.fits && reader.next(set);) {
    if (set.section == wire::Section::additional) break;
    const wire::Bytes owner = set.owner.empty() ? name : expand_owner(set.owner, name, buffer);
    rendered.fits = add_set(set, owner, rendered.ttl, options, out);
    if (entry.kind() == Kind::positive && set.section == wire::Section::authority) {
      rendered.has_proof = true;
    }
    if (entry.type() == wire::RRType::cname && !rendered.alias_to) {
      rendered.alias_to = alias_target(set);
      rendered.by_dname = rendered.by_dname || set.type == wire::RRType::dname;
    }
  }
  return rendered;
}

}  // namespace siskin::cache
