#include "dnssec/nsec3.hpp"

#include <algorithm>

#include "dnssec/openssl.hpp"
#include "siskin/base/check.hpp"
#include "siskin/wire/cursor.hpp"

namespace siskin::dnssec {
namespace {

using wire::Bytes;
using wire::Name;
using wire::RRType;

constexpr std::uint8_t kSha1 = 1;
constexpr std::uint8_t kOptOut = 1;

Proof proved_by(const Nsec3& cover) {
  return cover.opt_out ? Proof::opt_out : Proof::proved;
}

std::optional<std::uint8_t> base32hex_digit(std::uint8_t letter) noexcept {
  const std::uint8_t lower = wire::to_lower(letter);
  if (lower >= '0' && lower <= '9') return static_cast<std::uint8_t>(lower - '0');
  if (lower >= 'a' && lower <= 'v') return static_cast<std::uint8_t>(lower - 'a' + 10);
  return std::nullopt;
}

}  // namespace

Nsec3Hash nsec3_hash(const Name& name, Bytes salt, unsigned iterations) {
  Nsec3Hash hash{};
  const Name lowered = name.lowered();
  const Openssl<EVP_MD_CTX> context(EVP_MD_CTX_new());
  Bytes input = lowered.wire();
  for (unsigned i = 0; i <= iterations; ++i) {
    const bool is_done = context && EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) == 1 &&
                         EVP_DigestUpdate(context.get(), input.data(), input.size()) == 1 &&
                         EVP_DigestUpdate(context.get(), salt.data(), salt.size()) == 1 &&
                         EVP_DigestFinal_ex(context.get(), hash.data(), nullptr) == 1;
    SISKIN_CHECK(is_done);
    input = hash;
  }
  return hash;
}

std::optional<Nsec3Hash> from_base32hex(Bytes text) noexcept {
  Nsec3Hash out{};
  if (text.size() != out.size() * 8 / 5) return std::nullopt;
  std::uint32_t bits = 0;
  unsigned count = 0;
  std::size_t at = 0;
  for (const std::uint8_t letter : text) {
    const auto digit = base32hex_digit(letter);
    if (!digit) return std::nullopt;
    bits = bits << 5 | *digit;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    out[at++] = static_cast<std::uint8_t>(bits >> count);
  }
  return out;
}

void Nsec3Proofs::add(const Name& owner, Bytes rdata) {
  wire::Reader reader(rdata);
  const std::uint8_t algorithm = reader.u8();
  const std::uint8_t flags = reader.u8();
  const std::uint16_t iterations = reader.u16();
  const Bytes salt = reader.bytes(reader.u8());
  const Bytes next = reader.bytes(reader.u8());
  const Bytes types = reader.bytes(reader.remaining());
  const bool is_ours = !owner.is_root() && owner.parent() == zone_;
  if (reader.failed() || !is_ours || algorithm != kSha1 || (flags & ~kOptOut) != 0) return;
  if (iterations > Denial::kIterationsMax) {
    is_costly_ = true;
    return;
  }
  Nsec3 nsec3;
  const auto hashed_owner = from_base32hex(owner.first_label());
  if (!hashed_owner || next.size() != nsec3.next.size()) return;
  if (records_.empty()) {
    salt_.assign(salt.begin(), salt.end());
    iterations_ = iterations;
  } else if (iterations != iterations_ || !std::ranges::equal(salt, salt_)) {
    return;
  }
  nsec3.owner = *hashed_owner;
  std::ranges::copy(next, nsec3.next.begin());
  nsec3.opt_out = (flags & kOptOut) != 0;
  nsec3.types.assign(types.begin(), types.end());
  records_.push_back(std::move(nsec3));
}

std::optional<Nsec3Hash> Nsec3Proofs::hash(const Name& name, Work& work) const {
  if (!work.spend_hash()) return std::nullopt;
  return nsec3_hash(name, salt_, iterations_);
}

const Nsec3* Nsec3Proofs::match(const Name& name, Work& work) const {
  const auto hashed = hash(name, work);
  if (!hashed) return nullptr;
  const auto at = std::ranges::find(records_, *hashed, &Nsec3::owner);
  return at == records_.end() ? nullptr : &*at;
}

/// Between owner and next, or, with the last owner, behind it or before next.
const Nsec3* Nsec3Proofs::cover(const Name& name, Work& work) const {
  const auto hashed = hash(name, work);
  if (!hashed) return nullptr;
  const auto at = std::ranges::find_if(records_, [&](const Nsec3& nsec3) {
    const bool is_behind = nsec3.owner < *hashed;
    const bool is_before = *hashed < nsec3.next;
    return nsec3.owner < nsec3.next ? is_behind && is_before : is_behind || is_before;
  });
  return at == records_.end() ? nullptr : &*at;
}

/// RFC 5155 §8.3.  Of a cut or a DNAME no closest encloser is made: what is below is another's.
std::optional<Nsec3Proofs::Encloser> Nsec3Proofs::encloser_of(const Name& name, Work& work) const {
  if (!name.is_below(zone_)) return std::nullopt;
  Name longer = name;
  while (longer.is_below(zone_)) {
    const Name above = longer.parent();
    const Nsec3* const found = match(above, work);
    if (work.exhausted()) return std::nullopt;
    if (found == nullptr) {
      longer = above;
      continue;
    }
    if (found->is_at_cut() || found->has(RRType::dname)) return std::nullopt;
    const Nsec3* const covering = cover(longer, work);
    if (covering == nullptr) return std::nullopt;
    return Encloser{above, covering};
  }
  return std::nullopt;
}

Proof Nsec3Proofs::no_name(const Name& name, Work& work) const {
  if (is_only_costly()) return Proof::insecure;
  const auto encloser = encloser_of(name, work);
  if (!encloser) return Proof::missing;
  const auto wildcard = wildcard_below(encloser->name);
  if (wildcard && cover(*wildcard, work) == nullptr) return Proof::missing;
  return proved_by(*encloser->cover);
}

Proof Nsec3Proofs::no_data(const Name& name, RRType type, Work& work) const {
  if (is_only_costly()) return Proof::insecure;
  if (const Nsec3* const nsec3 = match(name, work)) {
    return nsec3->denies_at(name, type, zone_) ? Proof::proved : Proof::missing;
  }
  const auto encloser = encloser_of(name, work);
  if (!encloser) return Proof::missing;
  const Proof by_wildcard = wildcard_no_data(*encloser, type, work);
  if (by_wildcard != Proof::missing) return by_wildcard;
  // RFC 5155 §8.6, §8.7 and erratum 3441: a span with opt-out may hold a delegation, whose DS is
  // asked for, or an empty non-terminal above one.
  return encloser->cover->opt_out ? Proof::opt_out : Proof::missing;
}

Proof Nsec3Proofs::wildcard_no_data(const Encloser& encloser, RRType type, Work& work) const {
  const auto wildcard = wildcard_below(encloser.name);
  const Nsec3* const source = wildcard ? match(*wildcard, work) : nullptr;
  if (source == nullptr || !source->denies_expanded(type)) return Proof::missing;
  return proved_by(*encloser.cover);
}

Proof Nsec3Proofs::no_ds(const Name& name, Work& work) const {
  if (is_only_costly()) return Proof::insecure;
  if (const Nsec3* const nsec3 = match(name, work)) {
    return nsec3->is_unsigned_cut() ? Proof::proved : Proof::missing;
  }
  const auto encloser = encloser_of(name, work);
  const bool is_skipped = encloser && encloser->cover->opt_out;
  return is_skipped ? Proof::opt_out : Proof::missing;
}

Proof Nsec3Proofs::no_closer_match(const Name& name, std::size_t labels, Work& work) const {
  if (is_only_costly()) return Proof::insecure;
  if (name.label_count() <= labels) return Proof::missing;
  const Nsec3* const covering = cover(name.suffix(labels + 1), work);
  return covering == nullptr ? Proof::missing : proved_by(*covering);
}

}  // namespace siskin::dnssec
